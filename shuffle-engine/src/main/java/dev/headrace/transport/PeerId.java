package dev.headrace.transport;

/** One life of one rank. */
public record PeerId(int rank, long incarnation) {}

package dev.headrace.engine;

/**
 * A byte range of a partition's Arrow IPC stream.
 *
 * @param bytes follow the bytes of the page before
 * @param last whether the stream ends here
 */
public record Page(byte[] bytes, boolean last) {}

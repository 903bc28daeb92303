package dev.headrace.engine;

import dev.headrace.transport.Transport;
import java.time.Duration;

/**
 * The shuffle engine of one rank: owns its memory, its spill files, its progress and spill threads and the transport it
 * is given, until {@link #close}. Every method may be called from any thread.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class Engine implements AutoCloseable {

    private Engine() {}

    /** Starts an engine on its own memory and threads; takes over the transport, also when it fails. */
    public static Engine start(EngineConfig config, Transport transport) {
        throw new UnsupportedOperationException();
    }

    /** Where peers reach this rank; opaque. */
    public byte[] address() {
        throw new UnsupportedOperationException();
    }

    /** Begins to connect to a peer; a new incarnation replaces the old one. */
    public void connect(int rank, long incarnation, byte[] address) {
        throw new UnsupportedOperationException();
    }

    /** Waits until all other ranks are connected; the error names those that are not. */
    public void awaitConnected(Duration timeout) {
        throw new UnsupportedOperationException();
    }

    /** Opens a shuffle here; must have returned on every rank before the first insert on any. */
    public Shuffle open(ShuffleSpec spec) {
        throw new UnsupportedOperationException();
    }

    /** The open shuffle of this wire id, or an INVALID_INPUT error. */
    public Shuffle shuffle(long wireId) {
        throw new UnsupportedOperationException();
    }

    /** Bytes that inserts may use now. */
    public long roomBytes() {
        throw new UnsupportedOperationException();
    }

    /** All statistics as one JSON object: names to numbers in bytes, seconds and counts. */
    public String statisticsJson() {
        throw new UnsupportedOperationException();
    }

    /** Aborts what is open, stops the threads, closes the transport, frees memory and files. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}

package dev.headrace.transport.ucx;

import java.util.concurrent.atomic.LongAdder;

/** What went where, and what was turned away. The owner thread counts, any thread reads. */
final class TrafficCounts {
    private final LongAdder sharedSlabBodies = new LongAdder();
    private final LongAdder sharedSlabBytes = new LongAdder();
    private final LongAdder ucxBodies = new LongAdder();
    private final LongAdder ucxBytes = new LongAdder();
    private final LongAdder strangers = new LongAdder();
    private final LongAdder refusedMessages = new LongAdder();
    private final LongAdder quarantined = new LongAdder();

    void sharedSlab(long bytes) {
        sharedSlabBodies.increment();
        sharedSlabBytes.add(bytes);
    }

    void ucx(long bytes) {
        ucxBodies.increment();
        ucxBytes.add(bytes);
    }

    void stranger() {
        strangers.increment();
    }

    void refusedMessage() {
        refusedMessages.increment();
    }

    void quarantined(int operations) {
        quarantined.add(operations);
    }

    UcxCounts snapshot() {
        return new UcxCounts(
                sharedSlabBodies.sum(),
                sharedSlabBytes.sum(),
                ucxBodies.sum(),
                ucxBytes.sum(),
                strangers.sum(),
                refusedMessages.sum(),
                quarantined.sum());
    }
}

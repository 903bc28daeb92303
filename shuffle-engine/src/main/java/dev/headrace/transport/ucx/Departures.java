package dev.headrace.transport.ucx;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Endpoints that were closed and are not gone yet. A transfer that UCX does not complete in time keeps its memory: that
 * is never told to be free, because UCX might still write there. Owner thread only.
 */
final class Departures {
    /** How long a closed endpoint may take; over tcp it takes microseconds. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final List<Departure> leaving = new ArrayList<>();
    private final List<UcxEndpoint> quarantine = new ArrayList<>();
    private final TrafficCounts counts;

    private record Departure(UcxEndpoint endpoint, long deadlineNanos, Runnable gone) {}

    Departures(TrafficCounts counts) {
        this.counts = counts;
    }

    /** Closes the endpoint; the last rites run when nothing of it is in flight, or when that took too long. */
    void add(UcxEndpoint endpoint, long nowNanos, Runnable gone) {
        endpoint.serve(null);
        endpoint.close();
        leaving.add(new Departure(endpoint, nowNanos + PATIENCE_NANOS, gone));
    }

    boolean isEmpty() {
        return leaving.isEmpty();
    }

    /** Called when all that UCX has completed is known. */
    int poll(long nowNanos) {
        quarantine.removeIf(UcxEndpoint::gone);
        if (leaving.isEmpty()) {
            return 0;
        }
        List<Departure> over = new ArrayList<>();
        for (Departure each : leaving) {
            if (each.endpoint().gone()) {
                over.add(each);
            } else if (nowNanos - each.deadlineNanos() >= 0) {
                counts.quarantined(each.endpoint().inFlight());
                quarantine.add(each.endpoint());
                over.add(each);
            }
        }
        leaving.removeAll(over);
        over.forEach(each -> each.gone().run());
        return over.size();
    }
}

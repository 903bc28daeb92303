package dev.headrace.transport.ucx;

/** What all parts of one transport share. Owner thread only. */
record Core(
        UcxWorker worker,
        ObservedClock clock,
        Outcomes outcomes,
        TrafficCounts counts,
        Courier courier,
        Departures departures) {}

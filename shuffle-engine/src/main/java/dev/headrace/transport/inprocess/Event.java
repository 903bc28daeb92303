package dev.headrace.transport.inprocess;

import dev.headrace.HeadraceException;
import dev.headrace.transport.PeerId;

/** What one thread tells the owner of a transport through its {@link Inbox}. */
sealed interface Event {

    record Connected(Line line) implements Event {}

    record Received(Parcel parcel) implements Event {}

    /** The receiver has read the parcel, or never will. */
    record Returned(Parcel parcel) implements Event {}

    /** A token whose send went nowhere. */
    record Dropped(long token) implements Event {}

    record Down(Line line, HeadraceException cause) implements Event {}

    record Refused(PeerId peer, HeadraceException cause) implements Event {}
}

package dev.headrace.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The frame around the metadata of an IPC message that we write; {@link MessageParser} draws it. */
final class Encapsulation {
    private static final int PREFIX_BYTES = 8;

    private Encapsulation() {}

    static byte[] of(byte[] flatbuffer) {
        byte[] message = new byte[PREFIX_BYTES + Math.toIntExact(Words.padded(flatbuffer.length))];
        MemorySegment target = MemorySegment.ofArray(message);
        target.set(Words.INT, 0, -1);
        target.set(Words.INT, 4, message.length - PREFIX_BYTES);
        MemorySegment.copy(flatbuffer, 0, target, ValueLayout.JAVA_BYTE, PREFIX_BYTES, flatbuffer.length);
        return message;
    }

    static byte[] endOfStream() {
        byte[] mark = new byte[PREFIX_BYTES];
        MemorySegment.ofArray(mark).set(Words.INT, 0, -1);
        return mark;
    }
}

package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.BYTE;
import static dev.headrace.pack.LittleEndian.INT;
import static dev.headrace.pack.LittleEndian.LONG;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import java.lang.foreign.MemorySegment;

/**
 * Points at the bytes of one value of a column without children, as a block would hold them: an integer is as wide as
 * in the target. One thread; moved from value to value.
 */
final class ValueBytes {
    private static final int NULL = -1;

    private final DataType target;
    private final MemorySegment scratch = MemorySegment.ofArray(new byte[8]);
    private MemorySegment segment = scratch;
    private long offset;
    private long length;

    ValueBytes(DataType target) {
        this.target = target;
    }

    /** Whether values of the type can be told apart by their bytes. */
    static boolean supports(DataType type) {
        return type instanceof DataType.Null
                || type instanceof DataType.Bool
                || type instanceof DataType.Fixed
                || type instanceof DataType.Binary
                || type instanceof DataType.View;
    }

    void at(Column column, long row) {
        if (column.type() instanceof DataType.Null || !column.isValid(row)) {
            length = NULL;
            return;
        }
        MemorySegment first = column.buffers().getFirst();
        switch (column.type()) {
            case DataType.Bool _ -> {
                scratch.set(BYTE, 0, (byte) (Column.bit(first, row) ? 1 : 0));
                set(scratch, 0, 1);
            }
            case DataType.Fixed fixed -> fixed(first, fixed, row);
            case DataType.Binary binary -> {
                Offsets offsets = Offsets.of(binary.large());
                set(column.buffers().get(1), offsets.get(first, row), offsets.length(first, row));
            }
            case DataType.View _ -> view(column, row);
            default -> throw new IllegalStateException("no bytes for " + column.type());
        }
    }

    private void fixed(MemorySegment values, DataType.Fixed source, long row) {
        int width = ((DataType.Fixed) target).widthBytes();
        if (source.widthBytes() == width) {
            set(values, row * width, width);
        } else {
            boolean signed = source.meaning() instanceof Meaning.SignedInt;
            scratch.set(LONG, 0, Integers.get(values, source.widthBytes(), signed, row));
            set(scratch, 0, width);
        }
    }

    private void view(Column column, long row) {
        MemorySegment views = column.buffers().getFirst();
        int bytes = views.get(INT, row * 16);
        if (bytes <= 12) {
            set(views, row * 16 + 4, bytes);
        } else {
            int buffer = views.get(INT, row * 16 + 8);
            if (buffer < 0 || buffer >= column.buffers().size() - 1) {
                throw ColumnAppender.corrupt("a view into the missing buffer", buffer);
            }
            set(column.buffers().get(1 + buffer), views.get(INT, row * 16 + 12), bytes);
        }
    }

    private void set(MemorySegment newSegment, long newOffset, long newLength) {
        if (newLength < 0) {
            throw ColumnAppender.corrupt("a value length of", newLength);
        }
        segment = newSegment;
        offset = newOffset;
        length = newLength;
    }

    int hash() {
        long hash = length * 0x9E37_79B9_7F4A_7C15L;
        long end = offset + length;
        long at = offset;
        for (; at + 8 <= end; at += 8) {
            hash = Long.rotateLeft(hash ^ segment.get(LONG, at), 29) * 0x9E37_79B9_7F4A_7C15L;
        }
        for (; at < end; at++) {
            hash = Long.rotateLeft(hash ^ segment.get(BYTE, at), 29) * 0x9E37_79B9_7F4A_7C15L;
        }
        return (int) (hash ^ (hash >>> 32));
    }

    boolean sameAs(ValueBytes other) {
        return length == other.length
                && (length <= 0
                        || MemorySegment.mismatch(
                                        segment,
                                        offset,
                                        offset + length,
                                        other.segment,
                                        other.offset,
                                        other.offset + length)
                                == -1);
    }
}

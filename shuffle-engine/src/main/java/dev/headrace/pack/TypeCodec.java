package dev.headrace.pack;

import dev.headrace.HeadraceException;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import dev.headrace.table.DataType.TimeUnit;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Types as bytes, depth-first: a tag, the numbers of the type (little-endian), then its children. Equal types give
 * equal bytes, and only what moves or means something to bytes is in them: no names, no nullability.
 */
final class TypeCodec {
    /** Deeper types are refused, so that hostile bytes can't exhaust the stack. */
    static final int MAX_DEPTH = 256;

    /** A unit's number is its place here. */
    private static final List<TimeUnit> UNITS =
            List.of(TimeUnit.SECOND, TimeUnit.MILLISECOND, TimeUnit.MICROSECOND, TimeUnit.NANOSECOND);

    private TypeCodec() {}

    static byte[] encode(List<DataType> types) {
        Output out = new Output();
        out.types(types, 0);
        return out.bytes.toByteArray();
    }

    static List<DataType> decode(MemorySegment encoded) {
        Input in = new Input(encoded);
        List<DataType> types = in.types(0);
        in.require(in.at == encoded.byteSize(), "ends early");
        return types;
    }

    private static final class Output {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        void types(List<DataType> types, int depth) {
            if (depth > MAX_DEPTH) {
                throw HeadraceException.invalidInput("type is nested deeper than " + MAX_DEPTH + " levels");
            }
            int32(types.size());
            for (DataType type : types) {
                type(type, depth);
            }
        }

        private void type(DataType type, int depth) {
            switch (type) {
                case DataType.Null _ -> int8(0);
                case DataType.Bool _ -> int8(1);
                case DataType.Fixed fixed -> {
                    int8(2);
                    int32(fixed.widthBytes());
                    meaning(fixed.meaning());
                }
                case DataType.Binary binary -> {
                    int8(3);
                    flags(binary.large(), binary.utf8(), false);
                }
                case DataType.View view -> {
                    int8(4);
                    flags(view.utf8(), false, false);
                }
                case DataType.Varied list -> {
                    int8(5);
                    flags(list.large(), list.map(), list.keysSorted());
                }
                case DataType.ListView list -> {
                    int8(6);
                    flags(list.large(), false, false);
                }
                case DataType.FixedList list -> {
                    int8(7);
                    int32(list.size());
                }
                case DataType.Struct _ -> int8(8);
                case DataType.Union union -> {
                    int8(9);
                    flags(union.dense(), false, false);
                    union.codes().forEach(this::int8);
                    int8(-1);
                }
                case DataType.Dictionary dictionary -> {
                    int8(10);
                    int8(dictionary.index().widthBytes());
                    flags(dictionary.index().meaning() instanceof Meaning.SignedInt, dictionary.ordered(), false);
                }
                case DataType.RunEnd runs -> {
                    int8(11);
                    int8(runs.endWidthBytes());
                }
            }
            types(type instanceof DataType.RunEnd runs ? List.of(runs.values()) : Nodes.children(type), depth + 1);
        }

        private void meaning(Meaning meaning) {
            switch (meaning) {
                case Meaning.SignedInt _ -> int8(0);
                case Meaning.UnsignedInt _ -> int8(1);
                case Meaning.Floating _ -> int8(2);
                case Meaning.Decimal decimal -> {
                    int8(3);
                    int32(decimal.precision());
                    int32(decimal.scale());
                }
                case Meaning.Date _ -> int8(4);
                case Meaning.Time time -> {
                    int8(5);
                    int8(UNITS.indexOf(time.unit()));
                }
                case Meaning.Timestamp timestamp -> {
                    int8(6);
                    int8(UNITS.indexOf(timestamp.unit()));
                    byte[] zone = timestamp.zone().getBytes(StandardCharsets.UTF_8);
                    int32(zone.length);
                    bytes.writeBytes(zone);
                }
                case Meaning.Duration duration -> {
                    int8(7);
                    int8(UNITS.indexOf(duration.unit()));
                }
                case Meaning.Interval _ -> int8(8);
                case Meaning.Bytes _ -> int8(9);
            }
        }

        private void flags(boolean first, boolean second, boolean third) {
            int8((first ? 1 : 0) | (second ? 2 : 0) | (third ? 4 : 0));
        }

        private void int8(int value) {
            bytes.write(value);
        }

        private void int32(int value) {
            for (int shift = 0; shift < 32; shift += 8) {
                bytes.write(value >>> shift);
            }
        }
    }

    private static final class Input {
        private final MemorySegment bytes;
        private long at;

        Input(MemorySegment bytes) {
            this.bytes = bytes;
        }

        List<DataType> types(int depth) {
            require(depth <= MAX_DEPTH, "nests too deep");
            int count = int32();
            require(count >= 0 && count <= bytes.byteSize() - at, "has a wrong count");
            List<DataType> types = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                types.add(type(depth));
            }
            return List.copyOf(types);
        }

        private DataType type(int depth) {
            int tag = int8();
            return switch (tag) {
                case 0 -> leaf(new DataType.Null(), depth);
                case 1 -> leaf(new DataType.Bool(), depth);
                case 2 -> leaf(fixed(), depth);
                case 3 -> {
                    int flags = flags(3);
                    yield leaf(new DataType.Binary((flags & 1) != 0, (flags & 2) != 0), depth);
                }
                case 4 -> leaf(new DataType.View(flags(1) != 0), depth);
                case 5 -> {
                    int flags = flags(7);
                    yield new DataType.Varied((flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0, child(depth));
                }
                case 6 -> new DataType.ListView(flags(1) != 0, child(depth));
                case 7 -> fixedList(depth);
                case 8 -> new DataType.Struct(types(depth + 1));
                case 9 -> union(depth);
                case 10 -> dictionary(depth);
                case 11 -> new DataType.RunEnd(width(2), child(depth));
                default -> throw corrupt("has the unknown tag " + tag);
            };
        }

        private DataType fixed() {
            int widthBytes = int32();
            require(widthBytes >= 0, "has a negative width");
            return new DataType.Fixed(widthBytes, meaning());
        }

        private DataType fixedList(int depth) {
            int size = int32();
            require(size >= 0, "has a negative list size");
            return new DataType.FixedList(size, child(depth));
        }

        private DataType union(int depth) {
            boolean dense = flags(1) != 0;
            List<Integer> codes = codes();
            List<DataType> children = types(depth + 1);
            require(codes.size() == children.size(), "has a wrong number of type codes");
            return new DataType.Union(dense, codes, children);
        }

        private DataType dictionary(int depth) {
            int widthBytes = width(1);
            int flags = flags(3);
            Meaning sign = (flags & 1) != 0 ? new Meaning.SignedInt() : new Meaning.UnsignedInt();
            return new DataType.Dictionary(new DataType.Fixed(widthBytes, sign), (flags & 2) != 0, child(depth));
        }

        private DataType leaf(DataType type, int depth) {
            require(types(depth + 1).isEmpty(), "has children under a leaf");
            return type;
        }

        private DataType child(int depth) {
            List<DataType> children = types(depth + 1);
            require(children.size() == 1, "needs one child, not " + children.size());
            return children.getFirst();
        }

        private List<Integer> codes() {
            List<Integer> codes = new ArrayList<>();
            for (int code = int8(); code >= 0; code = int8()) {
                require(!codes.contains(code), "has a type code twice");
                codes.add(code);
            }
            return List.copyOf(codes);
        }

        private int width(int smallestBytes) {
            int width = int8();
            require(width >= smallestBytes && width <= 8 && Integer.bitCount(width) == 1, "has a wrong integer width");
            return width;
        }

        private Meaning meaning() {
            int tag = int8();
            return switch (tag) {
                case 0 -> new Meaning.SignedInt();
                case 1 -> new Meaning.UnsignedInt();
                case 2 -> new Meaning.Floating();
                case 3 -> new Meaning.Decimal(int32(), int32());
                case 4 -> new Meaning.Date();
                case 5 -> new Meaning.Time(unit());
                case 6 -> new Meaning.Timestamp(unit(), text());
                case 7 -> new Meaning.Duration(unit());
                case 8 -> new Meaning.Interval();
                case 9 -> new Meaning.Bytes();
                default -> throw corrupt("has the unknown meaning " + tag);
            };
        }

        private TimeUnit unit() {
            int number = int8();
            require(number >= 0 && number < UNITS.size(), "has an unknown unit");
            return UNITS.get(number);
        }

        private String text() {
            int length = int32();
            require(length >= 0 && length <= bytes.byteSize() - at, "has a wrong text length");
            byte[] text = bytes.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
            at += length;
            return new String(text, StandardCharsets.UTF_8);
        }

        private int flags(int allowed) {
            int flags = int8();
            require((flags & ~allowed) == 0, "has unknown flags");
            return flags;
        }

        private int int8() {
            require(at < bytes.byteSize(), "is cut off");
            return bytes.get(LittleEndian.BYTE, at++);
        }

        private int int32() {
            require(bytes.byteSize() - at >= 4, "is cut off");
            int value = bytes.get(LittleEndian.INT, at);
            at += 4;
            return value;
        }

        private void require(boolean condition, String what) {
            if (!condition) {
                throw corrupt(what);
            }
        }

        private HeadraceException corrupt(String what) {
            return HeadraceException.corruptData("layout " + what + " at byte " + at + " of " + bytes.byteSize());
        }
    }
}

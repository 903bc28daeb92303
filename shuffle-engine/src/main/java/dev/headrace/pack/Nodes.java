package dev.headrace.pack;

import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import java.util.List;

/** How many buffers and which children a column of a type has; the one place that says so. */
final class Nodes {
    private Nodes() {}

    /** Whether a validity buffer, perhaps of length 0, stands before the others. */
    static boolean hasValidity(DataType type) {
        return !(type instanceof DataType.Null || type instanceof DataType.Union || type instanceof DataType.RunEnd);
    }

    /** The number of buffers without validity and without the children's. */
    static int dataBuffers(DataType type) {
        return switch (type) {
            case DataType.Null _, DataType.FixedList _, DataType.Struct _, DataType.RunEnd _ -> 0;
            case DataType.Bool _, DataType.Fixed _, DataType.Varied _, DataType.Dictionary _ -> 1;
            case DataType.Binary _, DataType.View _, DataType.ListView _ -> 2;
            case DataType.Union union -> union.dense() ? 2 : 1;
        };
    }

    static List<DataType> children(DataType type) {
        return switch (type) {
            case DataType.Null _, DataType.Bool _, DataType.Fixed _, DataType.Binary _, DataType.View _ -> List.of();
            case DataType.Varied list -> List.of(list.item());
            case DataType.ListView list -> List.of(list.item());
            case DataType.FixedList list -> List.of(list.item());
            case DataType.Struct struct -> struct.fields();
            case DataType.Union union -> union.children();
            case DataType.Dictionary dictionary -> List.of(dictionary.values());
            case DataType.RunEnd runs -> List.of(runEnds(runs), runs.values());
        };
    }

    /** The type of the run ends, which are a column of their own. */
    static DataType.Fixed runEnds(DataType.RunEnd runs) {
        return new DataType.Fixed(runs.endWidthBytes(), new Meaning.SignedInt());
    }

    static int countNodes(List<DataType> types) {
        int nodes = 0;
        for (DataType type : types) {
            nodes += 1 + countNodes(children(type));
        }
        return nodes;
    }

    static int countBuffers(List<DataType> types) {
        int buffers = 0;
        for (DataType type : types) {
            buffers += dataBuffers(type) + (hasValidity(type) ? 1 : 0) + countBuffers(children(type));
        }
        return buffers;
    }
}

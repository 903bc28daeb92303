"""Writes the Arrow streams and files that the tests of dev.headrace.table read, and beside each table what is in it.

    python make_streams.py        # with pyarrow 26; writes into its own folder

NAME.txt has one line per column of each record batch. Values of fixed width and bytes are in hexadecimal as they lie in
memory, so that no bit gets lost; Rendering.java prints columns the same way.
"""

from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa

HERE = Path(__file__).parent
BYTES = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view, pa.types.is_fixed_size_binary)
LONG = "longer than twelve bytes"


def render(array: pa.Array, row: int) -> str:
    type_ = array.type
    if pa.types.is_null(type_):
        return "null"
    if isinstance(type_, pa.BaseExtensionType):
        return render(array.storage, row)
    if pa.types.is_union(type_):
        code = array.type_codes[row].as_py()
        place = array.offsets[row].as_py() if type_.mode == "dense" else row
        return f"{code}:{render(array.field(type_.type_codes.index(code)), place)}"
    if pa.types.is_run_end_encoded(type_):
        return render(array.values, int(np.searchsorted(array.run_ends.to_numpy(), row, side="right")))
    if not array[row].is_valid and not (pa.types.is_dictionary(type_) and array.indices[row].is_valid):
        return "null"
    if pa.types.is_dictionary(type_):
        return render(array.dictionary, array.indices[row].as_py())
    if pa.types.is_boolean(type_):
        return str(array[row].as_py()).lower()
    if pa.types.is_struct(type_):
        return "{" + " ".join(render(array.field(i), row) for i in range(type_.num_fields)) + "}"
    if pa.types.is_map(type_):
        entries = range(array.offsets[row].as_py(), array.offsets[row + 1].as_py())
        return "[" + " ".join("{" + f"{render(array.keys, i)} {render(array.items, i)}" + "}" for i in entries) + "]"
    if pa.types.is_fixed_size_list(type_):
        items = range(row * type_.list_size, (row + 1) * type_.list_size)
        return "[" + " ".join(render(array.values, i) for i in items) + "]"
    if pa.types.is_list_view(type_) or pa.types.is_large_list_view(type_):
        start = array.offsets[row].as_py()
        return "[" + " ".join(render(array.values, start + i) for i in range(array.sizes[row].as_py())) + "]"
    if pa.types.is_nested(type_):
        items = range(array.offsets[row].as_py(), array.offsets[row + 1].as_py())
        return "[" + " ".join(render(array.values, i) for i in items) + "]"
    if pa.types.is_string(type_) or pa.types.is_large_string(type_) or pa.types.is_string_view(type_):
        return "x" + array[row].as_py().encode().hex()
    if any(check(type_) for check in BYTES):
        return "x" + array[row].as_py().hex()
    width = type_.bit_width // 8
    return "x" + array.buffers()[1].to_pybytes()[row * width : (row + 1) * width].hex()


def describe(batches: list[pa.RecordBatch]) -> str:
    lines = []
    for batch in batches:
        lines.append(f"{batch.num_rows} rows")
        for name, column in zip(batch.schema.names, batch.columns):
            lines.append(f"{name}: " + " ".join(render(column, row) for row in range(batch.num_rows)))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def write(name: str, batches: list[pa.RecordBatch], make=pa.ipc.new_stream, **options) -> None:
    sink = pa.BufferOutputStream()
    with make(sink, batches[0].schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        for batch in batches:
            writer.write_batch(batch)
    (HERE / f"{name}.arrow").write_bytes(sink.getvalue().to_pybytes())


def primitives(n: int) -> dict:
    def cycle(values, type_):
        return pa.array([values[i % len(values)] for i in range(n)], type_)

    def counts(type_):
        return cycle([None, 0, -1, 2**62, -(2**63)], pa.int64()).cast(type_)

    small = {f"u{bits}": cycle([None, 0, 2**bits - 1], getattr(pa, f"uint{bits}")()) for bits in (8, 16, 32, 64)}
    signed = {f"i{bits}": cycle([-1, 2, None, 3], getattr(pa, f"int{bits}")()) for bits in (8, 16, 32, 64)}
    return small | signed | {
        "null": pa.nulls(n),
        "bool": cycle([True, None, False], pa.bool_()),
        "all_valid": cycle([True, False], pa.bool_()),
        "f16": cycle([np.float16(1.5), None], pa.float16()),
        "f32": cycle([-0.0, None, 1.5], pa.float32()),
        "f64": cycle([float("nan"), None, -0.0], pa.float64()),
        "d32": cycle([Decimal("-9999.9"), None], pa.decimal32(5, 1)),
        "d64": cycle([Decimal("1"), None], pa.decimal64(18, 0)),
        "d128": cycle([Decimal("-1E+4"), None], pa.decimal128(20, -4)),
        "d256": cycle([Decimal("0." + "1" * 76), None], pa.decimal256(76, 76)),
        "date32": cycle([None, -1, 19_000], pa.int32()).cast(pa.date32()),
        "date64": cycle([None, -86_400_000], pa.int64()).cast(pa.date64()),
        "time32": cycle([None, 86_399], pa.int32()).cast(pa.time32("s")),
        "time64": cycle([None, 1], pa.int64()).cast(pa.time64("ns")),
        "stamp": counts(pa.timestamp("ns", "Europe/Vaduz")),
        "local": counts(pa.timestamp("s")),
        "duration": counts(pa.duration("ms")),
        "interval": cycle([None, pa.MonthDayNano([1, -30, 7])], pa.month_day_nano_interval()),
        "w0": cycle([None, b""], pa.binary(0)),
        "w3": cycle([None, b"abc", b"\xff\0\1"], pa.binary(3)),
    }


def texts(n: int) -> dict:
    values = [None, "", "a", "exactly12byt", LONG, "z\u00fcrich"]
    types = {"string": pa.string(), "large": pa.large_string(), "view": pa.string_view()}
    words = [values[i % 6] for i in range(n)]
    blobs = [w if w is None else w.encode() + b"\xff" for w in words]
    return {name: pa.array(words, type_) for name, type_ in types.items()} | {
        "binary": pa.array(blobs, pa.binary()),
        "large_binary": pa.array(blobs, pa.large_binary()),
        "binary_view": pa.array(blobs, pa.binary_view()),
    }


def nested(n: int) -> dict:
    def cycle(values, type_):
        return pa.array([values[i % len(values)] for i in range(n)], type_)

    starts, sizes = np.arange(n)[::-1] % 5, np.arange(n) % 3
    items = pa.array([5, None, 7, 8, 9, 10, 11], pa.int32())
    return {
        "list": cycle([None, [], [None], [1, None, 3]], pa.list_(pa.int16())),
        "large_list": cycle([None, [], ["a", None, LONG]], pa.large_list(pa.string())),
        "list_view": pa.ListViewArray.from_arrays(pa.array(starts, pa.int32()), pa.array(sizes, pa.int32()), items),
        "large_view": cycle([["a"], None, []], pa.large_list_view(pa.string())),
        "three": cycle([[1, 2, 3], None, [None, 5, None]], pa.list_(pa.int32(), 3)),
        "zero": cycle([None, []], pa.list_(pa.int32(), 0)),
        "struct": cycle([None, {}, {"a": 2, "b": ""}], pa.struct([("a", pa.int32()), ("b", pa.string())])),
        "no_fields": cycle([{}, None], pa.struct([])),
        "map": cycle([None, [], [("b", None), ("a", 2)]], pa.map_(pa.string(), pa.int64())),
        "deep": cycle([None, [{"m": [(1, ["x"])]}]], pa.list_(pa.struct([("m", pa.map_(pa.int8(), pa.list_(pa.string())))]))),
    }


def encoded(n: int) -> dict:
    codes = np.arange(n) % 2
    numbers, words = pa.array(np.arange(n) * 3, pa.int64()), pa.array([None if i % 3 else f"w{i}" for i in range(n)], pa.string())
    places = pa.array(np.arange(n) // 2, pa.int32())
    dictionary = pa.DictionaryArray.from_arrays
    inner = dictionary(pa.array([i % 3 if i % 4 else None for i in range(2 * n)], pa.int8()), pa.array(["p", "q", None]))
    lists = pa.ListArray.from_arrays(pa.array(np.arange(n + 1) * 2, pa.int32()), inner)
    cuts = [n // 4 + 1, n - 1, n] if n else []
    return {
        "sparse": pa.UnionArray.from_sparse(pa.array(codes * 30 + 7, pa.int8()), [numbers, words], ["n", "w"], [7, 37]),
        "dense": pa.UnionArray.from_dense(pa.array(codes * 5, pa.int8()), places, [numbers, words], ["n", "w"], [0, 5]),
        "i8": dictionary(pa.array([None if i == 4 else i % 3 for i in range(n)], pa.int8()), pa.array([LONG, None, "b"])),
        "u16": dictionary(pa.array(np.arange(n) % 2, pa.uint16()), pa.array([1.5, -0.0]), ordered=True),
        "list": lists,
        "of_lists": dictionary(pa.array(np.arange(n)[::-1].copy(), pa.int32()), lists),
        "runs16": pa.RunEndEncodedArray.from_arrays(pa.array(cuts, pa.int16()), pa.array(["a", None, LONG][: len(cuts)], pa.string())),
        "runs64": pa.RunEndEncodedArray.from_arrays(pa.array(cuts, pa.int64()), pa.array([True, False, None][: len(cuts)], pa.bool_())),
        "uuid": pa.ExtensionArray.from_storage(pa.uuid(), pa.array([bytes([i] * 16) for i in range(n)], pa.binary(16))),
    }


def odd_metadata(n: int) -> pa.Schema:
    field = pa.field("a", pa.int64(), metadata={b"\xfe": b"\xff\x00", b"ARROW:extension:name": b"acme.colour"})
    return pa.schema([field, pa.field("a", pa.int8(), nullable=False)], metadata={b"\xff\xfe": b"\x80\x00\xff"})


def growing(values: list[list], type_: pa.DataType) -> list[pa.RecordBatch]:
    batches = []
    for part in values:
        indices = pa.array([i % len(part) for i in range(len(part) + 2)][::-1], pa.int8())
        batches.append(pa.record_batch({"d": pa.DictionaryArray.from_arrays(indices, pa.array(part, type_))}))
    return batches


GROWING = {
    "string": ([["a", None, LONG], ["b", ""], [LONG, "c", None]], pa.string()),
    "view": ([["a", None, LONG], ["b", LONG * 2], [LONG, "c"]], pa.string_view()),
    "bool": ([[True, None], [False], [True, False, None, True]], pa.bool_()),
    "list": ([[[1], None], [[], [2, None]], [[3, 4, 5]]], pa.list_(pa.int16())),
    "list_view": ([[[1], None], [[], [2, None]], [[3, 4, 5]]], pa.list_view(pa.int16())),
    "pair": ([[[1, 2], None], [[3, None]], [[5, 6]]], pa.list_(pa.int64(), 2)),
    "struct": ([[{"a": 1, "b": "x"}, None], [{"a": None, "b": LONG}]], pa.struct([("a", pa.int8()), ("b", pa.string())])),
}


def main() -> None:
    for make in (primitives, texts, nested, encoded):
        batches = [pa.record_batch(make(n)) for n in (11, 0, 3)]
        name = make.__name__
        (HERE / f"{name}.txt").write_text(describe(batches))
        write(name, batches)
        write(f"{name}-lz4", batches, compression="lz4")
        write(f"{name}-zstd", batches, compression="zstd")
        if make is not encoded:  # The file format allows no other dictionary in a later batch.
            write(f"{name}-file", batches, pa.ipc.new_file)
    write("texts-old", [pa.record_batch(texts(n)).select([0, 1, 3, 4]) for n in (11, 0, 3)],
          use_legacy_format=True, metadata_version=pa.ipc.MetadataVersion.V4)
    for name, (parts, type_) in GROWING.items():
        grown = [sum(parts[: i + 1], []) for i in range(len(parts))]
        batches = growing(grown, type_)
        (HERE / f"growing-{name}.txt").write_text(describe(batches))
        write(f"growing-{name}", batches, emit_dictionary_deltas=True)
        write(f"growing-{name}-zstd", batches, emit_dictionary_deltas=True, compression="zstd")
        batches = growing(parts, type_)
        (HERE / f"replaced-{name}.txt").write_text(describe(batches))
        write(f"replaced-{name}", batches)
    batches = growing([["a", "b"], ["a", "b", LONG]], pa.string())
    (HERE / "growing.txt").write_text(describe(batches))
    write("growing-file", batches, pa.ipc.new_file, emit_dictionary_deltas=True)
    schema = odd_metadata(2)
    batches = [pa.record_batch([pa.array([1, None]), pa.array([1, 2], pa.int8())], schema=schema)]
    (HERE / "metadata.txt").write_text(describe(batches))
    write("metadata", batches)
    batches = [pa.RecordBatch.from_struct_array(pa.array([{}] * n, pa.struct([]))) for n in (5, 0)]
    (HERE / "no_columns.txt").write_text(describe(batches))
    write("no_columns", batches)
    many = [pa.record_batch({"s": pa.array([f"row {i % 7} of many" for i in range(6_000)])})]
    write("blocks-lz4", many, compression="lz4")  # Blocks that repeat what is in the block before.


main()

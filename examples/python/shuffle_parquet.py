"""Parquet files in, one Parquet file per partition out; equal keys end up in one file.

python shuffle_parquet.py OUT KEY IN.parquet…
"""

from __future__ import annotations

import sys
from pathlib import Path

import pyarrow.parquet as pq

import headrace


def main(out: Path, key: str, inputs: list[str], partitions: int = 8) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with headrace.Session(ranks=2, memory_limit="128MiB") as session:
        with session.shuffle(keys=[key], num_partitions=partitions) as shuffle:
            for path in inputs:
                with pq.ParquetFile(path) as file:
                    for batch in file.iter_batches():
                        shuffle.insert(batch)  # waits while the ranks are full
            shuffle.finish()
            for partition, table in shuffle:
                pq.write_table(table, out / f"part-{partition:05}.parquet")
        print(f"{shuffle.num_rows} rows, {session.statistics()['copy-host-to-disk']:.0f} bytes went to disk")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])

"""A join, a group and a sort of Ray Data, run on Headrace's ranks: the program only switches them on.

python ray_data_join.py
"""

from __future__ import annotations

import ray

import headrace.ray_data


def main() -> None:
    ray.init(num_cpus=2, log_to_driver=False)
    headrace.ray_data.enable(ranks=2, memory_limit="128MiB")
    orders = ray.data.from_items([{"order": number, "customer": number % 10} for number in range(1_000)])
    lines = ray.data.from_items([{"order": number % 1_000, "price": number} for number in range(5_000)])
    joined = lines.join(orders, "inner", num_partitions=4, on=("order",))
    per_customer = joined.groupby("customer").sum("price").sort("sum(price)", descending=True)
    for row in per_customer.take_all():
        print(row["customer"], row["sum(price)"])
    headrace.ray_data.release_ranks()


if __name__ == "__main__":
    main()

"""Ray Data's sampling of keys before a sort, for blocks of both kinds in one dataset."""

from __future__ import annotations

from ray.data._internal.execution.operators.shuffle_operators.sort_sampling_operator import SortSamplingOp
from ray.data._internal.table_block import TableBlockAccessor
from ray.data.block import BlockType


class SamplingOperator(SortSamplingOp):  # type: ignore[misc]
    """Ray Data's operator, whose samples become Arrow's before it puts them together: it can't mix them itself."""

    _sample_results: list[object]

    def _maybe_finish_sampling(self) -> None:
        if len({type(sample) for sample in self._sample_results}) > 1:
            self._sample_results = TableBlockAccessor.normalize_block_types(self._sample_results, BlockType.ARROW)
        super()._maybe_finish_sampling()

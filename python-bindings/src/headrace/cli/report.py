"""What a command shows while it runs and at its end: progress on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

PLAIN_SECONDS = 5.0


class Report:
    """Owns the terminal from entry to exit. One thread."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(highlight=False)
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=self.console,
            disable=not self.console.is_terminal,
        )
        self._task: int | None = None
        self._description = ""
        self._done = 0
        self._total: int | None = None
        self._said = 0.0

    def say(self, text: str) -> None:
        """Prints one line."""
        self.console.print(text, markup=False, soft_wrap=True)

    def stage(self, text: str) -> None:
        """Ends the bar there is and says what begins."""
        self._end_task()
        self.say(text)

    def begin(self, description: str, total: int | None) -> None:
        """Begins a bar; its end is open if there is no total."""
        self._end_task()
        self._task = self._progress.add_task(description, total=total)
        self._description, self._done, self._total = description, 0, total
        self._said = time.monotonic()

    def advance(self, amount: int) -> None:
        """Moves the bar; without a terminal prints a line from time to time."""
        self._done += amount
        if self._task is not None and self.console.is_terminal:
            self._progress.advance(self._task, amount)  # type: ignore[arg-type]
        elif time.monotonic() - self._said >= PLAIN_SECONDS:
            self._said = time.monotonic()
            self.say(f"{self._description}: {self._counted()}")

    def _counted(self) -> str:
        return f"{self._done:,}" if self._total is None else f"{self._done:,} of {self._total:,}"

    def _end_task(self) -> None:
        if self._task is not None:
            self._progress.remove_task(self._task)  # type: ignore[arg-type]
            self.say(f"{self._description}: {self._counted()}")
            self._task = None

    def table(self, title: str, rows: list[tuple[str, str]]) -> None:
        """Prints names and values in two columns."""
        shown = Table("what", "value", title=title, title_justify="left")
        shown.columns[1].justify = "right"
        for name, value in rows:
            shown.add_row(name, value)
        self.console.print(shown)

    def __enter__(self) -> Report:
        self._progress.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self._end_task()
        self._progress.__exit__(kind, error, trace)

"""Print measured figures, one line each, and remember which of them miss their target."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Figures:
    """The figures of one run."""

    short: list[str] = field(default_factory=list)

    def add(
        self,
        name: str,
        value: float,
        unit: str = "",
        *,
        at_least: float | None = None,
        at_most: float | None = None,
    ) -> None:
        """Print a figure with its target and `ok` or `SHORT`; without a target it says `info`."""
        missed = (at_least is not None and value < at_least) or (at_most is not None and value > at_most)
        targets = [f"at least {at_least:g}"] if at_least is not None else []
        targets += [f"at most {at_most:g}"] if at_most is not None else []
        verdict = "info" if not targets else "SHORT" if missed else "ok"
        line = f"{name}: {value:.4g}{f' {unit}' if unit else ''}"
        line += f" ({', '.join(targets)})" if targets else ""
        print(f"{line} {verdict}", flush=True)
        if missed:
            self.short.append(line)

    def summarise(self) -> None:
        """Print what fell short, or that nothing did."""
        if not self.short:
            print("Nothing is SHORT of its target.")
            return
        print(f"SHORT of their target ({len(self.short)}):")
        for line in self.short:
            print(f"  {line}")


figures = Figures()
figure = figures.add

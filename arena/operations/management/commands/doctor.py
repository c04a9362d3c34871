"""`manage.py doctor [--json] [--only CHECK ...]`: exits with 1 if something is wrong."""

import json
from argparse import ArgumentParser
from collections import Counter
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from arena.operations.diagnosis import Diagnosis, DoctorVerdict
from arena.operations.doctor import EXAMINATIONS, examine


class Command(BaseCommand):
    help = "Try every part of this deployment, and say what is wrong with what to do."
    requires_system_checks = []  # they are one of the examinations

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print a JSON list instead of lines")
        parser.add_argument(
            "--only", nargs="+", choices=EXAMINATIONS, default=list(EXAMINATIONS), metavar="CHECK",
            help=f"only these: {', '.join(EXAMINATIONS)}",
        )  # fmt: skip

    def handle(self, *args: Any, **options: Any) -> None:
        found = []
        for name, finding in examine(options["only"]):
            found.append((name, finding))
            if not options["json"]:
                self.show(name, finding)
        counts = Counter(finding.verdict for _, finding in found)
        if options["json"]:
            listed = [{"check": name, **asdict(finding)} for name, finding in found]
            self.stdout.write(json.dumps(listed, indent=1))
        else:
            good, odd, bad = (counts[verdict] for verdict in DoctorVerdict)
            self.stdout.write(f"{good} ok, {odd} warnings, {bad} wrong")
        if counts[DoctorVerdict.WRONG]:
            raise SystemExit(1)

    def show(self, name: str, finding: Diagnosis) -> None:
        styles = {
            DoctorVerdict.OK: self.style.SUCCESS,
            DoctorVerdict.WARNING: self.style.WARNING,
            DoctorVerdict.WRONG: self.style.ERROR,
        }
        verdict = styles[finding.verdict](f"{finding.verdict:8}")
        self.stdout.write(f"{verdict} {name}: {finding.sentence}")
        if finding.to_do:
            self.stdout.write(f"{'':8} → {finding.to_do}")

"""`aztlan runtime`: what bots get in the arena, and which of it this machine has."""

import argparse
import json
from typing import Any

from aztlan.remote import plain
from aztlan.remote_account import known_arena
from workers.runtimes.contract import as_data
from workers.runtimes.inventory import versions_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--arena", action="store_true", help="ask the arena which versions its hosts have")
    parser.add_argument("--json", action="store_true", help="print it as JSON")


def run(options: argparse.Namespace) -> int:
    """Print the contract of this package, or the arena's own with the versions of its hosts."""
    data: dict[str, Any] = known_arena().get("runtime") if options.arena else with_versions_here()
    if options.json:
        print(json.dumps(data))
        return 0
    where = "on the arena's hosts" if options.arena else "on this machine"
    print(f"The runtime {plain(data['name'])}: what bots are promised, and what is {where}.")
    for row in data["languages"]:
        print(f"\n{plain(row['language'])}")
        for one in row["components"]:
            here = plain(", ".join(one["here"]) or "missing")
            print(f"  {plain(one['name']):<20}  {plain(one['versions']):<26}  {here}")
    return 0


def with_versions_here() -> dict[str, Any]:
    data = as_data()
    for row in data["languages"]:
        versions = versions_of(row["language"])
        for component in row["components"]:
            component["here"] = [version] if (version := versions.get(component["name"])) else []
    return data

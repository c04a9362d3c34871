"""The runtime that bots are promised, with the versions that the match hosts of this arena have proved."""

from typing import Any

from arena.hosts.services import live, works
from workers.runtimes.contract import as_data


def runtime_here() -> dict[str, Any]:
    """Return the contract; by component, `here` has the versions on the hosts that beat and play its bots."""
    told = list(live().values_list("languages", flat=True))
    data = as_data()
    for row in data["languages"]:
        proofs = [
            languages[row["language"]]
            for languages in told
            if row["language"] in languages and works(languages, row["language"])
        ]
        row["hosts"] = len(proofs)
        for component in row["components"]:
            found = {proof.get("versions", {}).get(component["name"]) for proof in proofs}
            component["here"] = sorted(version for version in found if version)
    return data

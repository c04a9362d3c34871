"""Gauntlet: one entrant, the champion, meets all others once, in a single round."""

from contests.formats.entities import FormatError, Round, TournamentProgress, split_by_presence


def next_round(event: TournamentProgress) -> Round | None:
    """Return the only round; None after it."""
    options = event.options
    champion = event.by_seed()[0].id if options.champion is None else options.champion
    if champion not in event.by_id:
        raise FormatError("The champion of a gauntlet must be an entrant.")
    if event.played:
        return None
    others = [one.id for one in event.by_seed() if one.id != champion]
    beside = options.seats - 1
    tables = [[champion, *others[i : i + beside]] for i in range(0, len(others), beside)]
    return split_by_presence(event, 1, "Gauntlet", tables)

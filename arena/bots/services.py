"""What changes bots and their versions."""

from django.db import transaction

from arena.bots.models import Status, Version, VersionEvent

# What may follow what. A rejected version is checked again only where staff asks for it.
FOLLOWS: dict[str, frozenset[str]] = {
    Status.RECEIVED: frozenset({Status.CHECKED, Status.REJECTED}),
    Status.CHECKED: frozenset({Status.BUILT, Status.REJECTED}),
    Status.BUILT: frozenset({Status.VALIDATED, Status.REJECTED}),
    Status.VALIDATED: frozenset({Status.ACTIVE, Status.RETIRED}),
    Status.ACTIVE: frozenset({Status.VALIDATED, Status.RETIRED}),
    Status.REJECTED: frozenset({Status.CHECKED}),
    Status.RETIRED: frozenset(),
}


@transaction.atomic
def set_status(version_id: int, status: str, reason: str = "", log: str = "", code: str = "") -> bool:
    """Move a version to a status that may follow its present one; False where it may not (any more).

    Guarded by the row: of two that try the same change at once, one gets True.
    """
    before = [old for old, following in FOLLOWS.items() if status in following]
    changed = Version.objects.filter(pk=version_id, status__in=before).update(
        status=status, reason=reason, code=code
    )
    if not changed:
        return False
    VersionEvent.objects.create(version_id=version_id, status=status, reason=reason, log=log, code=code)
    return True

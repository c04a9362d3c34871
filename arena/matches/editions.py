"""The editions of the rules as people call them."""

from django.utils.translation import gettext as _

from engine.rulesets import EDITIONS


def edition_name(name: str) -> str:
    """Return what an edition is called on pages; a set of options of its own keeps its name."""
    names = {
        "english": _("English rules"),
        "german": _("German rules"),
        "german_quick": _("German rules, quick game"),
        "italian": _("Italian rules"),
        "french": _("French rules"),
    }
    return names.get(name) or _("Own rules: %(name)s") % {"name": name}


def edition_choices() -> list[tuple[str, str]]:
    """Return the editions for a form, in the language of whoever reads it."""
    return [(name, edition_name(name)) for name in EDITIONS]

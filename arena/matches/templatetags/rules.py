"""The name of an edition in a template: {{ match.ruleset.name|edition }}."""

from django import template

from arena.matches.editions import edition_name

register = template.Library()


@register.filter
def edition(name: str) -> str:
    return edition_name(str(name))

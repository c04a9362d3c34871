"""Stored sentences in pages: in the reader's language."""

from django import template

from arena import stored_sentences

register = template.Library()


@register.filter
def retold(sentence: str) -> str:
    return stored_sentences.retold(sentence)

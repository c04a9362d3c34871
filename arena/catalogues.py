"""Compiles the texts of the languages, arena/locale/*/LC_MESSAGES/django.po, into what gettext reads.

Run with `python -m arena.catalogues`; every installation does.
"""

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALE = Path(__file__).parent / "locale"


def compile_catalogues(folder: Path = LOCALE) -> None:
    for source in folder.glob("*/LC_MESSAGES/*.po"):
        with source.open("rb") as texts:
            catalogue = read_po(texts, locale=source.parts[-3], abort_invalid=True)
        with source.with_suffix(".mo").open("wb") as compiled:
            write_mo(compiled, catalogue)


if __name__ == "__main__":
    compile_catalogues()

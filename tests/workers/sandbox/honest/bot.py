"""Plays well, whatever the others do."""

import cast

cast.play(cast.Line())

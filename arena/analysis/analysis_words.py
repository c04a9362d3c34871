"""The texts of the analysis board's script, beside those of the viewer and of a table."""

from typing import Any

from django.utils.translation import gettext as _

from arena.play import table_words
from arena.replays import explanation_words


def phrases() -> dict[str, Any]:
    """Return all texts of the analysis board in the language of the request."""
    return {**table_words.phrases(), **explanation_words.phrases(), **_questions(), **_board()}


def _questions() -> dict[str, str]:
    """A table says “you”; here any seat decides."""
    return {
        "ask_power": _("Choose a power card."),
        "ask_place": _("First half of the turn: place a pawn. Choose a territory."),
        "ask_second": _("Second half of the turn: move one pawn, or end the turn."),
        "ask_second_eagle": _(
            "Second half of the turn: play Eagle and Jaguar Warriors, move, or end the turn."
        ),
        "ask_conflict": _("Choose a territory, then battle or coexistence."),
        "ask_tlatoani": _("Play Great Tlatoani in a territory, or pass."),
        "ask_games": _("Play Sacred Games in {territory}?"),
    }


def _board() -> dict[str, str]:
    return {
        "decides": _("{seat} decides"),
        "was_played": _("In the match: {action}"),
        "undo": _("Undo"),
        "restart": _("Back to the match's position"),
        "line": _("Your variation"),
        "line_empty": _("Nothing yet: choose an action on the board."),
        "branch_from": _("Go back to this action and branch from it"),
        "variation_name": _("Name of the variation"),
        "save": _("Save and share"),
        "saved": _("Saved. Its address:"),
        "others": _("Variations of this match"),
        "others_none": _("Nobody has saved one yet."),
        "continue": _("Continue with bots"),
        "continue_note": _(
            "Bots play the game on from here, many times, in worlds that the chosen seat cannot tell apart."
        ),
        "bot_of": _("Bot for {seat}"),
        "unknown_to": _("Worlds that this seat cannot tell apart"),
        "games": _("Games"),
        "seed": _("Seed (empty: a new one)"),
        "play_on": _("Play on"),
        "playing_on": _("The bots are playing. This takes up to a minute."),
        "bot_quick": _("quick (all seats)"),
        "bot_random": _("random"),
        "bot_warlord": _("warlord"),
        "bot_learned": _("learned"),
        "bot_other": _("a bot by its address"),
        "address": _("address, or address and version"),
        "address_of": _("Address of the bot for {seat}"),
        "hosts_note": _(
            "Bots of an address play on match hosts, in sandboxes: any public bot, in any public version, or "
            "your own. Give an address, such as house-searcher, or address and version, such as jaguar 3."
        ),
        "hosts_left": _("You can have {left} more games played today."),
        "hosts_sign_in": _("Sign in for this."),
        "playing_on_hosts": _("Match hosts are playing: {played} of {games} games are over."),
        "stop": _("Stop"),
        "ended_stopped": _("Stopped after {games} of {wanted} games."),
        "ended_failed": _("The match hosts failed after {games} of {wanted} games. Try again later."),
        "seat_replaced": _(
            "{seat}: {bot} could not go on in the middle of a match in {count} of {games} games. "
            "A house bot played there instead."
        ),
        "seat_failed": _("{seat}: {bot} failed in {count} of {games} games and is placed last there."),
        "engine_load": _("Run the rules in this browser (6.5 MB)"),
        "engine_ready": _("The rules run in this browser: every try is answered at once."),
        "col_seat": _("Seat"),
        "col_bot": _("Bot"),
        "col_place": _("Mean place"),
        "col_wins": _("Wins"),
        "col_places": _("Places"),
        "col_score": _("Score"),
        "result_of": _("{games} games, seed {seed}"),
        "result_note": _(
            "Mean place ± and wins with 95 % intervals; scores from the 5th to the 95th percentile."
        ),
        "own_address": _("Address of this result"),
        "failed": _("The arena did not answer. Check your connection and try again."),
        "over_here": _("The game is over here."),
    }

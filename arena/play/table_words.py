"""The texts of a table's script, beside those of the viewer."""

from typing import Any

from django.utils.translation import gettext as _

from arena.replays import words
from arena.replays.explained import cards


def phrases() -> dict[str, Any]:
    """Return all texts of a table in the language of the request."""
    return {
        **words.phrases(),
        **_questions(),
        **_buttons(),
        **_table(),
        **_hints(),
        "card_texts": _card_texts(),
    }


def _card_texts() -> list[str]:
    return [card["text"] for card in cards()]


def _questions() -> dict[str, str]:
    return {
        "ask_power": _("Choose a power card. The others see it when all pawns are placed."),
        "ask_place": _("Your turn, first half: place a pawn. Choose a territory."),
        "ask_second": _(
            "Your turn, second half: move one pawn to a neighbouring territory, or end the turn."
        ),
        "ask_second_eagle": _(
            "Your turn, second half: play Eagle and Jaguar Warriors, move one pawn, or end the turn."
        ),
        "ask_to": _("Move from {territory} to which territory?"),
        "ask_eagle": _("Eagle and Jaguar Warriors: choose a territory for one more pawn."),
        "ask_conflict": _("You are the strongest here: choose a territory, then battle or coexistence."),
        "ask_tlatoani": _("You share the most power: play Great Tlatoani in a territory, or pass."),
        "ask_how": _("What happens in {territory}?"),
        "ask_games": _("You are about to lose your pawns in {territory}. Play Sacred Games to keep them?"),
        "ask_scoring": _("Scoring: play cards for more points, or score now."),
        "ask_type": _("Scoring: name a type of land for your wild card. This scores."),
        "ask_raft": _("Rafts and Canoes: choose two of your territories on one lake."),
        "ask_raft_to": _("Rafts and Canoes from {territory} to which territory?"),
        "ask_sure": _("{territory}: tap it again to confirm."),
        "wait_others": _("You have decided. Waiting for the others."),
        "wait_turn": _("Waiting for {seat}."),
        "wait_start": _("The table is being set up."),
        "wait_again": _("Your decision was sent, but the board has not changed yet. You can send it again."),
    }


def _buttons() -> dict[str, str]:
    return {
        "do_pass_turn": _("End the turn"),
        "do_pass": _("Pass"),
        "do_decline": _("Let them go"),
        "do_score": _("Score now"),
        "do_eagle": _("Play Eagle and Jaguar Warriors"),
        "do_move": _("Move a pawn"),
        "do_raft": _("Play Rafts and Canoes"),
        "do_raft_all": _("Play Rafts and Canoes on every lake"),
        "do_games": _("Play Sacred Games"),
        "do_blessing": _("Play {card}"),
        "do_type": _("Name {type}"),
        "do_battle": _("Battle in {territory}"),
        "do_coexist": _("Coexist in {territory}"),
        "do_tlatoani": _("Play Great Tlatoani in {territory}"),
        "do_place": _("Place a pawn in {territory}"),
        "do_eagle_at": _("Eagle pawn in {territory}"),
        "do_from": _("Move a pawn from {territory}"),
        "do_to": _("Move to {territory}"),
        "do_raft_at": _("Raft at {territory}"),
        "do_choose": _("Choose {territory}"),
        "do_back": _("Back"),
        "do_power": _("Power card {card}, {type}, worth {points} at the end if unused"),
        "worth": _("{points} unused"),
        "resign": _("Resign"),
        "resign_sure": _("Resign this match? You will be placed last."),
        "leave": _("Leave the table"),
        "leave_sure": _("Leave the table? A house bot plays your seat on."),
        "cancel": _("Cancel"),
    }


def _table() -> dict[str, str]:
    return {
        "targets": _("Territories to choose from"),
        "happened": _("What happened"),
        "your_hand": _("Your prosperity cards"),
        "hand_none": _("You have no prosperity cards. Coexistence in a conflict brings them."),
        "time_left": _("Time left"),
        "you": _("you"),
        "seat_bot": _("left: a house bot plays on"),
        "seat_resigned": _("resigned"),
        "seat_replaced": _("could not go on: a house bot plays on"),
        "bot_replaced": _(
            "{seat} could not go on after its match host stopped. A house bot has taken its place."
        ),
        "seat_free": _("free seat"),
        "lost_connection": _(
            "The connection is lost. Nothing is lost with it: the table waits, and this page reconnects."
        ),
        "refused": _("The arena did not accept that: {reason}"),
        "unreachable": _("The arena cannot be reached. Check your connection and try again."),
        "bot_plays": _("You have left the table; a house bot plays your seat."),
        "you_resigned": _("You have resigned. The others play on."),
        "over": _("The match is over."),
        "over_first": _("You win!"),
        "over_place": _("You are number {place} of {seats}."),
        "replay": _("Watch the replay"),
        "ask_champion": _("What would “champion” have done?"),
        "rematch": _("Play again"),
        "rematch_join": _("Join the rematch"),
        "share": _("Copy a link to the replay"),
        "link_copied": _("The link is copied."),
        "new_table": _("Open another table"),
        "late": _(
            "Your time ran out, so the arena decided for you. If that happens twice in a row, you have left."
        ),
    }


def _hints() -> dict[str, str]:
    return {
        "hint": _("Hint (H)"),
        "hint_thinks": _("A house bot thinks about it …"),
        "hint_best": _("Hint: {action}. It wins {chance} % of the games; an average choice, {before} %."),
        "hint_only": _("Hint: {action}. It is all that you can do; {chance} % of the games are won."),
        "hint_second": _("Second best: {action}, {chance} %."),
        "hint_card": _("play the power card {card}"),
        "hint_move": _("move a pawn from {from} to {to}"),
        "hint_raft": _("play Rafts and Canoes between {from} and {to}"),
    }

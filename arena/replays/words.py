"""The viewer's texts in the reader's language, sent with the page; the viewer fills in the names."""

from typing import Any

from django.utils.translation import gettext as _

from engine import cards


def phrases() -> dict[str, Any]:
    """Return all texts of the viewer in the language of the request."""
    return {**_names(), **_events(), **_labels(), **_keys()}


def card_names() -> list[str]:
    return [_(name) for name in cards.NAMES]


def type_names() -> dict[str, str]:
    return {
        "jungle": _("jungle"),
        "desert": _("desert"),
        "mountains": _("mountains"),
        "fields": _("terraced fields"),
        "city": _("city"),
    }


def tribe_names() -> list[str]:
    return [_("Coyote"), _("Quetzal"), _("Ocelot"), _("Serpent")]


def faction_names() -> list[str]:
    return [_("Coyote and Quetzal"), _("Ocelot and Serpent")]


def phase_names() -> list[str]:
    return [_("Choosing"), _("Development"), _("Conflict"), _("Scoring"), _("The end")]


def _names() -> dict[str, Any]:
    return {
        "cards": card_names(),
        "types": type_names(),
        "tribes": tribe_names(),
        "factions": faction_names(),
        "phases": phase_names(),
        "wild": _("any one type"),
    }


def _events() -> dict[str, str]:
    return {
        "age_began": _("Age {age} begins"),
        "phase_began": _("{phase} begins"),
        "power_chosen": _("{seat} plays a power card face down"),
        "power_chosen_known": _("{seat} chooses the power card {card}"),
        "pawns_taken": _("{seat} takes pawns: {count}"),
        "turn_order": _("Turn order: {seats}"),
        "pawn_placed": _("{seat} places a pawn in {territory}"),
        "eagle_placed": _("{seat} plays Eagle and Jaguar Warriors: one more pawn, in {territory}"),
        "pawn_moved": _("{seat} moves a pawn from {from} to {to}"),
        "power_revealed": _("{seat} reveals the {card}, {type}"),
        "battle_declared": _("{seat} declares battle in {territory}"),
        "battle_won": _("{seat} wins {territory}"),
        "coexistence": _("{seat} chooses coexistence in {territory}"),
        "tlatoani_played": _("{seat} breaks the tie in {territory} with Great Tlatoani"),
        "games_played": _("{seat} saves its pawns in {territory} with Sacred Games"),
        "pawns_removed": _("{side} loses {territory}, pawns removed: {count}"),
        "conflict_tied": _("A tie in {territory}: {seats} coexist"),
        "card_drawn": _("{seat} draws a prosperity card"),
        "card_drawn_known": _("{seat} draws {card}"),
        "no_card_left": _("No prosperity card is left for {seat}"),
        "deck_reshuffled": _("The discard becomes a new deck, cards: {cards}"),
        "blessing_played": _("{seat} plays {card}, points: {points}"),
        "raft_played": _("{seat} plays Rafts and Canoes between {from} and {to}"),
        "raft_played_everywhere": _("{seat} plays Rafts and Canoes on every lake"),
        "type_named": _("{seat} names {type} for the wild card"),
        "domain_scored": _("A domain of {size}, matching {matches}: {points}"),
        "age_scored": _("{seat} scores {points} and stands at {score}"),
        "end_scored": _(
            "{seat} ends with {score}: card {card_points}, hand {hand_points}, Offerings {offering_points}"
        ),
        "factions_swapped": _("The players swap their factions"),
        "game_over": _("{seat} wins the game"),
        "turn_ended": _("{seat} does not move a pawn"),
        "nothing": _("Nothing else happens"),
    }


def _labels() -> dict[str, str]:
    return {
        "blessings": _("Blessings {points}"),
        "when": _("Age {age} · {phase}"),
        "caption": _("Step {step} of {last} · {text}"),
        "step_text": _("Step {step} of {last}, {when}"),
        "deck": _("Deck {count} · Discard {discard}"),
        "seats": _("Seats"),
        "rank": _("Place in the turn order"),
        "points": _("Points"),
        "power_cards": _("Power cards"),
        "hand": _("Prosperity cards"),
        "hand_hidden": _("Prosperity cards in hand, face down: {count}"),
        "power_none": _("No power card chosen yet"),
        "power_hidden": _("A power card, face down"),
        "power_seen": _("Power card {card} ({type}), not yet shown to the others"),
        "power_open": _("Power card {card} ({type})"),
        "card_used": _("{card} ({type}), used"),
        "card_unused": _("{card} ({type}), not used; worth {points} at the end"),
        "pool": _("Pool"),
        "pool_long": _("Pawns to place in this age"),
        "reserve": _("Reserve"),
        "reserve_long": _("Pawns for later ages"),
        "removed": _("Lost"),
        "removed_long": _("Pawns removed from the board"),
        "clock": _("Clock"),
        "clock_long": _("Time used so far"),
        "timeline": _("Steps of the match"),
        "first": _("First step"),
        "back": _("Previous step"),
        "play": _("Play"),
        "pause": _("Pause"),
        "next": _("Next step"),
        "last": _("Last step"),
        "speed": _("Speed"),
        "view": _("View"),
        "view_public": _("Public view"),
        "view_open": _("All cards face up"),
        "view_seat": _("Through the eyes of {seat}"),
        "next_decision": _("Next decision"),
        "next_of": _("Next decision of {seat}"),
        "zoom": _("Larger board"),
        "link": _("Copy a link to this step"),
        "picture": _("Open a picture of this step"),
        "copied": _("The link to this step is copied."),
        "full": _("Full screen"),
        "help": _("Keys"),
        "close": _("Close"),
        "panels": _("More about the match"),
        "log": _("Log"),
        "places": _("Board"),
        "places_none": _("There are no pawns on the board."),
        "scores": _("Scores"),
        "chances": _("Chances"),
        "chances_wait": _("Win chances are being computed. This takes a moment."),
        "chances_note": _("Each seat's share of wins in {playouts} random games played on from each phase."),
        "author": _("Notes of {bot}"),
        "author_note": _("Only you, the author, can see this."),
        "staff_note": _("You see this as staff, and that is recorded. Otherwise only its author can see it."),
        "times": _("Time per decision, in milliseconds"),
        "notes": _("Notes"),
        "notes_none": _("No notes yet."),
        "output": _("Output"),
        "output_none": _("The bot wrote nothing."),
        "at_step": _("At step {step}:"),
        "live": _("Back to live"),
        "live_over": _("The match is over: all views are available now."),
        "live_over_public": _(
            "The match is over. The other views open when all matches with the same seed are over."
        ),
        "load_failed": _("The match could not be loaded. Check your connection and reload the page."),
    }


def _keys() -> dict[str, str]:
    return {
        "key_space": _("Space"),
        "does_space": _("play or pause"),
        "key_arrows": _("← →"),
        "does_arrows": _("previous or next step"),
        "key_pages": _("Page Up, Page Down"),
        "does_pages": _("previous or next phase"),
        "key_ends": _("Home, End"),
        "does_ends": _("first or last step"),
        "key_lines": _("↑ ↓"),
        "does_lines": _("move through the log"),
        "key_numbers": _("1 to 4"),
        "does_numbers": _("next decision of that seat"),
        "key_speed": _("+ and -"),
        "does_speed": _("faster, slower"),
        "key_view": _("V"),
        "does_view": _("switch the view"),
        "key_zoom": _("Z"),
        "does_zoom": _("larger board"),
        "key_copy": _("C"),
        "does_copy": _("copy a link to this step"),
        "key_picture": _("P"),
        "does_picture": _("open a picture of this step"),
        "key_full": _("F"),
        "does_full": _("full screen"),
    }

"""The viewer's texts in the reader's language, sent with the page; the viewer fills in the names."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from arena.replays import explanation_words


def phrases() -> dict[str, Any]:
    """Return all texts of the viewer in the language of the request.

    A text that counts something is a pair: its forms for one and for more.
    """
    one, more = _counted(1), _counted(2)
    counted = {key: [one[key], more[key]] for key in one}
    return {
        **_names(), **_events(), **counted, **_story(), **_labels(), **_keys(), **explanation_words.before()
    }  # fmt: skip


def card_names() -> list[str]:
    """Return the names of the prosperity cards, in the order of `engine.cards.NAMES`."""
    return [
        _("Blessing of Mixcoatl"),
        _("Blessing of Tepeyollotl"),
        _("Blessing of Xipe Totec"),
        _("Offering to the Gods"),
        _("Sacred Games"),
        _("Rafts and Canoes"),
        _("Great Tlatoani"),
        _("Eagle and Jaguar Warriors"),
    ]


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
        "turn_order": _("Turn order: {seats}"),
        "pawn_placed": _("{seat} places a pawn in {territory}"),
        "eagle_placed": _("{seat} plays Eagle and Jaguar Warriors: one more pawn, in {territory}"),
        "pawn_moved": _("{seat} moves a pawn from {from} to {to}"),
        "power_revealed": _("{seat} reveals the {card}, {type}"),
        "battle_declared": _("{seat} declares battle in {territory}"),
        "battle_declared_why": _("{seat} declares battle in {territory}: {mine} beats {others}"),
        "battle_declared_equal": _(
            "{seat} declares battle in {territory}: {equal}, and Great Tlatoani breaks the tie"
        ),
        "battle_won": _("{seat} wins {territory}"),
        "coexistence": _("{seat} chooses coexistence in {territory}"),
        "coexistence_why": _("{seat} chooses coexistence in {territory}: {mine} beats {others}"),
        "coexistence_equal": _(
            "{seat} chooses coexistence in {territory}: {equal}, and Great Tlatoani breaks the tie"
        ),
        "power_of": _("{card} × {pawns} ({seat})"),
        "tlatoani_played": _("{seat} breaks the tie in {territory} with Great Tlatoani"),
        "tlatoani_played_why": _("{seat} breaks the tie in {territory} with Great Tlatoani"),
        "tlatoani_played_equal": _("{seat} breaks the tie in {territory} ({equal}) with Great Tlatoani"),
        "games_played": _("{seat} saves its pawns in {territory} with Sacred Games"),
        "conflict_tied": _("A tie in {territory}: {seats} coexist"),
        "conflict_tied_why": _("A tie in {territory}: {seats} coexist"),
        "conflict_tied_equal": _("A tie in {territory}, {equal}: {seats} coexist"),
        "card_drawn": _("{seat} draws a prosperity card"),
        "card_drawn_known": _("{seat} draws {card}"),
        "no_card_left": _("No prosperity card is left for {seat}"),
        "raft_played": _("{seat} plays Rafts and Canoes between {from} and {to}"),
        "raft_played_everywhere": _("{seat} plays Rafts and Canoes on every lake"),
        "type_named": _("{seat} names {type} for the wild card"),
        "end_scored": _(
            "{seat} ends with {score}: card {card_points}, hand {hand_points}, Offerings {offering_points}"
        ),
        "factions_swapped": _("The players swap their factions"),
        "game_over": _("{seat} wins the game"),
        "turn_ended": _("{seat} does not move a pawn"),
        "nothing": _("Nothing else happens"),
    }


def _counted(count: int) -> dict[str, str]:
    """The texts that count something, in their form for this number."""
    return {
        "pawns_taken": ngettext("{seat} takes {count} pawn", "{seat} takes {count} pawns", count),
        "pawns_removed": ngettext(
            "{seat} loses {count} pawn in {territory}", "{seat} loses {count} pawns in {territory}", count
        ),
        "deck_reshuffled": ngettext(
            "The discard pile becomes a new deck of {count} card",
            "The discard pile becomes a new deck of {count} cards",
            count,
        ),
        "blessing_played": ngettext(
            "{seat} plays {card} for {count} point", "{seat} plays {card} for {count} points", count
        ),
        "domain_scored": ngettext(
            "A domain of size {size} with matches: {matches} scores {count} point",
            "A domain of size {size} with matches: {matches} scores {count} points",
            count,
        ),
        "age_scored": ngettext(
            "{seat} scores {count} point and now has {score}",
            "{seat} scores {count} points and now has {score}",
            count,
        ),
        "hand_hidden": ngettext(
            "{count} prosperity card in hand, face down",
            "{count} prosperity cards in hand, face down",
            count,
        ),
        "live_behind": ngettext(
            "Jump to now ({count} step behind)", "Jump to now ({count} steps behind)", count
        ),
        "moment_swing": ngettext(
            "Biggest swing: {seat} scores {count} point, {lead} more than anyone else",
            "Biggest swing: {seat} scores {count} points, {lead} more than anyone else",
            count,
        ),
        "moment_domain_lost": ngettext(
            "{seat} loses {territory}: of a domain of {size}, {count} territory stays together",
            "{seat} loses {territory}: of a domain of {size}, {count} territories stay together",
            count,
        ),
        "moment_card": ngettext(
            "Decisive card: without {card} and its {count} point, {seat} would not have won",
            "Decisive card: without {card} and its {count} points, {seat} would not have won",
            count,
        ),
        "moment_end": ngettext(
            "{seat} wins with {score}, {count} point ahead",
            "{seat} wins with {score}, {count} points ahead",
            count,
        ),
    }


def _story() -> dict[str, str]:
    return {
        "moment_lead": _("{seat} takes the lead for good, with {score}"),
        "moment_power": _("Decisive card: with the {card}, {seat} goes on to take the lead for good"),
        "story": _("Story"),
        "story_note": _("The key moments of this match. Each leads to its step."),
        "story_none": _("The key moments are shown once the match is over."),
        "highlights": _("Highlights"),
        "highlights_long": _("The match in about a minute"),
        "highlights_play": _("Play the highlights"),
        "age": _("Age {age}"),
        "round": _("Round {number}"),
        "jump": _("Jump to an age, round or conflict"),
        "chapter_back": _("Previous round or conflict"),
        "chapter_next": _("Next round or conflict"),
        "sound": _("Switch the sound off"),
        "silence": _("Switch the sound on"),
    }


def _labels() -> dict[str, str]:
    return {
        "blessings": _("Blessings {points}"),
        "when": _("Age {age} · {phase}"),
        "step_of": _("Step {step} of {last}"),
        "step_text": _("Step {step} of {last}, {when}"),
        "deck": _("Deck {count} · Discard {discard}"),
        "seats": _("Seats"),
        "rank": _("Place in the turn order"),
        "points": _("Points"),
        "power_cards": _("Power cards"),
        "hand": _("Prosperity cards"),
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
        "play": pgettext("button that starts the replay", "Play"),
        "pause": _("Pause"),
        "next": _("Next step"),
        "last": _("Last step"),
        "speed": _("Speed"),
        "view": pgettext("what is shown of the table", "View"),
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
        "chances_note": _(
            "How often each seat wins when {playouts} random games are played on from each phase."
        ),
        "author": _("Notes of {bot}"),
        "author_note": _("Only you, the author, can see this."),
        "staff_note": _("You see this as staff, and that is recorded. Otherwise only its author can see it."),
        "times": _("Time per decision, in milliseconds"),
        "notes": _("Notes"),
        "notes_none": _("No notes yet."),
        "output": _("Output"),
        "output_none": _("The bot wrote nothing."),
        "at_step": _("At step {step}:"),
        "live": _("Jump to now"),
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
        "key_chapters": _("[ ]"),
        "does_chapters": _("previous or next round or conflict"),
        "key_highlights": _("H"),
        "does_highlights": _("play the highlights"),
        "key_sound": _("M"),
        "does_sound": _("sound on or off"),
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

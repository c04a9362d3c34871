"""What the coach of a first game says, each the first time it matters. `static/play/coach.js` knows when."""

from typing import Any

from django.utils.translation import gettext as _


def lessons() -> dict[str, Any]:
    """Return the lessons by name, each a title and a text, and the words of the panel and the "
    "summary."""
    return {"lessons": {**_development(), **_conflict(), **_scoring()}, **_panel(), **_summary()}


def _development() -> dict[str, tuple[str, str]]:
    return {
        "welcome": (
            _("Welcome to the valley"),
            _(
                "You and a house bot settle thirty territories in five ages. In each age you place pawns, "
                "meet in conflicts, and score connected land. Whoever has the most points after the fifth "
                "age wins."
            ),
        ),
        "power": (
            _("Choose a power card"),
            _(
                "The number is how strong each of your pawns is in this age. The picture is the kind of "
                "land that scores for you. Each card can be used once, and the one you never use brings "
                "points at the end. Your opponent chooses in secret, too."
            ),
        ),
        "place": (
            _("Place a pawn"),
            _(
                "Choose any territory with a bright outline. Pawns in territories that touch each other "
                "belong together, so build on what you have, on land of your card's kind."
            ),
        ),
        "move": (
            _("Move one pawn, or end the turn"),
            _(
                "After placing you may move one of your pawns to a neighbouring territory: choose the pawn, "
                "then where it goes. You need not: the button ends your turn."
            ),
        ),
        "eagle": (
            _("Eagle and Jaguar Warriors"),
            _(
                "You hold this card: it brings one more pawn to the board at once. It is good for a "
                "surprise just before the power cards are revealed."
            ),
        ),
    }


def _conflict() -> dict[str, tuple[str, str]]:
    return {
        "reveal": (
            _("The power cards are revealed"),
            _(
                "Where both of you have pawns there is a conflict. Multiply the number of your card by your "
                "pawns there: whoever has more decides what happens."
            ),
        ),
        "conflict": (
            _("Battle or coexistence"),
            _(
                "You are stronger here. Battle: the other pawns leave the board and the land is yours "
                "alone. Coexistence: everybody stays, and you draw a prosperity card."
            ),
        ),
        "battle": (
            _("A battle"),
            _("The stronger side chose to fight: the weaker pawns in this territory leave the board."),
        ),
        "coexistence": (
            _("Coexistence"),
            _(
                "Both sides stay in the territory, and both count it as theirs. The stronger one draws a "
                "prosperity card for keeping the peace."
            ),
        ),
        "tie": (
            _("A tie"),
            _("Equal strength: both stay where they are, and nobody draws a card."),
        ),
        "hand": (
            _("Your first prosperity card"),
            _(
                "It is in your hand, below the board, with what it does; the arena asks you when it can be "
                "played. Each card that you still hold at the end is worth a point."
            ),
        ),
        "games": (
            _("Sacred Games"),
            _("You are about to lose pawns, and you hold the card that saves them. Play it, or let them go."),
        ),
        "tlatoani": (
            _("Great Tlatoani"),
            _("You are tied for the most power here. This card breaks the tie: then you decide."),
        ),
    }


def _scoring() -> dict[str, tuple[str, str]]:
    return {
        "domains": (
            _("Scoring: domains"),
            _(
                "Your connected territories are a domain. It scores if at least one of them is of your "
                "card's kind: a point for each territory, plus the number of matching ones multiplied by "
                "itself. Three matches bring nine points, four bring sixteen."
            ),
        ),
        "type": (
            _("Name a kind of land"),
            _("The 4 is weak, but now you say what it counts. Take the kind that brings you the most."),
        ),
        "cards": (
            _("Cards that score"),
            _(
                "You hold cards that count now: a Blessing brings points for each of your territories of "
                "its kind, Rafts and Canoes join two territories on one lake. Play them, or keep them and "
                "score."
            ),
        ),
        "swap": (
            _("You swap sides"),
            _(
                "In a game of two you change factions after each age: what you built now belongs to your "
                "opponent, and theirs to you. Points stay with you. So what is left on the board matters."
            ),
        ),
        "last": (
            _("The last age"),
            _(
                "Only this scoring is left. Two power cards are in your hand: one is played now, the other "
                "brings its points at the end, and so does every prosperity card that you keep."
            ),
        ),
    }


def _panel() -> dict[str, str]:
    return {
        "coach": _("Coach"),
        "got_it": _("Got it"),
        "never_again": _("Do not show again"),
        "coach_end": _("End the explanations"),
        "coach_again": _("Show the explanations"),
        "play_on": _("Play on for me"),
        "play_on_stop": _("Stop, I go on myself"),
        "play_on_why": _("A house bot decides for you until something new comes, or the age ends."),
    }


def _summary() -> dict[str, str]:
    return {
        "why_title": _("Why it ended so"),
        "why_won": _("{seat} won by {lead} points: {points} to {others}."),
        "why_tie": _("{points} points each: {seat} won the tie."),
        "why_domains": _(
            "Most of the difference was land: {seat} scored {mine} points with domains, {other} {theirs}."
        ),
        "why_cards": _(
            "Most of the difference was cards: {seat} had {mine} points from prosperity cards, {other} "
            "{theirs}."
        ),
        "why_unused": _(
            "Most of the difference was the unused power card: {mine} points for {seat}, {theirs} for "
            "{other}."
        ),
        "why_largest": _(
            "The best domain of the game: {seat}, age {age}, {size} territories, {matches} of the right "
            "kind, {points} points."
        ),
        "why_fights": _("Battles won: {mine} by {seat}, {theirs} by {other}."),
        "next_title": _("And now?"),
        "next_stronger": _("Play a stronger bot"),
        "next_rules": _("Read the rules"),
        "next_write": _("Write a bot of your own"),
    }

"""Tells events in words, one line each."""

from typing import Final

from engine import cards
from engine.ascii import SIDES
from engine.board import Board
from engine.events import HIDDEN, Event

_WORDS: Final = {
    "age_began": "Age {age} begins",
    "turn_order": "turn order: seats {seats}",
    "power_chosen": "{seat} lays down its {card}",
    "pawns_taken": "{seat} takes pawns of {side}: {from_reserve} of the reserve, {from_removed} removed ones",
    "pawn_placed": "{seat} places a pawn in {territory}",
    "eagle_placed": "{seat} plays Eagle and Jaguar Warriors, one more pawn in {territory}",
    "pawn_moved": "{seat} moves a pawn from {from} to {to}",
    "power_revealed": "{seat} reveals its {card}",
    "battle_declared": "{seat} declares battle in {territory}",
    "battle_won": "{seat} wins the battle in {territory}",
    "coexistence": "{seat} coexists in {territory}",
    "tlatoani_played": "{seat} plays Great Tlatoani in {territory}",
    "games_played": "{seat} plays Sacred Games in {territory}",
    "pawns_removed": "{count} of {side} removed from {territory}",
    "conflict_tied": "tie in {territory} between seats {seats}",
    "card_drawn": "{seat} draws {card}",
    "no_card_left": "{seat} finds no card to draw",
    "deck_reshuffled": "the {cards} cards of the discard become the deck",
    "blessing_played": "{seat} plays {card}: {territories} territories, {points} points",
    "raft_played": "{seat} plays Rafts and Canoes between {from} and {to}",
    "raft_played_everywhere": "{seat} plays Rafts and Canoes on all lakes",
    "type_named": "{seat} names {type}",
    "domain_scored": "{seat} scores {points} for {size} territories, {matches} matching: {territories}",
    "age_scored": "{seat} scores {points} in all and stands at {score}",
    "end_scored": "{seat} adds {card_points} for its unused {unused_card}, {hand_points} for its hand, "
    "{offering_points} for Offerings, and ends with {score}",
    "factions_swapped": "the factions are swapped: seats 0 and 1 lead {side_of}",
    "game_over": "places by seat: {placements}",
    "phase_began": "",
}


def tell(event: Event, board: Board) -> str:
    """The event as a line of text; empty for what readers can see anyway."""
    return _WORDS[event.kind].format_map({name: _said(event, name, board) for name in event.data})


def _said(event: Event, name: str, board: Board) -> str:
    value = event.data[name]
    if isinstance(value, list):
        return " ".join(board.ids[t] if name == "territories" else _one(name, t, board) for t in value)
    if name == "card" and event.kind in ("card_drawn", "blessing_played"):
        return cards.NAMES[value] if value != HIDDEN else "a card"
    return _one(name, value, board)


def _one(name: str, value: int, board: Board) -> str:
    if name in ("territory", "from", "to"):
        return board.ids[value]
    if name in ("side", "side_of"):
        return SIDES[value]
    if name == "seat":
        return f"seat {value}"
    return board.types[value] if name == "type" else str(value)

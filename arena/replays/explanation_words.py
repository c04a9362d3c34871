"""The texts of the viewer's tab that explains decisions.

Most come with the explanation, as few readers open the tab.
"""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext


def before() -> dict[str, str]:
    """Return what the tab says until it has an explanation; it is sent with every viewer."""
    return {
        "explained": _("Explained"),
        "explained_wait": _("Every decision is being judged. This takes a moment."),
        "explained_none": _("This match could not be explained. Try again later."),
    }


def phrases() -> dict[str, str]:
    return {
        "explained_note": _(
            "Each decision is judged over what its seat knew, in {worlds} worlds that it could not tell "
            "apart, and not over the open cards. Seed: {seed}."
        ),
        "explained_better": _("A more thorough look is being computed: open the match again later."),
        "show_marks": _("Show marks on the timeline"),
        "mark_blunder": _("Blunder"),
        "mark_brilliant": _("Brilliant"),
        "mark_line": _("{mark}: {seat}, {points} points"),
        "decision_none": _("No decision was made at this step. The marked ones are listed below."),
        "decision_of": _("Decision of {seat}"),
        "cost": _("It gave away {points} points of lead. Better: {action}."),
        "cost_none": _("No better action was found."),
        "col_action": _("Action"),
        "col_points": _("Points ahead"),
        "col_share": _("Share of a win"),
        "chosen": _("chosen"),
        "ask_champion": _("What would “champion” have done?"),
        "champion_says": _("“champion” would have played: {action}."),
        "analyse": _("Try something else from here"),
        "marked": _("Marked decisions"),
        "marked_none": _("No decision stands out."),
        "expectations": _("What a seat could expect, in percent of a win"),
        "expectations_of": _("Seat"),
        "own_view": _("by what it knew"),
        "open_view": _("by all cards"),
        "luck_and_play": _("Luck and play"),
        "split_note": _(
            "An even share, luck and play add up to the result, in percent of a win. Luck is the first turn "
            "order and the drawn cards; play is everything else, the others' too."
        ),
        "col_even": _("Even share"),
        "col_luck": _("Luck"),
        "col_play": pgettext("the part of a result that is not luck", "Play"),
        "col_result": _("Result"),
        "do_text_pass": _("pass"),
        "do_text_power": _("power card {card}"),
        "do_text_type": _("name {type}"),
        "do_text_games": _("play Sacred Games"),
        "do_text_blessing": _("play {card}"),
        "do_text_raft_all": _("rafts on every lake"),
        "do_text_place": _("a pawn in {territory}"),
        "do_text_eagle": _("an Eagle pawn in {territory}"),
        "do_text_battle": _("battle in {territory}"),
        "do_text_coexist": _("coexist in {territory}"),
        "do_text_tlatoani": _("Great Tlatoani in {territory}"),
        "do_text_move": _("move from {territory} to {to}"),
        "do_text_raft": _("raft from {territory} to {to}"),
    }

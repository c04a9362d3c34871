"""The texts of the scripts that use the engine in the browser."""

from django.utils.translation import gettext as _


def engine_words() -> dict[str, str]:
    """What can go wrong before the engine answers."""
    return {
        "unable": _(
            "This browser cannot run the engine: it has no WebAssembly, or it is switched off. "
            "Try another browser, or use the command “aztlan verify”."
        ),
        "fetch": _("The engine could not be downloaded. Check your connection, then try again."),
        "hash": _(
            "A file of the engine is not what this page asked for, so it was not used. Reload the page and "
            "try again; if it happens again, tell the operator of this arena."
        ),
        "start": _("The engine could not be started: {detail}"),
        "loading": _("Downloading the engine: {percent} % of {size} MB"),
        "starting": _("Starting the engine ..."),
    }


def verify_words() -> dict[str, str]:
    """What the checks of a record found; a check that fails says what differs."""
    return {
        **engine_words(),
        "record": _("Downloading the record ..."),
        "no_record": _("The record could not be downloaded. Check your connection, then try again."),
        "checking": _("Replaying: {done} of {all} actions"),
        "all_ok": _("Verified on your own machine: everything fits."),
        "some_bad": _("Not verified: something does not fit. See below."),
        "is_ok": _("Passed"),
        "is_bad": _("Failed"),
        "is_skipped": _("Not checked"),
        "record_ok": _("The record can be read: {seats} seats, {actions} actions."),
        "record_bad": _("The record cannot be replayed: {why}"),
        "seed_ok": _("The seed has the SHA-256 that was published before the match."),
        "seed_bad": _("The seed has the SHA-256 {found}, but {promised} was published before the match."),
        "start_ok": _(
            "The first turn order and the {cards} cards drawn from the first deck follow from the seed."
        ),
        "start_bad": _("The turn order or the cards that the replay shows do not follow from the seed."),
        "actions_ok": _("All {count} actions are legal, and the game is played to its end."),
        "actions_bad": _("Action {step} cannot have been played: {why}"),
        "fingerprints_ok": _(
            "The position after every action has the fingerprint of the record (the last: {last})."
        ),
        "fingerprints_bad": _("After action {step} the position is not the recorded one."),
        "result_ok": _("The points ({scores}) and the places are those of this page."),
        "result_bad": _("The rules give the points {scores}; this page says {told}, or other places."),
        "replay_ok": _(
            "Each of the {frames} steps that the replay shows is what the rules make of the actions."
        ),
        "replay_bad": _("At step {step} the replay shows something else than the rules make of the actions."),
        "seed_skipped": _("The seed and its commitment"),
        "start_skipped": _("Turn order and deck"),
        "actions_skipped": _("The actions"),
        "fingerprints_skipped": _("The fingerprints"),
        "result_skipped": _("The result"),
        "replay_skipped": _("The replay"),
    }

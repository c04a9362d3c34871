"""Cards and feeds: what other sites are shown of the arena, and never more than everybody may see."""

from io import BytesIO
from xml.etree import ElementTree

import pytest
from django.test import Client
from PIL import Image

from arena.accounts.models import User
from arena.bots.models import Bot
from arena.discovery import link_cards
from arena.discovery.card_drawing import HEIGHT, WIDTH, CardContent, CardRow, draw_card, font, shortened
from arena.matches.models import Match
from tests.arena import events
from tests.arena.cast import ask_for, claim, finish, make_bot, make_season

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def over() -> Match:
    match = ask_for([make_bot(name) for name in ("jade", "copal", "maize")])
    finish(match)
    match.refresh_from_db()
    return match


def size_of(answer_content: bytes) -> tuple[int, int]:
    with Image.open(BytesIO(answer_content)) as image:
        assert image.format == "PNG"
        return image.size


def test_matches_bots_events_and_ladders_have_cards(client: Client, over: Match, olin: User) -> None:
    season = make_season(2)
    event = events.new_event(olin, 2)
    for page in (
        over.get_absolute_url(),
        "/bots/jade/",
        season.ladder.get_absolute_url(),
        event.get_absolute_url(),
    ):
        html = client.get(page).content.decode()
        assert f'<meta property="og:image" content="http://testserver{page}card.png">' in html
        card = client.get(f"{page}card.png")
        assert card["Content-Type"] == "image/png"
        assert size_of(card.content) == (WIDTH, HEIGHT)
        assert client.get(f"{page}card.png", headers={"if-none-match": card["ETag"]}).status_code == 304


def test_the_card_of_a_match_has_its_names_and_scores(over: Match) -> None:
    content = link_cards.about_match(over)
    assert {row.text for row in content.rows} == {"Jade", "Copal", "Maize"}
    assert content.rows[0].is_first
    assert int(content.rows[0].value) >= int(content.rows[1].value)
    assert content.pawns


def test_the_card_of_a_running_match_tells_no_score(client: Client) -> None:
    match = ask_for([make_bot("jade"), make_bot("copal")])
    claim(match)
    content = link_cards.about_match(match)
    assert [row.value for row in content.rows] == ["", ""]
    assert client.get(f"/matches/{match.public_id}/card.png").status_code == 200


def test_what_an_organiser_holds_back_is_on_no_card_and_in_no_feed(client: Client, olin: User) -> None:
    event = events.new_event(olin, 2, release="hidden")
    events.play_out(event)
    match = Match.objects.filter(purpose="tournament").first()
    assert match
    assert client.get(f"/matches/{match.public_id}/card.png").status_code == 404
    assert link_cards.about_event(event.slug).rows == ()
    for feed in ("/matches/feed.atom", f"/tournaments/{event.slug}/feed.atom", "/bots/bot-0/feed.atom"):
        answer = client.get(feed)
        if answer.status_code == 200:
            assert match.public_id not in answer.content.decode()


def test_a_podium_is_on_the_card_once_everybody_may_see_it(olin: User) -> None:
    event = events.new_event(olin, 2, release="public")
    events.play_out(event)
    assert [row.text[:2] for row in link_cards.about_event(event.slug).rows] == ["1.", "2."]


@pytest.mark.parametrize("name", ["x" * 500, "", "\n\n", "مرحبا 你好 🦅", "\ud7ff", "<b>&"])
def test_any_name_can_be_drawn_and_stays_in_its_place(name: str) -> None:
    rows = tuple(CardRow(name, "9" * 30, seat, seat == 0) for seat in range(4))
    assert size_of(draw_card(CardContent(name, name, name, rows, "aztlan", ((0, 1), (3, 29))))) == (
        WIDTH,
        HEIGHT,
    )
    assert font(32).getlength(shortened(name, 32, 300)) <= 2 * 300


def test_feeds_are_atom_with_links_that_lead_to_matches(client: Client, over: Match) -> None:
    for path in ("/matches/feed.atom", "/bots/jade/feed.atom"):
        answer = client.get(path)
        assert answer["Content-Type"].startswith("application/atom+xml")
        [entry] = ElementTree.fromstring(answer.content).findall(f"{ATOM}entry")
        link = entry.find(f"{ATOM}link")
        assert link is not None
        assert link.attrib["href"] == f"http://testserver/matches/{over.public_id}/"
        title = entry.findtext(f"{ATOM}title")
        assert title
        assert title.startswith("1. ")


def test_a_feed_with_nothing_in_it_does_not_change_by_itself(client: Client) -> None:
    make_bot("jade")
    assert client.get("/bots/jade/feed.atom").content == client.get("/bots/jade/feed.atom").content


def test_feeds_of_a_ladder_and_of_tournaments(client: Client, olin: User) -> None:
    season = make_season(2)
    match = ask_for([make_bot("jade"), make_bot("copal")], season)
    finish(match)
    event = events.new_event(olin, 2)
    assert match.public_id in client.get(f"{season.ladder.get_absolute_url()}feed.atom").content.decode()
    assert event.name in client.get("/tournaments/feed.atom").content.decode()


def test_a_hostile_name_stays_a_name_in_a_feed(client: Client, over: Match) -> None:
    Bot.objects.filter(slug="jade").update(name="</title><script>x</script>")
    text = client.get("/matches/feed.atom").content.decode()
    assert "<script>" not in text
    assert ElementTree.fromstring(text) is not None

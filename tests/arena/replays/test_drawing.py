"""Pictures of the board: whole, alike for every reader, and true to the engine's board."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from django.test import Client

from arena.replays import explained, pictures
from arena.replays.drawing import track
from arena.replays.drawing.empty_board import VIEW_BOX, board_svg, shapes
from arena.replays.drawing.geometry import inside, path
from arena.replays.drawing.motifs import _spots
from arena.replays.drawing.scene import Scene, draw
from arena.replays.drawing.symbols import definitions
from engine import load_board

BOARD = load_board()


def test_the_board_is_a_picture_with_every_name_on_it() -> None:
    text = "".join(ElementTree.fromstring(board_svg()).itertext())
    for one in [*BOARD.raw["territories"], *BOARD.raw["lakes"]]:
        assert one["name"] in text


def test_each_type_has_a_colour_and_a_pattern_of_its_own() -> None:
    paint = definitions("paint.svg")
    colours = {re.search(rf'id="g-{kind}".*?stop-color="(#\w+)"', paint).group(1) for kind in BOARD.types}  # type: ignore[union-attr]  # it is there
    patterns = {re.search(rf'id="p-{kind}".*?d="([^"]+)"', paint).group(1) for kind in BOARD.types}  # type: ignore[union-attr]  # it is there
    assert len(colours) == len(patterns) == 5


def test_a_path_in_relative_steps_ends_where_its_polygon_does() -> None:
    for one, shape in zip(BOARD.raw["territories"], shapes(BOARD.raw), strict=True):
        numbers = [float(part) for part in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", shape)]
        x = sum(numbers[0::2])
        y = sum(numbers[1::2])
        assert (x, y) == pytest.approx(tuple(one["polygon"][-1]), abs=0.01)


def test_motifs_stand_inside_their_territory_and_off_its_pawns() -> None:
    import random

    for one in BOARD.raw["territories"]:
        for spot in _spots(one, random.Random(1)):
            assert inside(spot, one["polygon"])
            assert all((spot[0] - x) ** 2 + (spot[1] - y) ** 2 > 15**2 for x, y in one["pawns"])


def test_the_track_has_a_place_for_each_score_and_goes_round() -> None:
    places = {track.place(score) for score in range(100)}
    assert len(places) == 100
    assert track.place(117) == track.place(17)
    steps = [track.place(score) for score in range(101)]
    apart = [abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in pairwise(steps)]
    assert all(35 < step < 38 for step in apart)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_scene_shows_every_pawn_with_its_count(seats: int) -> None:
    pawns = {(side, t): 1 + t % 3 for side in range(seats) for t in range(side, 30, 7)}
    scene = Scene(
        BOARD, seats, pawns, [120, *[3] * (seats - 1)], range(seats), range(seats), domains=[(0, [8, 9])]
    )
    root = ElementTree.fromstring(draw(scene))
    assert sum(text in "23" for text in root.itertext()) >= sum(count > 1 for count in pawns.values())


def test_each_picture_that_explains_the_game_is_whole(client: Client) -> None:
    page = client.get("/how-to-play/")
    assert page.status_code == 200
    for name, picture in explained.pictures().items():
        answer = client.get(picture.address)
        ElementTree.fromstring(answer.content.decode())
        assert picture.address in page.content.decode(), name
    assert client.get("/how-to-play/nothing.svg").status_code == 404


def test_pictures_that_do_not_exist_are_not_kept_in_mind(client: Client) -> None:
    for picture in explained.pictures().values():
        client.get(picture.address)
    kept = pictures._packed_explanation.cache_info().currsize
    for number in range(20):
        assert client.get(f"/how-to-play/nothing-{number}.svg").status_code == 404
        assert client.get(f"/boards/nothing-{number}.svg").status_code == 404
    assert pictures._packed_explanation.cache_info().currsize == kept


def test_the_sum_in_the_explanation_is_the_engines() -> None:
    size, matches, points = explained.domain_sum()
    assert points == size + matches**2
    assert matches >= 2


def test_boards_are_served_compressed_for_ever_and_only_those_there_are(client: Client) -> None:
    for address in ("/boards/aztlan.svg", "/boards/aztlan.json"):
        packed = client.get(address, headers={"accept-encoding": "gzip"})
        assert packed["Content-Encoding"] == "gzip"
        assert "immutable" in packed["Cache-Control"]
        assert len(packed.content) < 30_000
    assert client.get("/boards/atlantis.svg").status_code == 404


def test_a_polygon_is_written_short() -> None:
    assert path([[1.0, 2.5], [0.5, 2.5], [0.5, 3.0]]) == "M1 2.5l-.5 0 0 .5z"


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_counters_that_share_a_space_stay_on_the_board_and_apart(count: int) -> None:
    left, top, width, height = VIEW_BOX
    for score in range(track.SPACES):
        places = [track.stand(score, below, count) for below in range(count)]
        assert len({round(y, 1) for _, y in places}) == count
        for x, y in places:
            assert left <= x - 12.5 <= x + 12.5 <= left + width
            assert top <= y - 12.5 <= y + 12.5 <= top + height


def test_a_counter_that_went_round_shares_its_space_with_one_that_did_not() -> None:
    drawn = draw(Scene(BOARD, 4, scores=[3, 103, 203, 3], arrivals=[0, 1, 2, 3], sides=[0, 1, 2, 3]))
    places = re.findall(r'<g transform="translate\(([-\d. ]+)\)scale', drawn.rpartition("</defs>")[2])[-4:]
    assert len(set(places)) == 4

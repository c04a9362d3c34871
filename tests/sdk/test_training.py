"""The training example: it repeats itself, survives being stopped, and what it exports plays."""

import signal
import subprocess
import sys

import numpy as np
import pytest

from aztlan.examples import train_value
from aztlan.house import network
from aztlan.house.champion import Champion
from aztlan.house.learned import Learned
from aztlan.local.table import play_game
from engine.kernel import Batch, native_form
from engine.kernel.foretell import inputs
from engine.kernel.judge import judge

pytestmark = pytest.mark.skipif(not native_form(), reason="the native kernel is not built here")


def run(path, rounds, seats=3):
    training = train_value.load(path, seats, 1)
    train_value.train(training, rounds, 6, path, 2, seats)
    return dict(np.load(path))


def test_stopping_and_going_on_gives_the_same_weights_as_one_run(tmp_path):
    whole = run(tmp_path / "whole.npz", 3)
    for rounds in (1, 2, 3):
        parts = run(tmp_path / "parts.npz", rounds)
    assert all(np.array_equal(whole[name], parts[name]) for name in ("w1", "b1", "w2", "b2", "steps"))
    assert not np.array_equal(whole["w1"], train_value.Training(3, 1).weights["w1"])


def test_it_learns_to_foretell_what_it_has_seen(tmp_path):
    training = train_value.Training(2, 1)
    rng = np.random.default_rng(1)
    seen = rng.normal(0, 0.5, (2000, network.INPUTS)).astype(np.float16)
    wanted = np.tanh(seen[:, 3] - seen[:, 7]).astype(np.float16)
    errors = [train_value.learn(training, seen, wanted, rng) for _ in range(60)]
    assert errors[-1] < errors[0] / 4


def test_a_checkpoint_of_another_training_is_refused(tmp_path):
    run(tmp_path / "v.npz", 1)
    with pytest.raises(SystemExit, match="another training"):
        train_value.load(tmp_path / "v.npz", 4, 1)


def test_the_command_trains_and_draws_its_curve(tmp_path):
    out = tmp_path / "value-2.npz"
    options = [
        "--seats",
        "2",
        "--rounds",
        "1",
        "--games",
        "4",
        "--every",
        "1",
        "--measured",
        "2",
        "--out",
        str(out),
    ]
    done = subprocess.run(
        [sys.executable, "-m", "aztlan.examples.train_value", *options],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "round 1/1" in done.stdout
    assert out.stat().st_size < 1_000_000
    assert out.with_suffix(".svg").read_text().startswith("<svg")


def test_ctrl_c_keeps_every_finished_round_and_the_same_command_goes_on(tmp_path):
    out = tmp_path / "value.npz"
    command = [sys.executable, "-u", "-m", "aztlan.examples.train_value", "--seats", "3", "--games", "6"]
    command += ["--every", "2", "--measured", "3", "--out", str(out)]
    with subprocess.Popen(
        [*command, "--rounds", "10000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as stopped:
        assert stopped.stdout is not None
        assert stopped.stderr is not None
        assert stopped.stdout.readline().startswith("round 1/")
        stopped.send_signal(signal.SIGINT)
        said = stopped.stderr.read()
    done = int(np.load(out)["done"])
    assert stopped.returncode == 1
    assert f"{out} has the first {done} rounds; the same command goes on" in said
    subprocess.run([*command, "--rounds", str(done + 1)], check=True, capture_output=True)
    whole, parts = run(tmp_path / "whole.npz", done + 1), dict(np.load(out))
    assert all(np.array_equal(whole[name], parts[name]) for name in ("w1", "b1", "w2", "b2", "steps"))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_shipped_weights_are_small_and_mostly_know_who_has_won(seats):
    weights = network.load(seats)
    assert len(weights) < 1_000_000
    batch = Batch(seats, [bytes([i]) * 32 for i in range(40)])
    rng = np.random.default_rng(1)
    while max(batch.to_act()) >= 0:
        legal = [batch.legal_actions(i) for i in range(40)]
        batch.step([one[rng.integers(len(one))] if one else -1 for one in legal])
    values = np.zeros((40, seats), np.float32)
    batch.foretell_into(values, weights)
    first = [batch.placements(i).index(1) for i in range(40)]
    assert (values.argmax(axis=1) == first).mean() > 0.7


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_kernel_answers_as_the_training_computes(seats):
    training, rng = train_value.Training(seats, 1), np.random.default_rng(5)
    training.weights["w2"] = rng.normal(0, 0.3, (network.HIDDEN, 1)).astype(np.float32)
    packed = network.packed(training.weights)
    batch = Batch(seats, [bytes(32)])
    for number in range(80):
        batch.step(batch.think(packed, 1, number, 0.2))
    values = np.zeros((1, seats), np.float32)
    batch.foretell_into(values, packed)
    seen = np.array([inputs(judge(batch.state(0)), seat) for seat in range(seats)], np.float32)
    _, answers = train_value.forward(training.weights, seen)
    assert answers.tolist() == pytest.approx(values[0].tolist(), abs=1e-5)


def test_weights_that_are_not_numbers_are_refused():
    weights = {**train_value.Training(2, 1).weights, "version": np.array(network.VERSION)}
    weights["b1"] = np.full(network.HIDDEN, np.nan, np.float32)
    with pytest.raises(ValueError, match="undefined"):
        network.check(weights)


def test_weights_for_other_inputs_are_refused():
    with pytest.raises(ValueError, match="another version"):
        network.check({"version": np.array(0), "w1": np.zeros((3, 3))})


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_bots_with_the_network_play_whole_games_by_the_rules_and_repeat_themselves(seats):
    def placements(seed):
        bots = [Champion(seed, simulations=16), *[Learned(seed + seat) for seat in range(1, seats)]]
        record, state = play_game(bots, bytes([seats]) * 32)
        assert state.is_over()
        return record.actions

    assert placements(1) == placements(1)

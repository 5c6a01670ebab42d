#!/usr/bin/python3
"""What a daemon heard is recorded; played again later, it says the same bytes."""

import os
import subprocess
import tempfile

from story import BINARY, PATIENCE_S, Story, tell


def replay(tape):
    return subprocess.run([BINARY, "--log", "error", "--replay", tape], capture_output=True, text=True,
                          timeout=PATIENCE_S)


with tempfile.TemporaryDirectory() as folder:
    tape = os.path.join(folder, "tape")
    with Story("--record", tape) as story:
        client = story.client()
        client.create_world("arena", 64, 64)
        scout = client.open_agent("arena", "scout", start=(1.5, 1.5), goal=(60.5, 60.5))
        watch = client.watch("arena")
        tell("walls come up, one by one")
        for x in range(4, 60, 4):
            client.fill_rect("arena", x, 0 if x % 8 else 4, 1, 60, 0, wait="settled")
        scout.pose(2.5, 1.5)
        cost = scout.answer().cost
        assert cost > 400, cost
        story.expect_end()

    tell("played again it is the same, in a moment")
    played = replay(tape)
    assert played.returncode == 0 and played.stdout.startswith("the same: "), played

    tell("half of it is played as far as it goes")
    half = os.path.getsize(tape) // 2
    os.truncate(tape, half)
    played = replay(tape)
    if "torn" not in played.stdout:  # that was between two records
        os.truncate(tape, half - 1)
        played = replay(tape)
    assert played.returncode == 0 and "torn" in played.stdout, played

    tell("what is no recording is refused")
    with open(tape, "wb") as file:
        file.write(b"type octile\n" * 20)
    played = replay(tape)
    assert played.returncode == 2 and "no recording" in played.stderr, played
    assert replay(os.path.join(folder, "nowhere")).returncode == 2

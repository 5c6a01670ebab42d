#!/usr/bin/python3
"""Half of the clients are killed in the middle of their work; nobody else notices."""

import signal
import subprocess
import sys

from story import PATIENCE_S, PYTHON, Story, tell

VICTIM = """
import sys
sys.path.insert(0, sys.argv[1])
import replan
client = replan.Client(sys.argv[2], timeout_s=float(sys.argv[4]))
agent = client.open_agent("arena", sys.argv[3], start=(1.5, 1.5), goal=(30.5, 30.5))
watch = client.watch("arena")
print("working", flush=True)
for number in range(10**9):
    client.fill_rect("arena", number % 30, 20, 2, 2, number % 2)
    watch.next(0)
"""

with Story() as story:
    client = story.client()
    client.create_world("arena", 32, 32)
    scout = client.open_agent("arena", "scout", start=(1.5, 4.5), goal=(18.5, 4.5))
    watch = client.watch("arena")
    assert watch.next(PATIENCE_S).outcome == "found"

    tell("four clients write, walk and watch")
    victims = [subprocess.Popen([sys.executable, "-c", VICTIM, PYTHON, story.control, f"victim-{number}", str(PATIENCE_S)],
                                stdout=subprocess.PIPE, text=True) for number in range(4)]
    for victim in victims:
        assert victim.stdout.readline() == "working\n"

    tell("two are killed without a word")
    for victim in victims[:2]:
        victim.send_signal(signal.SIGKILL)
        victim.wait()

    tell("the others go on, and so do we")
    for number in range(100):
        applied = client.fill_rect("arena", 10, 0, 1, 9, number % 2, wait="settled")
        assert scout.answer().version >= applied.version
    for victim in victims[2:]:
        assert victim.poll() is None
        victim.send_signal(signal.SIGKILL)
        victim.wait()
    story.expect_end()

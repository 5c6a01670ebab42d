#!/usr/bin/python3
"""An agent walks to its goal; a wall comes up in its way; the new path arrives."""

from story import PATIENCE_S, Story, tell

with Story() as story:
    tell("a daemon starts, and a world is made")
    client = story.client()
    client.create_world("arena", 20, 10)

    tell("an agent is opened, and somebody watches")
    client.open_agent("arena", "scout", start=(1.5, 4.5), goal=(18.5, 4.5))
    watch = client.watch("arena")
    first = watch.next(PATIENCE_S)
    assert (first.outcome, first.cost, first.reason) == ("found", 17.0, "first"), first

    tell("a wall comes up with a gate at its end")
    applied = client.fill_rect("arena", 10, 0, 1, 9, 0, wait="settled")
    assert applied.changed_agents == ["scout"], applied
    around = watch.next(PATIENCE_S)
    assert around.version == applied.version and around.cost > 17.0, around
    assert (10, 9) in around.path, around.path

    tell("the gate is closed: there is no path, and that is an answer")
    client.set_cells("arena", [(10, 9)], 0)
    assert watch.next(PATIENCE_S).outcome == "no_path"

    tell("the wall falls: the first path again")
    client.fill_rect("arena", 10, 0, 1, 10, 1)
    assert watch.next(PATIENCE_S).cost == 17.0

    tell("SIGTERM ends the daemon, and well")
    story.expect_end()

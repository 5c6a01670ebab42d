#!/usr/bin/python3
"""Two worlds, agents of the same name in both; what happens in the one stays there."""

from story import PATIENCE_S, Story, tell

with Story() as story:
    client = story.client()
    for world in ("upper", "lower"):
        client.create_world(world, 20, 10)
    agents = {world: client.open_agent(world, "orc", start=(1.5, 4.5), goal=(18.5, 4.5))
              for world in ("upper", "lower")}
    watches = {world: client.watch(world) for world in ("upper", "lower")}
    for watch in watches.values():
        assert watch.next(PATIENCE_S).cost == 17.0

    tell("a wall in the upper world")
    applied = client.fill_rect("upper", 10, 0, 1, 9, 0, wait="settled")
    assert applied.changed_agents == ["orc"]
    assert watches["upper"].next(PATIENCE_S).cost > 17.0

    tell("the lower one heard nothing of it")
    assert watches["lower"].next(0.2) is None
    assert agents["lower"].answer().version == 1

    tell("the upper world goes, the lower stays")
    client.remove_world("upper")
    assert agents["lower"].answer().cost == 17.0
    story.expect_end()

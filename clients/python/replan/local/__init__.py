"""Worlds and agents in this process, without a daemon; and one planner on one grid.

    import replan.local

    engine = replan.local.Engine()
    engine.create_world("arena", 64, 64)
    scout = engine.open_agent("arena", "scout", start=(1.5, 1.5), goal=(60.5, 60.5))
    engine.fill_rect("arena", x=30, y=0, width=1, height=60, byte=0)
    for answer in engine.step():
        print(answer)

    found = replan.local.plan(grid, start=(0, 0), goal=(9, 9))
    found.repair([(5, 5, 0)])

Calls have the names of replan.Client, and refuse what it refuses. Plans are made in step(), as many as its budget allows.
"""

from .agent import Agent
from .engine import Engine
from .planner import Plan, plan, planners
from .world import World

__all__ = ["Agent", "Engine", "Plan", "World", "plan", "planners"]

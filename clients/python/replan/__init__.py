"""replan: shortest paths kept true while the world changes.

    import replan

    with replan.Client() as client:
        client.create_world("arena", width=64, height=64)
        scout = client.open_agent("arena", "scout", start=(1.5, 1.5), goal=(60.5, 60.5))
        print(scout.answer().path)

Positions of agents and goals are metres in the world's frame, as (x, y); with a world's default
resolution of 1 the centre of cell (3, 4) is (3.5, 4.5). Cells are (x, y) pairs of integers, paths
are lists of cells. A cell holds one byte: with the profile "factor" 0 blocks, 1 is normal ground
and up to 254 multiplies the cost of a move.
"""

try:
    import google.protobuf
    import zmq
except ImportError as error:
    import sys
    raise ImportError(f"replan needs zmq and protobuf, and {sys.executable} has no {error.name}: take "
                      "/usr/bin/python3 with Debian's python3-zmq and python3-protobuf") from error

from .aio import AsyncAgent, AsyncClient, AsyncMirror, AsyncWatch
from .answer import Answer
from .ask import Field, Said, Valid
from .changes import Applied
from .client import Agent, Client, Watch, WorldMirror
from .errors import NoDaemon, ReplanError
from .goals import facing, region, target, waypoints
from .maps import Map, read_map
from .motion import Segment, car, omni, spot
from .ros import occupancy, shortest_decimal
from .spawn import SpawnedClient, spawn
from .wire import CONTROL
from .worlds import World, WorldInfo, profile

__all__ = ["Agent", "Answer", "Applied", "AsyncAgent", "AsyncClient", "AsyncMirror", "AsyncWatch", "CONTROL", "Client", "Field", "Map",
           "NoDaemon", "ReplanError", "Said", "Segment", "SpawnedClient", "Valid", "Watch", "World", "WorldInfo", "WorldMirror", "car", "facing", "occupancy", "omni", "profile",
           "read_map", "region", "shortest_decimal", "spawn", "spot", "target", "waypoints"]

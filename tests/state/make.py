"""Make a folder of a state with a given repland: the same story for each format. It ends with a kill.

    make.py REPLAND PYTHON_FOLDER DIR
"""

import os
import subprocess
import sys
import time

import zmq

repland, python, folder = sys.argv[1:4]
sys.path.insert(0, python)
from replan import replan_pb2 as pb  # noqa: E402

SOCKETS = ("changes", "paths", "control", "poses")


class Daemon:
    def __init__(self):
        endpoints = [word for name in SOCKETS for word in (f"--{name}", "tcp://127.0.0.1:*")]
        self.process = subprocess.Popen([repland, *endpoints, "--state", folder],
                                        stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if "event=ready" in line:
                words = dict(word.split("=", 1) for word in line.split() if "=" in word)
                break
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.connect(words["control"])
        self.count = 0

    def ask(self, **body):
        self.count += 1
        self.socket.send(pb.Request(id=self.count, **body).SerializeToString())
        reply = pb.ToClient.FromString(self.socket.recv_multipart()[-1]).reply
        assert reply.status == 0, reply
        return reply

    def kill(self):
        self.socket.close(0)
        self.process.kill()
        self.process.wait()


def change(x, y, byte, **more):
    return pb.Apply(change=pb.Change(world="marsh", x=x, y=y, width=1, height=1, fill=byte, **more))


def open_agent(daemon, name, x, y):
    opened = daemon.ask(open_agent=pb.OpenAgent(
        world="marsh", agent=name, pose=pb.Pose(x=x, y=y), goal=pb.Goal(x=[14.5], y=[6.5]),
        policy=pb.Policy(lease_s=0))).opened
    return opened.handle or opened.handle32


def pose(handle, x, y):
    field = {"handles": [handle]} if handle >> 32 else {"handles32": [handle]}
    return pb.Poses(world="marsh", x=[x], y=[y], **field)


daemon = Daemon()
daemon.ask(create_world=pb.CreateWorld(world="marsh", fill=1, geometry=pb.Geometry(
    width=16, height=8, resolution=1.0, frame_id="odom")))
for x in range(4):
    daemon.ask(apply=change(x, 1, 0, publisher="lidar", incarnation=3, sequence=x + 1))
daemon.ask(apply=change(9, 1, 7, publisher="lidar", incarnation=3, sequence=6))  # 5 was lost
daemon.ask(overlay=pb.Overlay(world="marsh", ids=[4], corners=[1], x=[12.5], y=[3.5], values=b"\0"))
first = open_agent(daemon, "first", 1.5, 5.5)
gone = open_agent(daemon, "gone", 2.5, 5.5)
third = open_agent(daemon, "third", 3.5, 5.5)
daemon.ask(close_agent=pb.CloseAgent(world="marsh", agent="gone"))
daemon.ask(set_poses=pose(third, 4.5, 5.5))
daemon.kill()
daemon = Daemon()
deadline = time.monotonic() + 60
while "00000002.base" not in os.listdir(folder):  # the first half is in a base now
    assert time.monotonic() < deadline
    time.sleep(0.01)
daemon.ask(apply=change(5, 2, 0))
handle = open_agent(daemon, "fourth", 6.5, 6.5)
daemon.ask(set_poses=pose(handle, 7.5, 6.5))
daemon.ask(resize=pb.Resize(world="marsh", x=1, y=0, width=16, height=8, fill=1))
daemon.ask(apply=change(0, 0, 0))
daemon.kill()
os.remove(os.path.join(folder, "lock"))

#!/usr/bin/python3
"""A robot knows no requests: it publishes where it is and where it wants to go, and hears its path."""

import time

import zmq
from story import PATIENCE_S, Story, tell
from replan import Answer, replan_pb2 as pb
from repland import connect, publisher

TOPIC = "marsh/robot/"


class Robot:
    def __init__(self, story):
        context = zmq.Context.instance()
        self.out = publisher(context, story.poses, subscriptions=1)
        self.paths = connect(context, zmq.SUB, story.paths)
        self.paths.subscribe(f"path/{TOPIC}")
        self.paths.subscribe("status/")

    def say_goal(self, x, y, goal_id, **more):
        goal = pb.Goal(x=[x], y=[y], goal_id=goal_id, **more)
        self.out.send_multipart([f"goal/{TOPIC}".encode(), goal.SerializeToString()])

    def say_pose(self, x, y, pose_seq):
        pose = pb.Pose(x=x, y=y, pose_seq=pose_seq)
        self.out.send_multipart([f"pose/{TOPIC}".encode(), pose.SerializeToString()])

    def hear(self, kind=f"path/{TOPIC}"):
        while True:
            topic, body = self.paths.recv_multipart()
            if topic == kind.encode():
                return Answer.parse(body) if kind.startswith("path") else pb.Notice.FromString(body)

    def hear_first(self, client):
        """A subscription may come late: a pose somewhere else makes the path new again. Returns the path from the last of these
        poses: when the daemon knows that pose no other path is to come."""
        pose_seq, until = 0, time.monotonic() + PATIENCE_S
        while not self.paths.poll(20):
            assert time.monotonic() < until, "no path was published"
            pose_seq += 1
            self.say_pose(1.5 + pose_seq % 2 * 4, 1.5, pose_seq)
        newest = client.agent("marsh", "robot").answer()
        while newest.message.pose_seq < pose_seq:
            newest = client.agent("marsh", "robot").answer()
        heard = self.hear()
        while heard.path_seq < newest.path_seq:
            heard = self.hear()
        return heard

    def close(self):
        self.out.close()
        self.paths.close()


with Story() as story:
    client = story.client()
    client.create_world("marsh", 30, 20)

    tell("nobody opened it; a goal and a pose suffice")
    robot = Robot(story)
    robot.say_goal(25.5, 10.5, 7)
    first = robot.hear_first(client)
    assert (first.outcome, first.goal_id, first.path[-1]) == ("found", 7, (25, 10)), first
    assert client.worlds()[0].head.agents == 1

    tell("something stands on its path: it hears of another one")
    client.set_cells("marsh", [first.path[len(first.path) // 2]], 0)
    second = robot.hear()
    assert (second.outcome, second.reason) == ("found", "invalid"), second
    assert second.path_seq == first.path_seq + 1

    tell("a goal that cannot be is told on status, in a sentence")
    robot.say_goal(float("nan"), 3.0, 8)
    notice = robot.hear("status/marsh/")
    assert "goal.x is nan" in notice.sentence, notice

    tell("who opens it by request takes its place, with a policy of its own")
    client.open_agent("marsh", "robot", start=(2.5, 2.5), goal=(20.5, 2.5), lease_s=0)
    opened = robot.hear()
    assert (opened.outcome, opened.path_seq, opened.path[-1]) == ("found", 1, (20, 2)), opened
    assert client.worlds()[0].head.agents == 1
    robot.close()
    story.expect_end()

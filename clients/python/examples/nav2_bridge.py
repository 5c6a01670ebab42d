#!/usr/bin/python3
"""Nav2's global costmap in, paths out: a ROS 2 node that plans beside Nav2.

Taken: global_costmap/costmap_raw, goal_pose, and where the robot is, from tf. Published: plan, whenever
the path is another one. Set `always_send_full_costmap: True` for the costmap, which is sent as it is,
inflated by Nav2; what did not change of it costs next to nothing.

Two parameters let it drive Nav2, both false at first. follow_path: each plan goes to Nav2's controller, by
the action FollowPath; it takes the place of the one before. compute_path_to_pose: it answers this action in
place of Nav2's planner_server, which must not run then; a behaviour tree works as before.

A car has minimum_turning_radius, in metres: each plan is then a curve that it can drive, and ends as the goal stands. With
motion_model_for_search REEDS_SHEPP it drives backwards, too, and a metre backwards costs reverse_penalty.

Start the daemon first: build/release/bin/repland
"""
import math
import re
import sys
from collections.abc import Callable
from typing import Any

import replan

try:
    import rclpy
    from geometry_msgs.msg import PoseStamped
    from nav2_msgs.msg import Costmap
    from nav_msgs.msg import Path
    from rclpy.node import Node
    from rclpy.time import Time
    from tf2_ros import Buffer, TransformException, TransformListener
except ImportError as missing:
    sys.exit(f"nav2_bridge.py: {missing}: it needs ROS 2 with Nav2; `source /opt/ros/.../setup.bash` first")

WORLD, ROBOT = "nav2", "robot"
Place = tuple[float, float]
Planar = tuple[float, float, float]  # metres and yaw
Window = tuple[int, int, float, float]  # sides in cells, corner in metres
Kind = tuple[str, float, float]  # frame_id, resolution and yaw
SIDE_MOST, CELLS_MOST = 16384, 16368 * 16368  # of a world
FAR_MOST = 1e9  # metres
TURN_MOST = 0.2  # radians between two poses of a curve
PORTION = 8 << 20  # bytes of one message; one holds 20 MiB at most


def yaw_of(q: Any) -> float:
    return math.atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z))


def planar(pose: Any) -> Planar:
    """ValueError: it is none, and why."""
    at, q = pose.position, pose.orientation
    length = math.hypot(q.x, q.y, q.z, q.w)
    if not (math.isfinite(at.x) and math.isfinite(at.y)):
        raise ValueError("a position that is not finite")
    if max(abs(at.x), abs(at.y)) > FAR_MOST:
        raise ValueError("a position beyond 1e9 m")
    if not abs(length - 1.0) < 0.005:
        raise ValueError(f"a quaternion of length {length:g}, not 1")
    return at.x, at.y, yaw_of(q)


def compose(outer: Planar, inner: Planar) -> Planar:
    """A pose of frame b in frame a, where `outer` is the pose of b in a."""
    (x, y, yaw), cosine, sine = inner, math.cos(outer[2]), math.sin(outer[2])
    return outer[0] + cosine * x - sine * y, outer[1] + sine * x + cosine * y, outer[2] + yaw


def turned(pose: Any, yaw: float) -> None:
    pose.orientation.z, pose.orientation.w = math.sin(yaw / 2.0), math.cos(yaw / 2.0)


def headed(points: list[Place], last: float | None) -> list[Planar]:
    """Each point with the direction of the way on from there; the last one with what is given, else as it comes."""
    found = [math.atan2(ny - y, nx - x) for (x, y), (nx, ny) in zip(points, points[1:])]
    yaws = found + [last if last is not None else found[-1] if found else 0.0]
    return [(x, y, yaw) for (x, y), yaw in zip(points, yaws)]


def along(segments: list[replan.Segment], cell: float) -> list[Planar]:
    """Where a body is on a curve, at least each cell and each 0.2 radians."""
    poses = []
    for segment in segments:
        extent = abs(segment.turn) or abs(segment.length)
        turned = abs(segment.turn) + abs(segment.length * segment.curvature)
        count = max(1, math.ceil(max(abs(segment.length) / cell, turned / TURN_MOST) - 1e-9))
        poses += [segment.pose(extent * part / count) for part in range(count)]
    return poses + [segment.end for segment in segments[-1:]]


class Bridge(Node):
    def __init__(self) -> None:
        super().__init__("replan_bridge")
        self.client = replan.Client(self.declare_parameter("control", "tcp://127.0.0.1:7403").value)
        self.frame = self.declare_parameter("robot_frame", "base_link").value
        self.kind: Kind | None = None  # frame_id, resolution and yaw of the world that the daemon has
        self.window: Window | None = None  # sides and origin of the costmap that it has; None: not known
        self.number = 0  # of that window
        self.robot: replan.Agent | None = None
        self.watch: replan.Watch | None = None
        self.version, self.data = 0, b""  # of the world with the newest costmap, and its bytes
        self.told: tuple[str, Planar] | None = None  # the newest goal, in its frame
        self.goal: Place | None = None  # in the costmap's
        self.goals, self.heading = 0, 0.0  # how many there were, and how the last one heads
        self.car = self.car_of(self.declare_parameter("minimum_turning_radius", 0.0).value,
                               self.declare_parameter("motion_model_for_search", "DUBIN").value,
                               self.declare_parameter("reverse_penalty", 2.0).value)
        self.transforms = Buffer()
        self.listener = TransformListener(self.transforms, self)
        self.plan = self.create_publisher(Path, "plan", 1)
        self.controller = self.driving = self.planner = None  # Nav2's controller, what it follows; Nav2 asks us
        if self.declare_parameter("follow_path", False).value:
            from rclpy.action import ActionClient
            self.controller = ActionClient(self, self.actions().FollowPath, "follow_path")
        if self.declare_parameter("compute_path_to_pose", False).value:
            from rclpy.action import ActionServer
            self.planner = ActionServer(self, self.actions().ComputePathToPose, "compute_path_to_pose", self.compute)
        self.create_subscription(Costmap, "global_costmap/costmap_raw", self.take_costmap, 1)
        self.create_subscription(PoseStamped, "goal_pose", self.take_goal, 1)
        self.create_timer(0.05, self.tick)

    def car_of(self, radius: float, model: str, penalty: float) -> Any:
        """None: it turns on the spot. A change of gear costs as much as a turning radius, so that it does not rock."""
        if model not in ("DUBIN", "REEDS_SHEPP"):
            raise ValueError(f'motion_model_for_search: "{model}" is neither DUBIN nor REEDS_SHEPP')
        if radius <= 0.0:
            return None
        return replan.car(radius, reverse=True, reverse_factor=penalty, gear_change=radius) if model == "REEDS_SHEPP" else replan.car(radius)

    def actions(self) -> Any:
        """Nav2's, which only these two parameters need."""
        import nav2_msgs.action
        return nav2_msgs.action

    def take_costmap(self, message: Any) -> None:
        about, data = message.metadata, bytes(message.data)  # row by row from the lower left, as ours
        try:
            x, y, yaw = planar(about.origin)
            if len(data) != about.size_x * about.size_y or not data:
                raise ValueError(f"{about.size_x} x {about.size_y} cells, but {len(data)} bytes")
            if max(about.size_x, about.size_y) > SIDE_MOST or len(data) > CELLS_MOST or not 1e-4 <= about.resolution <= 1e4:
                raise ValueError(f"{about.size_x} x {about.size_y} cells of {about.resolution:g} m are no world")
            if not re.fullmatch("[!-~]{1,64}", message.header.frame_id):
                raise ValueError(f"its frame_id {message.header.frame_id[:80]!r} is not 1..64 printable characters")
            resolution = replan.shortest_decimal(about.resolution)  # ROS tells it in 32 bits
            self.take_window((message.header.frame_id, resolution, yaw), (about.size_x, about.size_y, x, y), data)
        except ValueError as fault:
            self.get_logger().warning(f"a costmap is dropped: {fault}")

    def take_window(self, kind: Kind, window: Window, data: bytes) -> None:
        try:
            if kind == self.kind:
                self.show(kind, window, data)
            else:
                self.begin(kind, window, data)
            self.window, self.data = window, data
        except replan.ReplanError as error:
            self.window = None  # of the next one all is stated
            self.get_logger().warning(f"the costmap is dropped: {error}")

    def begin(self, kind: Kind, window: Window, data: bytes) -> None:
        """A world of this resolution and yaw: another one than before, if there was one."""
        (_, resolution, yaw), (width, height, x, y) = kind, window
        if WORLD in [world.world for world in self.client.worlds()]:
            self.client.remove_world(WORLD)  # of a run before
        self.kind = self.robot = self.watch = None
        self.note(self.client.create_world(
            WORLD, width, height, data=data, resolution=resolution, origin=(x, y, yaw),
            profile="costmap"))  # 253 and 254 block, 255 is free
        self.kind = kind
        self.goal = None  # it may be in another frame
        self.aim_again()

    def note(self, applied: replan.Applied) -> None:
        self.number, self.version = applied.window, applied.version

    def show(self, kind: Kind, window: Window, data: bytes) -> None:
        try:
            self.state(window, kind[2], data)
        except replan.ReplanError as error:
            if error.status == "GONE":  # others shifted the world too often
                self.window = None
                self.state(window, kind[2], data)
            elif error.status == "UNKNOWN":  # the daemon began anew
                self.begin(kind, window, data)
            else:
                raise

    def state(self, window: Window, yaw: float, data: bytes) -> None:
        """The world shows this window, exactly where the costmap says, and gets its bytes with it."""
        width, height, x, y = window
        rows, is_ours = max(1, PORTION // width), window == self.window
        for row in range(0, height if is_ours else 0, rows):
            part = data[row * width:(row + rows) * width]
            written = self.client.write_rect(WORLD, 0, row, width, len(part) // width, part)
            is_ours, self.version = is_ours and written.window == self.number, written.version
        if not is_ours:  # it is another one, or others shifted the world
            self.note(self.client.resize(WORLD, width=width, height=height, origin=(x, y, yaw), data=data))

    def take_goal(self, message: Any) -> None:
        before = self.told
        try:
            self.told = message.header.frame_id, planar(message.pose)
        except ValueError as fault:
            self.get_logger().warning(f"a goal is dropped: it has {fault}")
            return
        if self.kind is None or self.aim_again():
            here = self.where()
            if self.window is not None and self.goal is not None and here is not None:
                self.ask(self.aim, here, self.goal)
        else:
            self.get_logger().warning(f"the goal is in {self.told[0]}, which tf does not know: it is dropped")
            self.told = before

    def aim_again(self) -> bool:
        """Turn the newest goal into the costmap's frame, now that it is known."""
        frame = self.in_costmap(self.told[0]) if self.told is not None else None
        if self.told is None or frame is None:
            return False
        x, y, self.heading = compose(frame, self.told[1])
        self.goal, self.goals = (x, y), self.goals + 1
        return True

    def tick(self) -> None:
        here = self.where()
        if self.goal is None and self.told is not None:
            self.aim_again()
        if self.window is not None and self.goal is not None and here is not None:
            self.ask(self.follow, here, self.goal)

    def ask(self, act: Callable[[Planar, Place], None], here: Planar, goal: Place) -> None:
        try:
            act(here, goal)
        except replan.ReplanError as error:  # the daemon went away: the next costmap finds it, or begins anew
            self.window = self.robot = self.watch = None
            self.get_logger().warning(f"until the next costmap there are no plans: {error}")

    def aim(self, here: Planar, goal: Place) -> None:
        """Send the robot to the newest goal, or to the nearest cell if that is occupied; a car stands as the goal does, or does not go."""
        if self.robot is None:
            self.open(here, goal)
        elif self.car is not None:
            self.robot.goto(replan.facing(goal, self.heading), goal_id=self.goals)
        else:
            self.robot.goto(goal, nearest=True, goal_id=self.goals)

    def open(self, here: Planar, goal: Place) -> tuple[replan.Agent, replan.Watch]:
        try:
            robot = self.open_agent(here, goal)
        except replan.ReplanError as error:
            if error.status != "EXISTS":  # a daemon that was started again knows it
                raise
            self.client.agent(WORLD, ROBOT).close()  # it may have been another body
            robot = self.open_agent(here, goal)
        self.robot, self.watch = robot, self.client.watch(WORLD, ROBOT, resume=False)
        return self.robot, self.watch

    def open_agent(self, here: Planar, goal: Place) -> replan.Agent:
        """Beside its path by two cells it follows it: a pose is never exact."""
        assert self.kind is not None
        beside = 2 * self.kind[1]
        if self.car is not None:
            return self.client.open_agent(WORLD, ROBOT, start=here, goal=replan.facing(goal, self.heading), goal_id=self.goals,
                                          motion=self.car, min_interval_ms=1000, follow_radius_m=beside)
        return self.client.open_agent(WORLD, ROBOT, start=here, goal=goal, nearest=True, goal_id=self.goals,
                                      answer_within_ms=50, min_interval_ms=1000, follow_radius_m=beside)

    def in_costmap(self, frame: str) -> Planar | None:
        """The pose of a frame in the costmap's; None: tf does not know it."""
        if self.kind is None:
            return None
        if frame == self.kind[0]:
            return 0.0, 0.0, 0.0
        try:
            found = self.transforms.lookup_transform(self.kind[0], frame, Time()).transform
        except TransformException:
            return None
        at = found.translation.x, found.translation.y, yaw_of(found.rotation)
        return at if all(map(math.isfinite, at)) else None

    def where(self) -> Planar | None:
        return self.in_costmap(self.frame)

    def follow(self, here: Planar, goal: Place) -> None:
        if self.kind is None:
            return
        if self.robot is None or self.watch is None:
            self.robot, self.watch = self.open(here, goal)  # its world is another one
        self.robot.pose(*here)
        newest = None
        while answer := self.watch.next(0.0):
            newest = answer
        if newest is not None and newest.goal_id == self.goals and not self.is_outdated(newest):
            path = self.path_of(self.kind[0], newest)
            self.plan.publish(path)
            if newest.outcome != "arrived":  # the controller ends by itself
                self.hand_on(path)

    def is_outdated(self, answer: replan.Answer) -> bool:
        """It was on its way when the costmap came, and does not fit it: another one will come."""
        if self.window is None or self.kind is None or answer.version >= self.version:
            return False
        (width, height, left, low), (_, resolution, yaw) = self.window, self.kind
        curve = along(answer.segments[answer.escape_segments:], resolution)
        for x, y in [pose[:2] for pose in curve] or answer.points:
            east, north, _ = compose((0.0, 0.0, -yaw), (x - left, y - low, 0.0))
            column, row = math.floor(east / resolution), math.floor(north / resolution)
            if 0 <= column < width and 0 <= row < height and self.data[row * width + column] in (253, 254):
                return True
        return False

    def path_of(self, frame_id: str, answer: replan.Answer) -> Any:
        """No poses: there is no way. First the way out of a cell that is blocked only since an obstacle is near."""
        last = self.heading if answer.outcome != "partial" else None  # that does not end at the goal
        cell = self.kind[1] if self.kind is not None else 1.0
        poses = along(answer.segments, cell) or headed(answer.way_points[:-1] + answer.points, last)
        path = Path()
        path.header.frame_id = frame_id
        path.header.stamp = self.get_clock().now().to_msg()
        for x, y, yaw in poses:
            pose = PoseStamped()
            pose.header = path.header
            pose.pose.position.x, pose.pose.position.y = x, y
            turned(pose.pose, yaw)
            path.poses.append(pose)
        return path

    def hand_on(self, path: Any) -> None:
        """To Nav2's controller, in place of what it follows now; without a way it stops."""
        if self.controller is not None and path.poses:
            goal = self.actions().FollowPath.Goal()
            goal.path = path
            self.controller.send_goal_async(goal).add_done_callback(self.note_driving)
        elif self.driving is not None:
            self.driving.cancel_goal_async()
            self.driving = None

    def note_driving(self, sent: Any) -> None:
        self.driving = sent.result() if sent.result().accepted else None

    def compute(self, asked: Any) -> Any:
        """Nav2 asks for a path from where the robot is, once a second or so: most times it is the one it has."""
        result, goal = self.actions().ComputePathToPose.Result(), asked.request.goal
        try:
            if asked.request.use_start:
                raise ValueError("it begins elsewhere than at the robot")
            if self.goal is None or self.told != (goal.header.frame_id, planar(goal.pose)):
                self.take_goal(goal)
            result.path = self.path_to_goal()
            asked.succeed()
        except (ValueError, replan.ReplanError) as fault:
            self.get_logger().warning(f"no path for compute_path_to_pose: {fault}")
            asked.abort()
        return result

    def path_to_goal(self) -> Any:
        """ValueError: there is none."""
        here = self.where()
        if self.kind is None or self.window is None or self.goal is None or here is None:
            raise ValueError("costmap, goal or robot are not known")
        if self.robot is None:
            self.robot, self.watch = self.open(here, self.goal)
        self.robot.pose(*here)
        path = self.path_of(self.kind[0], self.robot.answer())
        if not path.poses:
            raise ValueError("there is no way")
        return path


if __name__ == "__main__":
    rclpy.init()
    rclpy.spin(Bridge())

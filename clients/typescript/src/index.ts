/** Client of repland: `const client = await Client.connect()`. README.md has a program. */
export { Agent } from "./agent";
export type { Field, Said, Valid, WatchOptions } from "./agent";
export { Answer } from "./answer";
export type { Outcome, Reason } from "./answer";
export type { Bytes, Matrix, Point } from "./arguments";
export { Client, CONTROL } from "./client";
export type { ClientOptions, WorldInfo, WorldOptions } from "./client";
export { NoDaemon, ReplanError } from "./errors";
export type { Status } from "./errors";
export type { Frame } from "./frame";
export { facing, Goal, region, target, waypoints } from "./goals";
export type { FacingOptions, GoalLike, GoalOptions } from "./goals";
export { Mirror } from "./mirror";
export { car, Motion, omni, spot } from "./motion";
export type { MotionOptions, Pose, Segment } from "./motion";
export type { Profile } from "./profiles";
export { Watch, WorldMirror } from "./watch";
export { World } from "./world";
export type { AgentOptions, Applied, Change, ChangeOptions, Rect, ResizeOptions, Shape } from "./world";
/** The messages of the wire, for Client.request(). */
export { v1 } from "./wire";

// Bytes as they were on the wire, read by a serializer of ROS 2 that shares no code with DDS, and written again: they must
// be the same. Its definitions are those of ROS, so a field of ours that is missing, or at another place, is seen.
//
//     node golden.mjs FOLDER < lines      FOLDER: node_modules with @foxglove/rosmsg2-serialization and rosmsg-msgs-common
//
// A line is a type and its bytes in hex: "nav_msgs/Path 00010000..". Prints each message as JSON, numbers of 64 bits as
// strings; exit code 1 when bytes differ.
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { readFileSync } from "node:fs";

const require = createRequire(resolve(process.argv[2], "x.js"));
const { MessageReader, MessageWriter } = require("@foxglove/rosmsg2-serialization");
const { ros2humble } = require("@foxglove/rosmsg-msgs-common");

// Of packages that are not in that collection, as their repositories have them.
const others = {
  "nav2_msgs/CostmapMetaData": `builtin_interfaces/Time map_load_time
builtin_interfaces/Time update_time
string layer
float32 resolution
uint32 size_x
uint32 size_y
geometry_msgs/Pose origin`,
  "nav2_msgs/Costmap": `std_msgs/Header header
nav2_msgs/CostmapMetaData metadata
uint8[] data`,
  "nav2_msgs/CostmapUpdate": `std_msgs/Header header
uint32 x
uint32 y
uint32 size_x
uint32 size_y
uint8[] data`,
  "map_msgs/OccupancyGridUpdate": `std_msgs/Header header
int32 x
int32 y
uint32 width
uint32 height
int8[] data`,
};

const known = new Map();
for (const definition of Object.values(ros2humble)) known.set(definition.name, definition);
for (const [name, text] of Object.entries(others)) {
  const definitions = text.split("\n").map((line) => {
    const [, type, isArray, field] = /^([a-zA-Z0-9_/]+)(\[\])? (\w+)$/.exec(line);
    if (type === "builtin_interfaces/Time") return { type: "time", name: field, isArray: false, isComplex: false };
    return { type, name: field, isArray: Boolean(isArray), isComplex: type.includes("/") };
  });
  known.set(name, { name, definitions });
}

/** A type and all that it holds, itself first. */
function definitionsOf(name) {
  const found = new Map();
  const add = (type) => {
    const definition = known.get(type);
    if (!definition) throw new Error(`no definition of ${type}`);
    if (found.has(definition.name)) return;
    found.set(definition.name, definition);
    for (const field of definition.definitions) if (field.isComplex) add(field.type);
  };
  add(name);
  const [first, ...rest] = found.values();
  return [{ ...first, name: undefined }, ...rest];
}

let isEqual = true;
for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const [type, hex] = line.split(" ");
  const bytes = Buffer.from(hex, "hex");
  const definitions = definitionsOf(type);
  const message = new MessageReader(definitions).readMessage(bytes);
  const written = Buffer.from(new MessageWriter(definitions).writeMessage(message));
  const padding = bytes[3] & 3; // told in the header of DDS: zeroes at the end, which readers of ROS ignore
  const body = bytes.subarray(4, bytes.length - padding);
  if (!body.equals(written.subarray(4)) || bytes[0] !== 0 || bytes[1] !== 1) {
    isEqual = false;
    console.error(`${type}: other bytes: ${body.toString("hex")} came, ${written.subarray(4).toString("hex")} are right`);
  }
  console.log(JSON.stringify(message, (_, value) => (typeof value === "bigint" ? `${value}` : ArrayBuffer.isView(value) ? [...value] : value)));
}
process.exit(isEqual ? 0 : 1);

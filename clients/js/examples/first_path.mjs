// A world, an agent, and a wall across its path: the wire from JavaScript, with no client of ours between.
//
//     npm install zeromq protobufjs                        # in a folder of yours, and run it from there
//     node first_path.mjs REPLAN.PROTO [CONTROL_ENDPOINT]
import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { join } from "node:path";

const [proto, control = "tcp://127.0.0.1:7403"] = process.argv.slice(2);
if (!proto) throw new Error("usage: node first_path.mjs REPLAN.PROTO [CONTROL_ENDPOINT]");

const require = createRequire(join(process.cwd(), "package.json")); // the packages of that folder
const zmq = require("zeromq");
const protobuf = require("protobufjs");

const schema = protobuf.loadSync(proto); // msgs/replan.proto
const Request = schema.lookupType("replan.v1.Request");
const ToClient = schema.lookupType("replan.v1.ToClient");
const { OK } = schema.lookupEnum("replan.v1.Status").values;
const { FOUND } = schema.lookupEnum("replan.v1.Outcome").values;

const socket = new zmq.Dealer({ linger: 0, immediate: true, sendTimeout: 1500 }); // nothing waits for nobody
socket.connect(control);

// Each request gets one reply of the same id. What watches bring comes between them, and has their number.
const waiting = new Map();
async function listen(hear) {
  for await (const frames of socket) {
    const { watch, reply, answer } = ToClient.decode(frames.at(-1));
    if (watch !== 0) {
      if (answer) hear(answer);
      continue;
    }
    const { resolve, reject } = waiting.get(Number(reply.id));
    waiting.delete(Number(reply.id));
    if (reply.status === OK) resolve(reply);
    else reject(new Error(reply.sentence));
  }
}

let lastId = 0;
const life = randomBytes(8).readBigUInt64LE().toString(); // of this run: ids of another one are not taken for its
async function ask(body) {
  const id = ++lastId;
  const reply = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  const bytes = Request.encode(Request.fromObject({ id, life, ...body })).finish();
  await socket.send(bytes).catch(() => { throw new Error(`no daemon answers at ${control}`); });
  return reply;
}

// A path is a start, y * width + x, and directions: 0 is +x, then from there towards +y. So is the way that
// leads an agent on a blocked cell to it: wayStart and way.
function cellsOf({ start, steps, geometry }) {
  const dx = [1, 1, 0, -1, -1, -1, 0, 1];
  const dy = [0, 1, 1, 1, 0, -1, -1, -1];
  let [x, y] = [start % geometry.width, Math.floor(start / geometry.width)];
  return [[x, y], ...Array.from(steps, (d) => [(x += dx[d]), (y += dy[d])])];
}

const heard = new Promise((done) => {
  let answers = 0;
  listen((answer) => {
    const outcome = answer.outcome === FOUND ? `found, cost ${answer.cost.toFixed(2)}` : "no path";
    console.log(`version ${answer.version}: ${outcome}: ${cellsOf(answer).join(" ")}`);
    if (++answers === 2) done();
  });
});

const world = "hello-js";
await ask({ createWorld: { world, geometry: { width: 16, height: 8, resolution: 1 } } });
await ask({ openAgent: { world, agent: "scout", pose: { x: 1.5, y: 4.5 }, goal: { x: [14.5], y: [4.5] } } });
await ask({ watch: { world, agents: ["scout"], credit: 100 } }); // so many messages; `credit` grants more
await ask({ getAnswer: { world, agent: "scout" } }); // waits for the first path
await ask({ apply: { change: { world, x: 8, y: 2, width: 1, height: 6, fill: 0 } } }); // 0 blocks
await heard;
await ask({ removeWorld: { world } });
socket.close();

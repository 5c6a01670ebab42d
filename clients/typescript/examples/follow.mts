// Three agents cross a field while walls come: a mirror of the cells is drawn with the newest path of each.
//
//     follow.mjs [CONTROL], compiled by tsc
import { type Answer, Client, type WorldMirror } from "replan";

const WIDTH = 24;
const HEIGHT = 9;

function picture(mirror: WorldMirror, paths: Map<string, Answer>): string {
  const rows = Array.from({ length: HEIGHT }, (_, y) => Array.from({ length: WIDTH }, (_, x) => (mirror.data[y * WIDTH + x] === 0 ? "#" : ".") as string));
  for (const [name, answer] of paths) {
    for (const [x, y] of answer.path) {
      rows[y]![x] = name.charAt(0);
    }
  }
  return rows.reverse().map((row) => row.join("")).join("\n");
}

const client = await Client.connect(process.argv[2]);
const world = await client.createWorld("field", { width: WIDTH, height: HEIGHT });
const paths = new Map<string, Answer>();
for (const [i, name] of ["ant", "bee", "cat"].entries()) {
  await world.openAgent(name, { start: [1.5, 2 * i + 2.5], goal: [22.5, 2 * i + 2.5], switchGainPercent: 0, minIntervalMs: 0 });
}
const mirror = await world.mirror();
const watch = await world.watch();
const { version } = await world.fillRect(12, 0, 1, 7, 0, { wait: "settled" });
while (mirror.version < version) {
  await mirror.follow();
}
for await (const answer of watch) {
  paths.set(answer.agent, answer);
  if ([...paths.values()].filter((one) => one.version === version).length === 3) {
    break;
  }
}
console.log(picture(mirror, paths));
await world.remove();
client.close();

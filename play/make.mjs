// Joins the sources and the package replan-engine to one page that loads nothing.
// usage: node make.mjs PACKAGE_FOLDER OUT_HTML
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const BYTES_MOST = 999999;
const here = dirname(fileURLToPath(import.meta.url));
const [, , packageFolder, out] = process.argv;

/** What a file calls the object of another one's exports. */
const objectOf = (name) => `$${name.replace(/\.js$/, "")}`;

/** A file as a function that is called at once, and returns what the file exports. */
function wrapped(name, text) {
  const names = [...text.matchAll(/^export (?:async )?(?:const|function|class) (\w+|\{.*\})/gm)]
    .flatMap(([, found]) => (found.startsWith("{") ? found.slice(1, -1).split(",").map((part) => part.trim()) : [found]));
  const body = text.replace(/^import (\{.*\}) from "\.\/(.+)";$/gm, (_, taken, other) => `const ${taken} = ${objectOf(other)};`)
    .replace(/^export /gm, "");
  return `const ${objectOf(name)} = (() => {\n${body}\nreturn { ${names.join(", ")} };\n})();\n`;
}

/** A file and all that it imports, each after those that it needs. */
function joined(first) {
  const seen = new Set();
  const parts = [];
  const add = (name) => {
    if (!seen.has(name)) {
      seen.add(name);
      const text = readFileSync(join(here, name), "utf8");
      [...text.matchAll(/^import .* from "\.\/(.+)";$/gm)].forEach(([, other]) => add(other));
      parts.push(wrapped(name, text));
    }
  };
  add(first);
  return parts.join("\n");
}

const hashOf = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const page = `"use strict";\n(() => {\n${joined("app.js")}})();\n`;
const style = readFileSync(join(here, "style.css"), "utf8");
// The module lies in an element of its own: the page unpacks and compiles it while the worker starts.
const [whole, module] = /^const WASM = "([A-Za-z0-9+/=]+)";$/m.exec(readFileSync(join(packageFolder, "replan-engine.js"), "utf8"));
const engine = readFileSync(join(packageFolder, "replan-engine.js"), "utf8").replace(whole, 'const WASM = "";');
const worker = `${engine}\n(() => {\n${joined("worker.js")}})();\n`;
for (const text of [page, style, worker]) {
  if (/<\/s|<!--/i.test(text)) {
    throw new Error(`a source holds ${/<\/s|<!--/i.exec(text)[0]}, which would end or hide its element`);
  }
}
const policy = `default-src 'none'; script-src ${hashOf(page)} 'wasm-unsafe-eval'; style-src ${hashOf(style)}; worker-src blob:; `
  + "img-src data:; base-uri 'none'; form-action 'none'";
const parts = { "@POLICY@": policy, "@STYLE@": style, "@MODULE@": module, "@WORKER@": worker, "@PAGE@": page };
const html = readFileSync(join(here, "index.html"), "utf8").replace(/@[A-Z]+@/g, (name) => parts[name]);
if (Buffer.byteLength(html) > BYTES_MOST) {
  throw new Error(`the page has ${Buffer.byteLength(html)} bytes, at most ${BYTES_MOST} are right`);
}
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, html);

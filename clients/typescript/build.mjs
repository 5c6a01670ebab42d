// Makes the package: messages from the schema, JavaScript and types from src/, and the same for import as for require.
// usage: node build.mjs PROTO FOLDER; FOLDER has node_modules with typescript, protobufjs-cli and what package.json needs
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [, , proto, given] = process.argv;
const folder = resolve(given);
const made = join(folder, "package");
const run = (tool, ...words) => execFileSync(process.execPath, [join(folder, "node_modules", tool), ...words], { cwd: folder, stdio: "inherit" });

rmSync(made, { recursive: true, force: true });
rmSync(join(folder, "src"), { recursive: true, force: true });
mkdirSync(join(made, "dist"), { recursive: true });
cpSync(join(here, "src"), join(folder, "src"), { recursive: true });
copyFileSync(join(here, "tsconfig.json"), join(folder, "tsconfig.json"));

// The messages: code once as it is shipped, once with comments for pbts to make types of.
const kind = ["-t", "static-module", "-w", "commonjs", "--no-create", "--no-verify", "--no-convert", "--no-delimited", "--no-typeurl"];
run("protobufjs-cli/bin/pbjs", ...kind, "--no-comments", "-o", join(made, "dist/messages.js"), resolve(proto));
run("protobufjs-cli/bin/pbjs", ...kind, "-o", join(folder, "commented.js"), resolve(proto));
run("protobufjs-cli/bin/pbts", "--no-comments", "-o", join(folder, "src/messages.d.ts"), join(folder, "commented.js"));
copyFileSync(join(folder, "src/messages.d.ts"), join(made, "dist/messages.d.ts"));

run("typescript/bin/tsc", "-p", folder);

// One implementation, so that a class is the same whoever loads it.
const names = Object.keys(createRequire(import.meta.url)(join(made, "dist/index.js"))).filter((name) => name !== "__esModule");
writeFileSync(join(made, "dist/index.mjs"), `import all from "./index.js";\nexport const { ${names.join(", ")} } = all;\n`);
writeFileSync(join(made, "dist/index.d.mts"), 'export * from "./index.js";\n');
for (const name of ["package.json", "README.md"]) {
  copyFileSync(join(here, name), join(made, name));
}
copyFileSync(join(here, "../../LICENSE"), join(made, "LICENSE"));

// Pictures of every world, light, dark and on a phone, for people to look at: build/play/pictures.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import test, { after, before } from "node:test";
import { pathToFileURL } from "node:url";

import { Browser } from "./browser.mjs";

const BUILD = resolve(import.meta.dirname, "../../build/play");
const FORMS = [["light", 1360, 860, {}], ["dark", 1360, 860, { isDark: true }], ["phone", 390, 844, { isPhone: true }]];
const WORLDS = ["empty", "wilds", "maze", "rooms", "city", "costmap", "yard"];

let browser;
before(() => {
  mkdirSync(join(BUILD, "pictures"), { recursive: true });
  browser = new Browser();
});
after(() => browser?.close());

const { SCENES } = await import("../../play/scenes.js");

for (const [form, width, height, options] of FORMS) {
  test(`pictures of scenes, ${form}`, async () => {
    const page = await browser.open(width, height, options);
    await page.load(`${pathToFileURL(join(BUILD, "index.html")).href}#scene=${SCENES[0].name}`);
    for (const { name, steps, title } of SCENES) {
      await page.ask(`location.hash = "#scene=${name}"`);
      for (let step = 1; step <= steps.length; step++) {
        if (step > 1) {
          await page.ask("document.getElementById('next').click()");
        }
        await page.until(`document.getElementById("scene").value === "${name}" && !document.getElementById("caption").hidden
          && document.getElementById("stepOf").textContent === "step ${step} of ${steps.length}"`);
      }
      assert.equal(await page.ask("document.getElementById('scene').selectedOptions[0].textContent"), title);
      await page.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      writeFileSync(join(BUILD, "pictures", `scene-${name}-${form}.png`), await page.picture());
      assert.deepEqual(page.console, []);
    }
    await page.close();
  });
}

for (const [form, width, height, options] of FORMS) {
  test(`pictures, ${form}`, async () => {
    for (const world of WORLDS) {
      const page = await browser.open(width, height, options);
      await page.load(`${pathToFileURL(join(BUILD, "index.html")).href}#world=${world}&seed=42${world === "yard" ? "&speed=1" : ""}`);
      await page.until("globalThis.replanPage?.meter.walkedMs");
      await page.ask("new Promise((done) => setTimeout(done, 1500))");
      if (world === "yard") { // what one of them will sweep
        const [x, y] = await page.ask(`(([x, y]) => { const box = document.getElementById("stage").getBoundingClientRect();
          return [x + box.left, y + box.top]; })(replanPage.view.pointOf(...replanPage.view.told.places.slice(2, 4)))`);
        await page.drag([x, y], [x, y]);
        await page.until("replanPage.view.chosen !== null");
      }
      writeFileSync(join(BUILD, "pictures", `${world}-${form}.png`), await page.picture());
      assert.deepEqual(page.console, []);
      await page.close();
    }
  });
}

// Does the page grow? Two hundred units, twenty changes a second. REPLAN_GROWTH_S: seconds, 20 without it; 600 to be sure.
import assert from "node:assert/strict";
import { resolve } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

import { Browser } from "./browser.mjs";

const PAGE = pathToFileURL(resolve(import.meta.dirname, "../../build/play/index.html")).href;
const SECONDS = Number(process.env.REPLAN_GROWTH_S ?? 20);
const MIB = 2 ** 20;
const MODULE_MOST = 384; // MiB, MEMORY_MOST of play/worker.js
const HEAP_MORE = 8; // MiB that a heap of JavaScript may have more at the end than after a third: versions are remembered

test(`${SECONDS} seconds without growth`, async () => {
  const browser = new Browser();
  try {
    const page = await browser.open(1360, 860);
    let worker = null;
    browser.on(page.session, "Target.attachedToTarget", ({ sessionId }) => {
      worker = sessionId;
    });
    await page.call("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
    await page.load(`${PAGE}#world=city&seed=42&units=200&churn=20`);
    await page.until("globalThis.replanPage?.meter.walkedMs");
    const look = async () => {
      const heaps = [];
      for (const session of [page.session, worker]) {
        await browser.call("HeapProfiler.enable", {}, session);
        await browser.call("HeapProfiler.collectGarbage", {}, session);
        heaps.push((await browser.call("Runtime.getHeapUsage", {}, session)).usedSize / MIB);
      }
      const { bytesInUse, version, answers } = await page.ask("replanPage.meter.ticks.at(-1)");
      const nodes = await page.ask("document.querySelectorAll('*').length");
      console.log(`  page ${heaps[0].toFixed(1)} MiB, worker ${heaps[1].toFixed(1)} MiB, module ${(bytesInUse / MIB).toFixed(0)} MiB in use, `
        + `${nodes} elements; version ${version}, ${answers} answers`);
      return { page: heaps[0], worker: heaps[1], module: bytesInUse / MIB, nodes, version, answers };
    };
    const looks = [];
    for (let third = 1; third <= 3; third++) {
      await new Promise((done) => {
        setTimeout(done, (1000 * SECONDS) / 3);
      });
      looks.push(await look());
    }
    const [first, , last] = looks;
    assert.ok(last.page < first.page + HEAP_MORE && last.worker < first.worker + HEAP_MORE);
    assert.ok(last.module <= MODULE_MOST);
    assert.equal(last.nodes, first.nodes);
    assert.ok(last.version > first.version && last.answers > first.answers, "they still walk and are answered");
    assert.equal(await page.ask("document.getElementById('sentence').textContent"), "");
    assert.deepEqual(page.console, []);
  } finally {
    await browser.close();
  }
});

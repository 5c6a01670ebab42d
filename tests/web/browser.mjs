// Debian's chromium without a window, driven by its DevTools protocol over a pipe.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const START_MS = 120000; // a loaded machine takes long

export class Browser {
  #calls = new Map(); // by id
  #listeners = []; // { session, method, heard }
  #last = 0;
  #rest = "";

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "replan-web-"));
    const flags = ["--headless=new", "--remote-debugging-pipe", `--user-data-dir=${this.folder}`, "--no-sandbox", "--no-first-run",
      "--disable-gpu", "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
      "about:blank"];
    this.process = spawn("chromium", flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.ended = new Promise((done) => {
      this.process.on("exit", done);
    });
    this.process.stdio[4].setEncoding("utf8").on("data", (text) => this.#read(text));
  }

  #read(text) {
    const messages = (this.#rest + text).split("\0");
    this.#rest = messages.pop();
    for (const message of messages.map((json) => JSON.parse(json))) {
      const call = this.#calls.get(message.id);
      if (call !== undefined) {
        this.#calls.delete(message.id);
        (message.error ? call.refuse : call.done)(message.error ? new Error(`${call.method}: ${message.error.message}`) : message.result);
      } else {
        this.#listeners.filter(({ session, method }) => session === message.sessionId && method === message.method)
          .forEach(({ heard }) => heard(message.params));
      }
    }
  }

  call(method, params = {}, sessionId = undefined) {
    const id = ++this.#last;
    return new Promise((done, refuse) => {
      const timer = setTimeout(() => refuse(new Error(`${method}: no answer in ${START_MS} ms`)), START_MS);
      const end = (next) => (value) => {
        clearTimeout(timer);
        next(value);
      };
      this.#calls.set(id, { done: end(done), refuse: end(refuse), method });
      this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  on(session, method, heard) {
    this.#listeners.push({ session, method, heard });
  }

  /** A page of its own, of a size in CSS pixels. */
  async open(width, height, { isDark = false, isPhone = false } = {}) {
    const { browserContextId } = await this.call("Target.createBrowserContext");
    const { targetId } = await this.call("Target.createTarget", { url: "about:blank", browserContextId, width, height });
    const { sessionId } = await this.call("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId, browserContextId);
    await page.begin(width, height, isDark, isPhone);
    return page;
  }

  async close() {
    await this.call("Browser.close").catch(() => this.process.kill());
    await this.ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Page {
  console = []; // messages, exceptions and complaints of the browser
  requests = []; // all but the page itself

  constructor(browser, session, target, context) {
    Object.assign(this, { browser, session, target, context });
  }

  call(method, params) {
    return this.browser.call(method, params, this.session);
  }

  async begin(width, height, isDark, isPhone) {
    const hear = (method, heard) => this.browser.on(this.session, method, heard);
    hear("Runtime.consoleAPICalled", ({ type, args }) => this.console.push(`${type}: ${args.map(({ value, description }) => value ?? description).join(" ")}`));
    hear("Runtime.exceptionThrown", ({ exceptionDetails }) => this.console.push(`exception: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`));
    hear("Log.entryAdded", ({ entry }) => this.console.push(`${entry.source}: ${entry.text}`));
    hear("Network.requestWillBeSent", ({ request }) => this.requests.push(request.url));
    for (const domain of ["Runtime", "Log", "Network", "Page"]) {
      await this.call(`${domain}.enable`);
    }
    await this.call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: isPhone ? 2 : 1, mobile: isPhone });
    await this.call("Emulation.setTouchEmulationEnabled", { enabled: isPhone });
    await this.call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: isDark ? "dark" : "light" }] });
  }

  async load(url) {
    await this.call("Page.navigate", { url });
    await this.until("location.protocol === 'file:' && document.readyState === 'complete'");
  }

  /** The value of an expression in the page; a promise is awaited. */
  async ask(expression) {
    const { result, exceptionDetails } = await this.call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) {
      throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    }
    return result.value;
  }

  /** Wait until an expression is true. @returns its value */
  async until(expression, ms = 120000) {
    for (const end = Date.now() + ms; ;) {
      const value = await this.ask(expression);
      if (value) {
        return value;
      }
      if (Date.now() > end) {
        throw new Error(`in ${ms} ms this did not become true: ${expression}\n${await this.ask("document.body.innerText")}\n${this.console.join("\n")}`);
      }
      await new Promise((done) => {
        setTimeout(done, 60);
      });
    }
  }

  async mouse(type, x, y, more = {}) {
    await this.call("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1, ...more });
  }

  async drag(from, to) {
    await this.mouse("mouseMoved", ...from, { button: "none" });
    await this.mouse("mousePressed", ...from);
    for (let i = 1; i <= 8; i++) {
      await this.mouse("mouseMoved", from[0] + ((to[0] - from[0]) * i) / 8, from[1] + ((to[1] - from[1]) * i) / 8, { buttons: 1 });
    }
    await this.mouse("mouseReleased", ...to);
  }

  async key(key) {
    await this.call("Input.dispatchKeyEvent", { type: "keyDown", key, text: key.length === 1 ? key : undefined });
    await this.call("Input.dispatchKeyEvent", { type: "keyUp", key });
  }

  async picture() {
    const { data } = await this.call("Page.captureScreenshot", { format: "png" });
    return Buffer.from(data, "base64");
  }

  async close() {
    await this.browser.call("Target.closeTarget", { targetId: this.target });
  }
}

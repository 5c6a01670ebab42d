// A real repland on free ports, for the tests of this folder. REPLAND: its program.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const SOCKETS = ["changes", "paths", "control", "poses"];

export class Daemon {
  static async start(...flags) {
    const self = new Daemon();
    self.flags = flags;
    await self.run(Object.fromEntries(SOCKETS.map((name) => [name, "tcp://127.0.0.1:*"])));
    return self;
  }

  async run(endpoints) {
    const words = SOCKETS.flatMap((name) => [`--${name}`, endpoints[name]]);
    this.process = spawn(process.env.REPLAND, [...words, ...this.flags], { stdio: ["ignore", "ignore", "pipe"] });
    this.ended = once(this.process, "exit");
    for await (const line of createInterface(this.process.stderr)) {
      const told = Object.fromEntries(line.split(" ").map((word) => word.split(/=(.*)/s)));
      if (told.control !== undefined) {
        this.endpoints = told;
        this.process.stderr.resume();
        return;
      }
    }
    throw new Error("the daemon did not start");
  }

  get control() {
    return this.endpoints.control;
  }

  async kill() {
    this.process.kill("SIGKILL");
    await this.ended;
  }

  /** After kill(), at the same endpoints. */
  async startAgain() {
    await this.run(this.endpoints);
  }

  async stop() {
    this.process.kill("SIGCONT");
    this.process.kill("SIGTERM");
    await this.ended;
  }
}

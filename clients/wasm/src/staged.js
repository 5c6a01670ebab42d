// A large change that is prepared in slices, so that no frame has to wait for it.
import * as check from "./arguments.js";
import { ReplanError } from "./errors.js";

export class StagedChange {
  #module;
  #self;
  #forget;

  /** Use World.stage(). @param forget called when it is closed */
  constructor(module, self, forget) {
    this.#module = module;
    this.#self = self;
    this.#forget = forget;
  }

  /** Go on. @param budget in work that takes as long as so many expansions @returns true when there is more to do */
  work(budget) {
    return this.#module.exports.staged_work(this.#open(), check.budget("budget", budget)) !== 0;
  }

  /** Nothing is left to prepare, and the world has not changed since. */
  get isReady() {
    return this.#module.exports.staged_is_ready(this.#open()) !== 0;
  }

  /** Make the change, and close this: at once when it is ready, else in the time that writeRect() takes. */
  apply() {
    this.#module.check(this.#module.exports.staged_apply(this.#open()), "write cells");
    this.close();
  }

  /** Give it up. Closing twice is fine. */
  close() {
    if (this.#self !== 0) {
      this.#module.exports.staged_close(this.#self);
      this.#self = 0;
      this.#forget(this);
    }
  }

  #open() {
    if (this.#self === 0) {
      throw new ReplanError("CLOSED", "the staged change is closed");
    }
    return this.#self;
  }
}

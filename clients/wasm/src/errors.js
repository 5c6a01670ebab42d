/** A refusal. `sentence` names what is wrong and the limit; `argument` is the name of what was given. */
export class ReplanError extends Error {
  /**
   * @param {string} status one word: "INVALID", "UNKNOWN", "EXISTS", "LIMIT", "UNSUPPORTED", "MEMORY", "CLOSED"
   * @param {string} sentence
   * @param {string} [argument]
   */
  constructor(status, sentence, argument) {
    super(`${sentence} (${status})`);
    this.name = "ReplanError";
    this.status = status;
    this.sentence = sentence;
    this.argument = argument;
  }
}

/** The words for rp_status_t. */
export const STATUSES = { "-1": "INVALID", "-2": "MEMORY", "-3": "UNSUPPORTED", "-4": "UNKNOWN", "-5": "EXISTS", "-6": "LIMIT" };

/** What a refusal is called: the statuses of a daemon, and what only a client says. */
export type Status = "INVALID" | "UNKNOWN" | "EXISTS" | "LIMIT" | "LATE" | "TIMEOUT" | "UNSUPPORTED" | "GONE" | "NO_DAEMON" | "CLOSED";

/** A refusal: of the daemon, or of a wrong argument before it is sent. */
export class ReplanError extends Error {
  /** What is wrong, and the limit. */
  readonly sentence: string;

  constructor(
    readonly status: Status,
    sentence: string,
    /** Name of the argument, as `points[3][1]`; undefined where the daemon refused: its sentence names the field. */
    readonly argument?: string,
  ) {
    super(`${status}: ${sentence}`);
    this.name = new.target.name;
    this.sentence = sentence;
  }
}

/** Nobody listens, or the daemon went away. */
export class NoDaemon extends ReplanError {
  constructor(sentence: string) {
    super("NO_DAEMON", sentence);
  }
}

// The messages, and what their fields are in JavaScript.
import type Long from "long";
import { replan } from "./messages";

export import v1 = replan.v1;

/** A field of 64 bits. Numbers of the daemon count events or microseconds: all are below 2^53. */
export function number(value: number | Long | null | undefined): number {
  return value == null ? 0 : typeof value === "number" ? value : value.toNumber();
}

/** A cost as the wire tells it: -1 is none, as there is no path. */
export function costOf(value: number | null | undefined): number | null {
  return value == null || value < 0 ? null : value;
}

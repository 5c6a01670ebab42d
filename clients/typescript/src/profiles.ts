import * as check from "./arguments";
import type { Bytes } from "./arguments";
import { v1 } from "./wire";

/** What a world's bytes mean to one kind of mover. */
export interface Profile {
  name: string;
  /** By byte: 0 blocks, else the factor of a move's cost [256]. Without them those of `like`. */
  factors?: Bytes;
  /** Factor of normal ground; 1. */
  unit?: number;
  like?: "factor" | "costmap";
  /** What byte 255 counts as: "free" (the default), "blocked", or a factor. */
  unknown?: "free" | "blocked" | number;
  /** Bytes that block without being an obstacle: an agent there finds a way out. */
  inscribed?: Bytes;
}

export function profileOf(name: string, value: Profile): v1.IProfile {
  const options = check.options<Profile>(name, value, ["name", "factors", "unit", "like", "unknown", "inscribed"]);
  const unknown = options.unknown ?? "free";
  const isFactor = typeof unknown === "number";
  return {
    name: check.called(`${name}.name`, options.name),
    ...(options.factors === undefined ? { like: check.choice(`${name}.like`, options.like ?? "factor", ["factor", "costmap"] as const) }
      : { factors: check.octetsOf(`${name}.factors`, options.factors, 256), unit: check.whole(`${name}.unit`, options.unit ?? 1, 1, 255) }),
    unknown: isFactor ? v1.Unknown.AS_FACTOR
      : check.choice(`${name}.unknown`, unknown, ["free", "blocked"] as const) === "free" ? v1.Unknown.AS_FREE : v1.Unknown.AS_BLOCKED,
    unknownFactor: isFactor ? check.whole(`${name}.unknown`, unknown, 1, 255) : 0,
    inscribed: options.inscribed === undefined ? new Uint8Array(0) : check.octets(`${name}.inscribed`, options.inscribed),
  };
}

/** A byte that is an obstacle by a world's profile; null where none is. */
export function blockerOf(profile: string, profiles: v1.IProfile[]): number | null {
  const own = profiles.find((one) => one.name === profile) ?? { like: profile };
  const inscribed = own.inscribed ?? new Uint8Array(0);
  if (own.factors != null) {
    const byte = own.factors.subarray(0, 255).findIndex((factor, i) => factor === 0 && !inscribed.includes(i));
    return byte < 0 ? null : byte;
  }
  const byte = own.like === "costmap" ? 254 : 0;
  return inscribed.includes(byte) ? null : byte;
}

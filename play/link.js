// Links: the fragment of the page's address holds the world, its seed, the settings, and what was drawn.
import { SEED_MOST, SETTINGS, SIDE_MOST, CELLS_MOST, SWITCHED } from "./settings.js";
import { SCENES } from "./scenes.js";
import { WORLDS } from "./worlds.js";

const LETTERS_MOST = 200000;
const UNPACKED_MOST = 4 << 20;

/** A sentence for the page. */
export class Complaint extends Error {}

// ---- what was drawn: runs of cells, as numbers of 7 bits a byte

/** The cells in which two worlds differ: gap, length, byte of each run. */
export function differencesOf(before, after) {
  const bytes = [];
  const number = (value) => {
    for (; value > 127; value = Math.floor(value / 128)) {
      bytes.push((value % 128) + 128);
    }
    bytes.push(value);
  };
  for (let i = 0, last = 0; i < after.length;) {
    if (after[i] === before[i]) {
      i++;
      continue;
    }
    let end = i + 1;
    while (end < after.length && after[end] === after[i] && after[end] !== before[end]) {
      end++;
    }
    number(i - last);
    number(end - i);
    bytes.push(after[i]);
    i = end;
    last = end;
  }
  return Uint8Array.from(bytes);
}

/** Write differences over a world. Throws a Complaint, and nothing is written then. */
export function applyDifferences(data, differences) {
  const made = data.slice();
  let place = 0;
  const number = () => {
    for (let value = 0, weight = 1; place < differences.length && weight <= 2 ** 28; weight *= 128) {
      const byte = differences[place++];
      value += (byte & 127) * weight;
      if (byte < 128) {
        return value;
      }
    }
    throw new Complaint("the changes in this link are cut off or forged");
  };
  for (let cell = 0; place < differences.length;) {
    cell += number();
    const end = cell + number();
    if (end > made.length || place >= differences.length) {
      throw new Complaint("the changes in this link are cut off, or lie outside the world");
    }
    made.fill(differences[place++], cell, end);
    cell = end;
  }
  data.set(made);
}

// ---- bytes as letters of an address

async function through(bytes, transform, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const pieces = [];
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) {
      return new Uint8Array(await new Blob(pieces).arrayBuffer());
    }
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new Complaint(`the changes in this link unpack to more than ${most} bytes`);
    }
    pieces.push(value);
  }
}

export async function lettersOf(bytes) {
  const packed = await through(bytes, new CompressionStream("deflate-raw"), Infinity);
  const text = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function bytesOf(letters) {
  try {
    const packed = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    return await through(packed, new DecompressionStream("deflate-raw"), UNPACKED_MOST);
  } catch (error) {
    throw error instanceof Complaint ? error : new Complaint("the changes in this link are cut off or forged");
  }
}

// ---- the fragment

/** "#world=city&seed=7&.." */
export function fragmentOf({ world, seed, size, frame, settings, cells }) {
  const parts = [["world", world], ...(size ? [["size", size.join("x")]] : [["seed", seed]]),
    ...(frame ? [["costmap", [frame.resolution, ...frame.origin].join("_")]] : [])];
  for (const [name, value] of Object.entries(settings)) {
    parts.push([name, typeof value === "boolean" ? Number(value) : value]);
  }
  return `#${[...parts, ...(cells ? [["cells", cells]] : [])].map(([name, value]) => `${name}=${value}`).join("&")}`;
}

function wholeOf(name, text, least, most) {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(value >= least && value <= most)) {
    throw new Complaint(`${name} is ${shortened(text)}, it must be a whole number from ${least} to ${most}`);
  }
  return value;
}

function realOf(name, text, least, most) {
  const value = /^-?\d{1,12}(\.\d{1,20})?(e-?\d{1,2})?$/.test(text) ? Number(text) : NaN;
  if (!(value >= least && value <= most)) {
    throw new Complaint(`${name} is ${shortened(text)}, it must be a number from ${least} to ${most}`);
  }
  return value;
}

const shortened = (text) => `"${text.length > 40 ? `${text.slice(0, 40)}..` : text}"`;

/**
 * What a fragment says; what it leaves out is null or absent. Throws a Complaint.
 * @returns {{ world: string, seed: number | null, size: number[] | null, frame: object | null, settings: object, cells: string | null } | null}
 *   null: the fragment is empty
 */
export function readFragment(fragment) {
  const text = fragment.replace(/^#/, "");
  if (text === "") {
    return null;
  }
  if (text.length > LETTERS_MOST) {
    throw new Complaint(`it has ${text.length} letters, at most ${LETTERS_MOST} are read`);
  }
  const link = { world: null, seed: null, size: null, frame: null, settings: {}, cells: null, scene: null };
  for (const part of text.split("&")) {
    const [, name, value] = /^([a-z]+)=(.*)$/s.exec(part) ?? [];
    if (name === undefined) {
      throw new Complaint(`${shortened(part)} is not of the form name=value`);
    }
    read(link, name, value);
  }
  if (link.scene !== null && text.includes("&")) {
    throw new Complaint("it names a scene, and more beside it");
  }
  if (link.scene !== null) {
    return link;
  }
  if (link.world === null || (link.world === "map") !== (link.size !== null)) {
    throw new Complaint("it names no world, or a map without its size");
  }
  if (link.frame !== null && link.size === null) {
    throw new Complaint("it has the frame of a costmap, and no map");
  }
  return link;
}

function read(link, name, value) {
  if (name === "world") {
    if (value !== "map" && !WORLDS.some((world) => world.name === value)) {
      throw new Complaint(`it names the world ${shortened(value)}, which this page does not have`);
    }
    link.world = value;
  } else if (name === "scene") {
    if (!SCENES.some((scene) => scene.name === value)) {
      throw new Complaint(`it names the scene ${shortened(value)}, which this page does not have`);
    }
    link.scene = value;
  } else if (name === "seed") {
    link.seed = wholeOf(name, value, 0, SEED_MOST);
  } else if (name === "size") {
    const sides = value.split("x");
    if (sides.length !== 2) {
      throw new Complaint(`size is ${shortened(value)}, it must be two numbers, as 160x100`);
    }
    link.size = sides.map((side) => wholeOf(name, side, 1, SIDE_MOST));
    if (link.size[0] * link.size[1] > CELLS_MOST) {
      throw new Complaint(`its map has ${link.size[0] * link.size[1]} cells, at most ${CELLS_MOST} are shown`);
    }
  } else if (name === "costmap") {
    const numbers = value.split("_");
    if (numbers.length !== 4) {
      throw new Complaint(`costmap is ${shortened(value)}, it must be four numbers: resolution, x, y, yaw`);
    }
    const [resolution, ...origin] = numbers.map((number, i) => realOf(name, number, i === 0 ? 0.0001 : -1e9, 1e9));
    link.frame = { resolution, origin };
  } else if (name === "cells") {
    if (!/^[A-Za-z0-9_-]+$/.test(value)) {
      throw new Complaint("its changes hold letters that do not belong there");
    }
    link.cells = value;
  } else if (name === "planner") {
    if (!/^[a-z0-9-]{1,20}$/.test(value)) {
      throw new Complaint(`it names the planner ${shortened(value)}, which is none`);
    }
    link.settings.planner = value;
  } else if (name in SETTINGS && Object.hasOwn(SETTINGS, name)) {
    link.settings[name] = wholeOf(name, value, SETTINGS[name].least, SETTINGS[name].most);
  } else if (Object.hasOwn(SWITCHED, name)) {
    link.settings[name] = wholeOf(name, value, 0, 1) === 1;
  } else {
    throw new Complaint(`it sets ${shortened(name)}, which this page does not know`);
  }
}

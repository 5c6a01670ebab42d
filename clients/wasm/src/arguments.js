// Arguments are checked before the module sees them: each check gives the value back, or refuses it by name and limit.
import { ReplanError } from "./errors.js";

/** Greatest width and height: RP_GRID_SIDE_MAX. */
export const SIDE_MAX = 16384;

/**
 * Greatest number of cells of a world: a quarter of 2^28, about what the daemon takes. The module's addresses have
 * 32 bits, and a world with a search takes some 20 bytes a cell: beyond 4 GiB for 2^28 cells, 1.3 GiB for these.
 */
export const CELLS_MAX = 1 << 26;

/** The profiles of one grid: what its bytes mean. */
export const PROFILES = ["factor", "costmap"];

const SHOWN_MAX = 80; // characters of a value in a sentence

export function invalid(name, words) {
  return new ReplanError("INVALID", `${name} ${words}`, name);
}

/** The refusal of a value that is not of the form it must have. */
export function wrong(name, value, form) {
  return invalid(name, `is ${shown(value)}, it must be ${form}`);
}

function shown(value) {
  let text;
  try {
    text = typeof value === "string" ? JSON.stringify(value) : Array.isArray(value) ? `an array of ${value.length}`
      : typeof value === "function" ? "a function" : typeof value === "symbol" ? "a symbol"
      : value !== null && typeof value === "object" ? `an object (${value.constructor?.name ?? "no class"})` : String(value);
  } catch {
    text = "a value that cannot be shown";
  }
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)}..`;
}

/** A whole number. */
export function whole(name, value, least, most) {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw wrong(name, value, `a whole number within ${least} and ${most}`);
  }
  return value;
}

/** A finite number. */
export function real(name, value, least = -Infinity, most = Infinity) {
  if (typeof value !== "number" || !Number.isFinite(value) || value < least || value > most) {
    const limits = least === -Infinity ? "" : most === Infinity ? ` of at least ${least}` : ` within ${least} and ${most}`;
    throw wrong(name, value, `a finite number${limits}`);
  }
  return value;
}

/** Expansions: a whole number, or Infinity. */
export function budget(name, value) {
  return value === Infinity ? value : whole(name, value, 0, Number.MAX_SAFE_INTEGER);
}

export function truth(name, value) {
  if (typeof value !== "boolean") {
    throw wrong(name, value, "true or false");
  }
  return value;
}

export function text(name, value) {
  if (typeof value !== "string" || value.includes("\0")) {
    throw wrong(name, value, "a string without a character 0");
  }
  return value;
}

export function choice(name, value, words) {
  if (!words.includes(value)) {
    throw wrong(name, value, `one of ${words.map((word) => JSON.stringify(word)).join(", ")}`);
  }
  return value;
}

/** Options by name: one that is not known is refused, as it may be a slip. */
export function options(name, value, known) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw wrong(name, value, "an object");
  }
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) {
      throw invalid(`${name}.${key}`, `is no option; there are ${known.join(", ")}`);
    }
  }
  return value;
}

export function list(name, value, least = 0, most = 0xffffffff) {
  if (!Array.isArray(value) && !(ArrayBuffer.isView(value) && "length" in value)) {
    throw wrong(name, value, "an array");
  }
  if (value.length < least || value.length > most) {
    throw invalid(name, `has ${value.length} entries, it must have ${least} to ${most}`);
  }
  return value;
}

/** Bytes, whatever holds them; a copy unless it is a Uint8Array. */
export function octets(name, value) {
  if (value instanceof Uint8Array) {
    return value;
  }
  if (value instanceof ArrayBuffer) {
    return new Uint8Array(value);
  }
  if (ArrayBuffer.isView(value) && value.BYTES_PER_ELEMENT === 1) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  list(name, value, 0, CELLS_MAX);
  const bytes = new Uint8Array(value.length);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = whole(`${name}[${i}]`, value[i], 0, 255);
  }
  return bytes;
}

/** So many bytes. */
export function octetsOf(name, value, count) {
  if (value !== null && typeof value === "object" && value.length !== undefined && value.length !== count) {
    throw invalid(name, `has ${value.length} bytes, it must have ${count}`);
  }
  const bytes = octets(name, value);
  if (bytes.length !== count) {
    throw invalid(name, `has ${bytes.length} bytes, it must have ${count}`);
  }
  return bytes;
}

/** A point [x, y] of finite numbers. */
export function point(name, value) {
  if (list(name, value).length !== 2) {
    throw invalid(name, `has ${value.length} entries, it must be [x, y]`);
  }
  return [real(`${name}[0]`, value[0]), real(`${name}[1]`, value[1])];
}

export function points(name, value, least, most) {
  return Array.from(list(name, value, least, most), (entry, i) => point(`${name}[${i}]`, entry));
}

/** A cell [x, y] inside. */
export function cell(name, value, width, height) {
  if (list(name, value).length !== 2) {
    throw invalid(name, `has ${value.length} entries, it must be [x, y]`);
  }
  return [whole(`${name}[0]`, value[0], 0, width - 1), whole(`${name}[1]`, value[1], 0, height - 1)];
}

/** Cells as y * width + x. */
export function cells(name, value, width, height) {
  return Uint32Array.from(list(name, value), (entry, i) => {
    const [x, y] = cell(`${name}[${i}]`, entry, width, height);
    return y * width + x;
  });
}

/** A rectangle inside, of at least one cell. @param of stands before the names of its arguments */
export function rectangle(x, y, width, height, sides, of = "") {
  whole(`${of}x`, x, 0, sides.width - 1);
  whole(`${of}y`, y, 0, sides.height - 1);
  whole(`${of}width`, width, 1, sides.width - x);
  whole(`${of}height`, height, 1, sides.height - y);
}

/**
 * The sides and bytes of a grid, which is told as a matrix or as width, height and perhaps data and fill.
 * @returns {{width: number, height: number, data: Uint8Array | null, fill: number}} fill: -1 for normal ground
 */
export function grid(name, value) {
  if (value.matrix !== undefined) {
    return { ...matrix(`${name}.matrix`, value.matrix), fill: -1 };
  }
  const width = whole(`${name}.width`, value.width, 1, SIDE_MAX);
  const height = whole(`${name}.height`, value.height, 1, SIDE_MAX);
  count(name, width, height);
  return {
    width,
    height,
    data: value.data == null ? null : octetsOf(`${name}.data`, value.data, width * height),
    fill: value.fill == null ? -1 : whole(`${name}.fill`, value.fill, 0, 255),
  };
}

function count(name, width, height) {
  if (width * height > CELLS_MAX) {
    throw new ReplanError("LIMIT", `${name} has ${width * height} cells, it may have ${CELLS_MAX}`, name);
  }
}

/** Rows of bytes: matrix[y][x]. */
export function matrix(name, value) {
  const height = list(name, value, 1, SIDE_MAX).length;
  const width = list(`${name}[0]`, value[0], 1, SIDE_MAX).length;
  count(name, width, height);
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = list(`${name}[${y}]`, value[y]);
    if (row.length !== width) {
      throw invalid(`${name}[${y}]`, `has ${row.length} cells, it must have ${width} as the first row`);
    }
    for (let x = 0; x < width; x++) {
      const byte = row[x];
      if (!(byte >= 0 && byte <= 255 && Number.isInteger(byte))) {
        throw wrong(`${name}[${y}][${x}]`, byte, "a whole number within 0 and 255");
      }
      data[y * width + x] = byte;
    }
  }
  return { width, height, data };
}

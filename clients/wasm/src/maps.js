// Maps, by the readers of repland: never decoded by a canvas, which gives other bytes.
import * as check from "./arguments.js";
import { ReplanError } from "./errors.js";

const NAME_BYTES = 1024; // RP_MAP_NAME_BYTES
const SENTENCE_BYTES = 512; // of rp_complaint_t

/** Name of the picture that a map_server's YAML needs, or null. */
export function mapPicture(module, bytes) {
  return module.lend((put) => {
    const file = check.octets("bytes", bytes);
    const name = put.room(NAME_BYTES);
    return module.exports.map_refers(put.bytes(file), file.length, name) !== 0 ? module.string(name) : null;
  });
}

/**
 * Read a map: MovingAI .map, PNG, PGM, rows of . and #, or a map_server's YAML with its picture.
 * @returns what createWorld() takes: width, height, data, profile, resolution, origin
 */
export function readMap(module, bytes, name = "map", picture = null) {
  const file = check.octets("bytes", bytes);
  check.text("name", name);
  const other = picture === null ? null : check.octets("picture", picture);
  return module.lend((put) => {
    const told = put.room(8 * 8);
    const sentence = put.room(SENTENCE_BYTES);
    const status = module.exports.map_read(put.bytes(file), file.length, put.string(name), put.bytes(other), other?.length ?? 0,
      put.string("picture"), told, sentence);
    if (status === -1) {
      throw new ReplanError("INVALID", module.string(sentence), "bytes");
    }
    module.check(status, "read the map");
    const [width, height, place, profile, resolution, ...origin] = module.doubles(told, 8);
    const data = module.bytes.slice(place, place + width * height);
    module.free(place);
    return { width, height, data, profile: check.PROFILES[profile], resolution, origin };
  });
}

/**
 * Write a map; the suffix of the name chooses the format: .map, .png, .pgm. With .yaml two files are made.
 * @returns {Record<string, Uint8Array>} bytes by name
 */
export function writeMap(module, map, name) {
  check.options("map", map, ["width", "height", "data", "fill", "profile", "resolution", "origin"]);
  const grid = check.grid("map", map);
  const data = grid.data ?? new Uint8Array(grid.width * grid.height).fill(grid.fill === -1 ? 1 : grid.fill);
  const origin = check.list("map.origin", map.origin ?? [0, 0, 0], 2, 3);
  const numbers = [grid.width, grid.height, check.PROFILES.indexOf(check.choice("map.profile", map.profile ?? "factor", check.PROFILES)),
    check.real("map.resolution", map.resolution ?? 1, Number.MIN_VALUE),
    ...[0, 1, 2].map((i) => check.real(`map.origin[${i}]`, origin[i] ?? 0))];
  const make = (image) => module.lend((put) => {
    const told = put.room(2 * 8);
    module.check(module.exports.map_write(put.string(check.text("name", name)), put.doubles(numbers), put.bytes(data),
      put.string(image), told), "write the map");
    const [place, size] = module.doubles(told, 2);
    const bytes = module.bytes.slice(place, place + size);
    module.free(place);
    return bytes;
  });
  if (!/\.ya?ml$/.test(name)) {
    return { [name]: make(null) };
  }
  const image = name.replace(/\.ya?ml$/, ".pgm");
  return { [name]: make(image.slice(image.lastIndexOf("/") + 1)), [image]: make(null) };
}

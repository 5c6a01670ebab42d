// A recording, read by @mcap/core: by its indexes and as a stream. The cells of each grid equal a mirror that is kept from
// the wire's own messages of the recording. Prints what it found, one line a file; exits with 1 when something differs.
// usage: node mcap_read_back.mjs FILE...
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { loadDecompressHandlers, protobufFromBinaryDescriptor } from "@mcap/support";

class Bytes {
  constructor(bytes) {
    this.bytes = bytes;
  }
  async size() {
    return BigInt(this.bytes.length);
  }
  async read(offset, size) {
    return new Uint8Array(this.bytes.buffer, this.bytes.byteOffset + Number(offset), Number(size));
  }
}

class Mirror {
  isWhole = false;

  take(message) {
    if (message.chunk) {
      this.takeChunk(message.chunk);
    } else if (message.delta && this.isWhole) {
      this.takeDelta(message.delta);
    }
  }

  takeChunk(chunk) {
    const { width, height } = chunk.geometry;
    const cells = new Uint8Array(width * height);
    cells.set(chunk.data, (chunk.first_row ?? 0) * width);
    const epoch = String(chunk.epoch);
    if (this.isWhole && epoch === this.epoch && Number(chunk.version) === this.version) {
      assert.deepEqual(cells, this.cells, "a snapshot is what the deltas before it say");
    }
    Object.assign(this, { width, height, cells, epoch, version: Number(chunk.version), isWhole: true });
  }

  takeDelta(delta) {
    assert.equal(Number(delta.version), this.version + 1);
    this.version++;
    if (delta.geometry) {
      this.move(delta);
    }
    for (let i = 0; i < delta.width * delta.height; i++) {
      const at = (delta.y + Math.floor(i / delta.width)) * this.width + delta.x + (i % delta.width);
      this.cells[at] = delta.rect === "data" ? delta.data[i] : delta.fill;
    }
    delta.cells.forEach((cell, i) => (this.cells[cell] = delta.values[delta.values.length > 1 ? i : 0]));
  }

  move({ geometry: { width, height }, moved_x: movedX, moved_y: movedY, rects, rect_data: rectData }) {
    const cells = new Uint8Array(width * height);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const [fromX, fromY] = [x + movedX, y + movedY];
        if (fromX >= 0 && fromY >= 0 && fromX < this.width && fromY < this.height) {
          cells[y * width + x] = this.cells[fromY * this.width + fromX];
        }
      }
    }
    let at = 0;
    for (let i = 0; i < rects.length; i += 4) {
      const [x, y, columns, rows] = rects.slice(i, i + 4);
      for (let cell = 0; cell < columns * rows; cell++) {
        cells[(y + Math.floor(cell / columns)) * width + x + (cell % columns)] = rectData[at++];
      }
    }
    Object.assign(this, { width, height, cells });
  }
}

/** The line of an agent that drives is its curve: it begins where the first segment does, and each arc bulges. */
function checkCurve({ segment_x: x, segment_y: y, segment_length: lengths }, { lines: [{ points }] }) {
  const [first] = points;
  assert.ok(Math.hypot(first.x - x[0], first.y - y[0]) < 1e-9, "it begins where the curve does");
  const walked = points.slice(1).reduce((sum, point, i) => sum + Math.hypot(point.x - points[i].x, point.y - points[i].y), 0);
  const length = lengths.reduce((sum, value) => sum + Math.abs(value), 0);
  assert.ok(walked <= length + 1e-6 && walked >= 0.97 * length - 1e-6, `${walked} of ${length} m`);
}

async function readBack(file) {
  const decompressHandlers = await loadDecompressHandlers();
  const bytes = readFileSync(file);
  const stream = new McapStreamReader({ decompressHandlers });
  stream.append(bytes);
  const types = new Map();
  const channels = new Map();
  const mirrors = new Map();
  const counts = {};
  const curves = new Map(); // by agent: the newest answer that has one
  let points = 0;
  let driven = 0;
  for (let record; (record = stream.nextRecord()); ) {
    if (record.type === "Schema") {
      types.set(record.id, protobufFromBinaryDescriptor(record.data).lookupType(record.name));
    } else if (record.type === "Channel") {
      channels.set(record.id, record);
    } else if (record.type === "Message") {
      const channel = channels.get(record.channelId);
      const [, world, kind] = channel.topic.split("/");
      const type = types.get(channel.schemaId);
      const message = type.decode(record.data);
      counts[kind] = (counts[kind] ?? 0) + 1;
      if (!mirrors.has(world)) {
        mirrors.set(world, new Mirror());
      }
      const mirror = mirrors.get(world);
      if (kind === "replan") {
        mirror.take(message);
        curves.set(message.answer?.agent, message.answer?.segment_x?.length > 0 ? message.answer : undefined);
      } else if (kind === "grid") {
        assert.equal(message.column_count, mirror.width);
        assert.deepEqual(Uint8Array.from(message.data), mirror.cells);
      } else if (kind === "scene") {
        message.entities.filter(({ id }) => curves.get(id) !== undefined).forEach((entity) => checkCurve(curves.get(entity.id), entity));
        driven += message.entities.filter(({ id }) => curves.get(id) !== undefined).length;
        points += message.entities.flatMap((entity) => entity.lines).reduce((sum, line) => sum + line.points.length, 0);
      }
    }
  }
  assert.ok(stream.done());
  const reader = await McapIndexedReader.Initialize({ readable: new Bytes(bytes), decompressHandlers });
  let indexed = 0;
  let last = 0n;
  for await (const message of reader.readMessages()) {
    assert.ok(message.logTime >= last);
    last = message.logTime;
    indexed++;
  }
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  assert.equal(indexed, all);
  assert.equal(Number(reader.statistics.messageCount), all);
  assert.equal(reader.chunkIndexes.length, reader.statistics.chunkCount);
  assert.ok(counts.grid > 0 && counts.replan > 0 && counts.log > 0 && points > 0, JSON.stringify(counts));
  assert.ok(driven > 0 || !/(harbour|parking|warehouse|convoy)[^/]*$/.test(file), "who drives has curves");
  const lived = [...mirrors.values()].every((mirror) => mirror.isWhole);
  assert.ok(lived);
  console.log(`${file}: ${bytes.length} bytes, ${reader.chunkIndexes.length} chunks, ${JSON.stringify(counts)}, ${points} points, ${driven} curves`);
}

for (const file of process.argv.slice(2)) {
  await readBack(file);
}

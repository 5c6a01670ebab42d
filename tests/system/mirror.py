"""A map as msgs/README.md says to keep one."""

MASK = 2**64 - 1


def cell_hash(index, byte):
    z = index * 256 + byte
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


class Mirror:
    """Its bytes, the version that they are, and whether they are all there."""

    def __init__(self):
        self.width, self.cells, self.version, self.is_whole = 0, bytearray(), 0, False

    def take(self, message):
        kind = message.WhichOneof("body")
        if kind == "chunk":
            self.take_chunk(message.chunk)
        elif kind == "delta":
            self.take_delta(message.delta)
        return message.head if kind == "head" else None

    def take_chunk(self, chunk):
        if chunk.first:
            self.width = chunk.geometry.width
            self.cells = bytearray(self.width * chunk.geometry.height)
            self.version = chunk.version
        assert chunk.version == self.version, "a delta is missing before a chunk"
        at = chunk.first_row * self.width
        self.cells[at:at + len(chunk.data)] = chunk.data
        self.is_whole = chunk.last

    def move(self, delta):
        """Another window: all cells move, then come those that are new."""
        was, old_width, old_height = self.cells, self.width, len(self.cells) // self.width
        self.width, height = delta.geometry.width, delta.geometry.height
        self.cells = bytearray(self.width * height)
        for y in range(max(0, -delta.moved_y), min(height, old_height - delta.moved_y)):
            for x in range(max(0, -delta.moved_x), min(self.width, old_width - delta.moved_x)):
                self.cells[y * self.width + x] = was[(y + delta.moved_y) * old_width + x + delta.moved_x]
        at = 0
        for x, y, width, rows in zip(*[iter(delta.rects)] * 4):
            for row in range(y, y + rows):
                self.cells[row * self.width + x:row * self.width + x + width] = delta.rect_data[at:at + width]
                at += width

    def take_delta(self, delta):
        assert delta.version == self.version + 1, "a hole"
        self.version = delta.version
        if delta.HasField("geometry"):
            self.move(delta)
        for row in range(delta.height):
            at = (delta.y + row) * self.width + delta.x
            data = delta.data[row * delta.width:(row + 1) * delta.width]
            fill = bytes([delta.fill]) * delta.width
            self.cells[at:at + delta.width] = data if delta.WhichOneof("rect") == "data" else fill
        for number, cell in enumerate(delta.cells):
            self.cells[cell] = delta.values[number if len(delta.values) > 1 else 0]

    def hash(self):
        total = 0
        for index, byte in enumerate(self.cells):
            total ^= cell_hash(index, byte)
        return total

// shrink makes a screenshot smaller: text on few colours needs no more than 256 of them,
// and one byte a pixel. Colours that are seldom become the nearest of the frequent ones.
import { crc32, deflateSync, inflateSync } from "node:zlib";

export function shrink(png) {
  const { width, height, bytes, pixels } = decode(png);
  const seen = new Map();
  for (let i = 0; i < pixels.length; i += bytes) {
    const c = (pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2];
    seen.set(c, (seen.get(c) ?? 0) + 1);
  }
  const palette = [...seen]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 256)
    .map(([c]) => c);
  const index = new Map(palette.map((c, i) => [c, i]));
  const rows = Buffer.alloc(height * (width + 1)); // each row begins with its filter, 0: none
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i += bytes) {
      const c = (pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2];
      if (!index.has(c)) index.set(c, nearest(palette, c));
      rows[y * (width + 1) + 1 + x] = index.get(c);
    }
  return encode(width, height, palette, rows);
}

function nearest(palette, c) {
  let best = 0,
    least = Infinity;
  palette.forEach((p, i) => {
    const d = (p >> 16) - (c >> 16),
      e = ((p >> 8) & 255) - ((c >> 8) & 255),
      f = (p & 255) - (c & 255);
    const far = d * d + e * e + f * f;
    if (far < least) {
      least = far;
      best = i;
    }
  });
  return best;
}

// decode reads what chromium writes: 8 bits a channel, RGB or RGBA, not interlaced.
function decode(png) {
  const width = png.readUInt32BE(16),
    height = png.readUInt32BE(20),
    bytes = png[25] === 6 ? 4 : 3;
  const parts = [];
  for (let at = 8; at < png.length;) {
    const n = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(png.subarray(at + 8, at + 8 + n));
    at += n + 12;
  }
  const raw = inflateSync(Buffer.concat(parts)),
    line = width * bytes,
    pixels = Buffer.alloc(line * height);
  for (let y = 0; y < height; y++)
    for (let x = 0, filter = raw[y * (line + 1)]; x < line; x++) {
      const at = y * line + x;
      const a = x < bytes ? 0 : pixels[at - bytes],
        b = y ? pixels[at - line] : 0,
        c = x < bytes || !y ? 0 : pixels[at - line - bytes];
      pixels[at] =
        raw[y * (line + 1) + 1 + x] +
        [0, a, b, (a + b) >> 1, filter === 4 ? paeth(a, b, c) : 0][filter];
    }
  return { width, height, bytes, pixels };
}

function paeth(a, b, c) {
  const p = a + b - c,
    x = Math.abs(p - a),
    y = Math.abs(p - b),
    z = Math.abs(p - c);
  return x <= y && x <= z ? a : y <= z ? b : c;
}

function encode(width, height, palette, rows) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8); // 8 bits an index, colours from a palette
  const colours = Buffer.from(palette.flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255]));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(kind, data) {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]),
    out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

// Text as pages hold it: gzip in the characters of internal/base91.
import { gunzipSync, gzipSync } from "node:zlib";

const characters = String.fromCharCode(...Array.from({ length: 91 }, (_, i) => 35 + i)).replace(
  "<",
  "!",
);

export function packed(text) {
  let out = "",
    bits = 0,
    n = 0;
  for (const b of gzipSync(text)) {
    bits |= b << n;
    n += 8;
    if (n < 13) continue;
    const v = bits & 8191;
    out += characters[v % 91] + characters[Math.floor(v / 91)];
    bits >>= 13;
    n -= 13;
  }
  if (n > 0) out += characters[bits % 91];
  if (n > 6) out += characters[Math.floor(bits / 91)];
  return out;
}

export function unpacked(text) {
  const bytes = [];
  for (let i = 0, bits = 0, n = 0; i < text.length; i += 2) {
    const two = i + 1 < text.length;
    bits |= (characters.indexOf(text[i]) + (two ? 91 * characters.indexOf(text[i + 1]) : 0)) << n;
    for (n += two ? 13 : 6; n >= 8; n -= 8, bits >>= 8) bytes.push(bits & 255);
  }
  return gunzipSync(Buffer.from(bytes)).toString();
}

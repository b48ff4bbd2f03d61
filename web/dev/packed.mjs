// Text as pages hold it: base64 of gzip.
import { gunzipSync, gzipSync } from "node:zlib";

export const packed = (text) => gzipSync(text).toString("base64");
export const unpacked = (text) => gunzipSync(Buffer.from(text, "base64")).toString();

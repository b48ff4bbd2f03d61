import test from "node:test";
import assert from "node:assert/strict";
import { parse, format, defaults } from "../../src/state";

test("what is written is read again, and nothing but what differs is written", () => {
  assert.equal(format(defaults), "");
  const s = {
    ...defaults,
    m: "B/op",
    v: "ratio",
    cmp: "go1.26 & <b>",
    b: "pkg.Decode/size=1",
    q: "a+b %",
    step: "7",
    t: "dark",
  };
  assert.deepEqual(parse("#" + format(s)), s);
});

test("unknown keys, unknown words and broken escapes are no matter", () => {
  assert.deepEqual(parse("#x=1&v=nonsense&__proto__=y&constructor=z&s=lin"), {
    ...defaults,
    s: "lin",
  });
  assert.equal(parse("#q=%E0%A4%A").q, "%E0%A4%A");
  assert.deepEqual(parse(""), defaults);
});

test("a section alone is an address", () => {
  assert.equal(parse("#noise").open, "noise");
  assert.equal(parse("#open=noise").open, "noise");
});

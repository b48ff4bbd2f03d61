// format.ts prints what the program prints: vectors.json is written by a Go test (internal/page/vectors_test.go).
import test from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as format from "../../src/format";

const { words, vectors } = JSON.parse(readFileSync(import.meta.dirname + "/../vectors.json"));
format.speak(words);
for (const fn of new Set(vectors.map((v) => v.fn)))
  test(fn, () => {
    const wrong = [];
    for (const v of vectors.filter((v) => v.fn === fn)) {
      const got = format[fn](...v.args);
      if (JSON.stringify(got) !== JSON.stringify(v.want))
        wrong.push(
          `${fn}(${JSON.stringify(v.args).slice(1, -1)}) = ${JSON.stringify(got)}, want ${JSON.stringify(v.want)}`,
        );
    }
    assert.equal(wrong.length, 0, wrong.slice(0, 12).join("\n"));
  });

test("what is no number is a dash", () => {
  for (const x of [NaN, Infinity, -Infinity, null, undefined]) {
    assert.equal(format.change(x, 0.01), "–");
    assert.equal(format.value("sec/op", x), "–");
  }
});

// The table of benchmarks: what is counted, filtered, sorted and grouped, and what the forest tells of a comparison.
import { test } from "node:test";
import assert from "node:assert/strict";
import { counts, filtered, grouped, sorted } from "../../src/lines.ts";
import { defaults } from "../../src/state.ts";
import { told } from "../../src/forest.tsx";
import { say, speak } from "../../src/format.ts";
import { readFileSync } from "node:fs";

const { words } = JSON.parse(readFileSync(import.meta.dirname + "/../vectors.json"));
speak({ ...words, cells: [{}, { change: "+50 %", interval: "so far" }] });

const metric = { name: "sec/op", better: "lower", min_effect: 0.01 };
const cell = (verdict, change, rest = {}) => ({
  variant: "v",
  benchmark: { name: "b" },
  value: 1 + change,
  change,
  n: 10,
  verdict,
  interval: { lo: change - 0.02, hi: change + 0.02 },
  ...rest,
});
const line = (pkg, name, c, base = 1) => ({
  key: pkg + "." + name,
  benchmark: { package: pkg, name },
  at: [{ row: { benchmark: { package: pkg, name }, base, cells: c ? [c] : [] }, c }],
});
const lines = [
  line("p", "B2", cell("slower", 0.2), 3),
  line("p", "B10", cell("faster", -0.3), 1),
  line("q", "C", cell("unclear", 0.01), 2),
  line("p", "None", undefined, 5),
  line("q", "Bare", cell("unclear", 0.9, { interval: undefined }), 4),
];
const names = (l) => l.map((x) => x.benchmark.name);

test("verdicts are counted in words, claims first", () =>
  assert.equal(counts(lines, 0), "1 slower · 1 faster · 2 unclear"));

test("the filter takes all words, in any case, and the unclear alone", () => {
  assert.deepEqual(names(filtered(lines, { ...defaults, q: "P. b" })), ["B2", "B10"]);
  assert.deepEqual(names(filtered(lines, { ...defaults, u: "1" })), ["C", "Bare"]);
  assert.equal(filtered(lines, defaults), lines);
});

test("what has no number is last, in either direction", () => {
  assert.deepEqual(names(sorted(lines, "change")), ["B10", "C", "B2", "None", "Bare"]);
  assert.deepEqual(names(sorted(lines, "-change")), ["B2", "C", "B10", "None", "Bare"]);
  assert.deepEqual(names(sorted(lines, "-base")), ["None", "Bare", "B2", "C", "B10"]);
  assert.deepEqual(names(sorted(lines, "name")), ["B2", "B10", "None", "Bare", "C"]);
  assert.deepEqual(names(sorted(lines, "verdict")).slice(0, 2), ["B2", "B10"]);
  assert.equal(sorted(lines, "nonsense"), lines);
});

test("packages have heads, and a closed one hides what it has", () => {
  const items = grouped(lines, new Set(["p"]));
  assert.deepEqual(
    items.map((i) => ("group" in i ? i.group + i.n : i.line.benchmark.name)),
    ["p3", "q2", "C", "Bare"],
  );
});

test("a comparison is told in each view, always with its interval", () => {
  const c = cell("faster", -0.128, { value: 0.872, interval: { lo: -0.139, hi: -0.117 } });
  assert.deepEqual(told(c, metric, "change"), { main: "−12.8 %", side: "[−13.9, −11.7]" });
  assert.deepEqual(told(c, metric, "ratio"), { main: "0.872×", side: "[0.861, 0.883]" });
  assert.deepEqual(told(c, metric, "value", 0.01), {
    main: "872 ms",
    side: "−12.8 % [−13.9, −11.7]",
  });
  const early = cell("unclear", 0.5, { interval: undefined, value: 1.5 });
  say(early, 1);
  assert.deepEqual(told(early, metric, "change"), { main: "+50 %", side: "so far" });
  for (const view of ["ratio", "value"])
    assert.doesNotMatch(told(early, metric, view).main, /\[/, view);
});

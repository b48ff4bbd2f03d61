import test from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pageOf, key, NewerSchema } from "../../src/data";
import { aside, mark, note, said } from "../../src/format";

// packed.json is a page with packed tables and the same tables as they were, written by a Go test.
const golden = () => JSON.parse(readFileSync(import.meta.dirname + "/../packed.json"));
// words are what plain comparisons say, while the script speaks their page's words.
const words = new Map();
const near = (a, b, name) =>
  assert.ok(
    a === b || Math.abs(a - b) <= 1.3e-4 * Math.max(Math.abs(1 + b), 1e-9),
    `${name}: ${a}, want ${b}`,
  );

function same(got, want, name) {
  assert.equal(got.length, want.length, name);
  want.forEach((w, i) => {
    const g = got[i],
      at = `${name} ${w.variant} ${key(w.benchmark)}`;
    for (const f of ["variant", "n", "verdict"]) assert.equal(g[f], w[f], at + " " + f);
    assert.equal(!!g.exact, !!w.exact, at + " exact");
    [said, note, aside, mark].forEach((f, k) => {
      if (f !== said || !w.interval) assert.deepEqual(f(g), words.get(w)[k], at + " " + f.name);
    });
    assert.deepEqual(g.benchmark, w.benchmark);
    assert.ok(
      Math.abs(g.value - w.value) <= 1e-5 * Math.abs(w.value),
      `${at}: value ${g.value}, want ${w.value}`,
    );
    near(g.change, w.change, at);
    if (w.exact) assert.equal(g.value, w.value, at);
    assert.equal(!g.interval, !w.interval, at);
    if (w.interval) {
      near(g.interval.lo, w.interval.lo, at + " lo");
      near(g.interval.hi, w.interval.hi, at + " hi");
    }
  });
}

test("packed tables are what they were", () => {
  const { page, plain } = golden(),
    { tables, noise } = pageOf(plain).first;
  const list = [
    ...tables.flatMap((t) => [
      ...t.rows.flatMap((r) => r.cells),
      ...t.steps.flatMap((s) => s.cells),
    ]),
    ...noise.cells,
  ];
  for (const c of list)
    words.set(
      c,
      [said, note, aside, mark].map((f) => f(c)),
    );
  const { first } = pageOf(page);
  tables.forEach((want, i) => {
    const got = first.tables[i],
      m = want.metric.name;
    assert.equal(got.rows.length, want.rows.length);
    want.rows.forEach((w, j) => {
      assert.deepEqual(got.rows[j].benchmark, w.benchmark);
      assert.equal(got.rows[j].base, w.base);
      same(got.rows[j].cells, w.cells, m);
    });
    want.steps.forEach((w, j) => same(got.steps[j].cells ?? [], w.cells ?? [], m + " step"));
  });
  same(first.noise.cells, noise.cells, "noise");
});

test("a page knows its benchmarks and its metrics", () => {
  const p = pageOf(golden().page);
  assert.equal(p.benchmarks.length, 24);
  assert.equal(p.metrics[0].name, "sec/op");
});

test("a newer schema is refused", () => {
  const { page } = golden();
  page.machines[0].result.schema = 99;
  assert.throws(() => pageOf(page), NewerSchema);
});

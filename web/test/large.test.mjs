// 5,000 benchmarks over 20 steps (make test-slow; else 1,000): the page stays small, in the file and in the browser, and
// everything can be reached.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import {
  dataOf,
  done,
  drawn,
  eventually,
  go,
  hashOf,
  madeFile,
  near,
  open,
  press,
  slow,
  slowTest,
  test,
} from "./pages.mjs";
import { charts, lines, paths, points, ratio, titled, yAxis } from "./plot.mjs";
import { large, nameOf, plain } from "./large.mjs";

const n = slow ? 5000 : 1000,
  count = n.toLocaleString("en");
let made;
const result = () => (made ??= large(n));
const file = () => madeFile("large", result());
const nodes = (page) => page.evaluate(() => document.querySelectorAll("*").length);

// What twenty variants need (tables of variants and steps, a row of the matrix) is there whatever the number of benchmarks.
const few = async (page, what, most = 6000) => {
  const k = await nodes(page);
  assert.ok(k < most, `${k} nodes ${what}`);
};
const names = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("#benchmarks tbody tr:not(.group) th.name bdi")].map(
      (b) => b.title || b.textContent,
    ),
  );

test("the file is at most 3 MB", (t) => {
  t.diagnostic(`${(statSync(file()).size / 1e6).toFixed(2)} MB`);
  assert.ok(statSync(file()).size <= 3_000_000, `${statSync(file()).size} bytes`);
});

test(`fewer than 1,700 nodes for ${count} benchmarks of two variants`, async (t) => {
  const page = await open(madeFile("compare", plain(n)));
  for (const hash of ["", "m=allocs/op", "v=value", "q=large", "b=" + nameOf(n - 679)]) {
    await go(page, hash);
    await few(page, "with " + hash, 1700); // of which the two drawings of the ruler are some 200
  }
  t.diagnostic(`${await nodes(page)} nodes, with a detail`);
  await done(page);
});

test(`as many nodes for ${count} benchmarks over 20 steps as for 100, whatever is chosen`, async (t) => {
  const page = await open(file()),
    small = await open(madeFile("hundred", large(100)));
  const [k, of] = [await nodes(page), await nodes(small)];
  t.diagnostic(`${k} nodes, ${of} for 100 benchmarks`);
  assert.ok(k < of + 300, `${k} nodes, ${of} for 100 benchmarks`);
  await done(small);
  await few(page, "at first");
  for (const hash of [
    "m=allocs/op",
    "v=value",
    "s=lin",
    "step=10",
    "sort=-change",
    "q=large",
    "open=noise",
    "b=" + nameOf(n - 679),
  ]) {
    await go(page, hash);
    await few(page, "with " + hash);
    assert.deepEqual(page.errors, []);
  }
  await done(page);
});

test("the last benchmark is reached by scrolling, any by its link, and those that fit by the filter", async () => {
  const page = await open(file(), { hash: "sort=name" });
  await page.evaluate(() => {
    const b = document.querySelector("#benchmarks .forest-box");
    b.scrollTop = b.scrollHeight;
  });
  await eventually(
    page,
    (name) =>
      [...document.querySelectorAll("#benchmarks tbody bdi")].some((b) =>
        (b.title || b.textContent).endsWith(name),
      ),
    nameOf(n - 1),
    "the last row",
  );
  await go(page, "b=" + encodeURIComponent("example.com/large/p2." + nameOf(n / 2)));
  await eventually(
    page,
    () => {
      const r = document.querySelector("#benchmarks tr.on")?.getBoundingClientRect();
      return r && r.top >= 0 && r.bottom <= innerHeight;
    },
    undefined,
    "the row of a link",
  );
  assert.ok(
    (
      await page.evaluate(() => document.querySelector("#benchmarks .open-detail").textContent)
    ).includes(nameOf(n / 2)),
  );
  await go(page, "q=" + nameOf(n / 4).split("/")[0]);
  assert.deepEqual(await names(page), [nameOf(n / 4)]);
  assert.match(
    await page.evaluate(() => document.querySelector("#benchmarks [role=status]").textContent),
    new RegExp("1 of " + count),
  );
  await go(page, "sort=change&q=");
  const got = await names(page),
    least = [...result().tables[0].rows]
      .sort((a, b) => a.cells.at(-1).change - b.cells.at(-1).change)
      .slice(0, 5)
      .map((x) => x.benchmark.name);
  got.slice(0, 5).forEach((g, i) => assert.ok(g.endsWith(least[i]), `${g}, want ${least[i]}`));
  await done(page);
});

test("rows by keys, far down", async () => {
  const page = await open(file());
  await press(page, "g", "b", "j", "j", "j");
  await page.evaluate(() => {
    for (let i = 0; i < 200; i++)
      document.dispatchEvent(new CustomEvent("assay-row", { detail: 1 }));
  });
  await drawn(page);
  await press(page, "j", "Enter");
  assert.match(await hashOf(page), /b=/);
  assert.equal(await page.locator("#benchmarks .open-detail").count(), 1);
  await few(page, "with a detail");
  await done(page);
});

test("the curve shows the suite, bands of percentiles and the lines that moved most", async () => {
  const page = await open(file()),
    [c] = await charts(page, "#arc svg.chart"),
    y = yAxis(c, "log", ratio),
    r = result(),
    t = r.tables[0];
  const whole = points(paths(c, "whole")[0].d);
  assert.equal(whole.length, 21);
  t.geomean.forEach((g, i) =>
    near(whole[i + 1][1], y(1 + g.change), "the suite at step " + (i + 1)),
  );
  const fans = paths(c, "fan").map((p) => points(p.d));
  assert.equal(fans.length, 2);
  [
    [0.05, 0.95],
    [0.25, 0.75],
  ].forEach(([lo, hi], k) => {
    assert.equal(fans[k].length, 42);
    for (const i of [1, 10, 20]) {
      const at = t.rows.map((x) => 1 + x.cells[i - 1].change).sort((a, b) => a - b),
        q = (p) => at[Math.round(p * (n - 1))];
      near(fans[k][i][1], y(q(hi)), `${hi} at step ${i}`);
      near(fans[k].at(-1 - i)[1], y(q(lo)), `${lo} at step ${i}`);
    }
  });
  assert.equal(paths(c, "faint").flatMap((p) => lines(p.d)).length, 10, "the ten that moved most");
  await done(page);
});

test(`${count} cells of the control are a few paths`, async () => {
  const page = await open(file()),
    c = titled(await charts(page, "#noise svg.chart"), "The same code against itself");
  assert.ok(c.paths.length < 12);
  assert.equal(
    ["same", "open", "false"].flatMap((g) => paths(c, g, "line").flatMap((p) => lines(p.d))).length,
    n,
    "an interval each",
  );
  await done(page);
});

test("what is packed is unpacked to what it was", async () => {
  const page = await open(file(), { hash: "step=10" }),
    r = result(),
    s = r.tables[0].steps[9],
    data = dataOf(file());
  assert.ok(data.packed?.length >= 3, "rows, steps and noise are packed");
  const row = await page.evaluate(
    (name) =>
      [...document.querySelectorAll("#walk tbody tr")]
        .map((tr) => [...tr.children].map((c) => c.textContent))
        .find((x) => x[0].includes(name)),
    nameOf(33),
  );
  const c = s.cells[33],
    percent = (x) => (x < 0 ? "−" : "+") + Math.abs(100 * x).toFixed(1) + " %";
  assert.ok(row[1].startsWith(percent(c.change)), `${row} for ${percent(c.change)}`);
  await done(page);
});

slowTest(
  `${(n - 400).toLocaleString("en")} rows are left out of the print, which says so`,
  async () => {
    const page = await open(file());
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.equal((await names(page)).length, 400, "beside the rows of packages");
    assert.match(
      await page.evaluate(() => document.querySelector("#benchmarks").textContent),
      new RegExp(`… ${(n - 395).toLocaleString("en").slice(0, -1)}\\d more in the data file`),
    );
    await page.emulateMedia({ media: "screen" });
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await drawn(page);
    await few(page, "after the print");
    await done(page);
  },
);

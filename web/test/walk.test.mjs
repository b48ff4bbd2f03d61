// Walking through a chain of steps: the curve and the story are in sight together, at every size of the window, and
// nothing that one does in the curve leads away from it.
import assert from "node:assert/strict";
import { done, drawn, go, hashOf, near, open, pageFile, press, resultOf, test } from "./pages.mjs";
import { charts, lines, number, path, paths, points, yAxis } from "./plot.mjs";

const key = (b) => (b.package ? b.package + "." + b.name : b.name);
const hashParam = async (page, k) =>
  new URLSearchParams((await page.evaluate(() => location.hash)).slice(1)).get(k);

// placed is where the curve and the parts of the story stand in the window.
const placed = (page) =>
  page.evaluate(() => {
    const box = (s) => {
      const r = document.querySelector(s)?.getBoundingClientRect();
      return r && { top: r.top, bottom: r.bottom, left: r.left, right: r.right };
    };
    return {
      height: innerHeight,
      bar: box(".contents").bottom,
      curve: box("#arc svg.arc"),
      title: box("#walk h3"),
      story: box("#walk"),
    };
  });

// whole asserts that the curve is in sight from its first pixel to its last.
const whole = ({ curve, bar, height }, what) =>
  assert.ok(
    curve.top >= bar - 1 && curve.bottom <= height + 1,
    `${what}: the curve is from ${curve.top} to ${curve.bottom}, in sight from ${bar} to ${height}`,
  );

for (const name of ["arc", "go-toml"])
  for (const [width, height] of [
    [1280, 720],
    [1000, 700],
    [390, 844],
  ])
    test(`${name}, ${width} x ${height}: opened at a step, the curve stays beside its story`, async () => {
      const n = name === "arc" ? 14 : 4,
        page = await open(pageFile(name), { width, height, hash: "step=" + n }),
        step = resultOf(name).arc.steps[n - 1],
        at = await placed(page);
      whole(at, "opened");
      assert.ok(
        at.title.top >= at.bar && at.title.bottom < height - 100,
        `the story begins in sight: ${at.title.top}`,
      );
      assert.ok(
        (await page.locator("#walk h3").first().textContent()).includes(step.variant),
        "it is the story of the step",
      );
      const [a, b] = [at.curve, at.story];
      assert.ok(
        a.right <= b.left + 1 || a.bottom <= b.top + 1,
        "neither covers the other where the story begins",
      );
      const y = () => page.evaluate(() => scrollY),
        before = await y();
      await press(page, "j", "k");
      near(await y(), before, "a step does not scroll", 2);
      assert.equal(await hashParam(page, "step"), String(n));
      await page.evaluate(() => {
        const r = document.querySelector("#walk").getBoundingClientRect();
        scrollBy(0, Math.max(0, r.bottom - innerHeight));
      });
      await drawn(page);
      whole(await placed(page), "at the story's end");
      await press(page, "j", "k");
      whole(await placed(page), "after steps from there");
      assert.ok(
        await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        "nothing to scroll sideways",
      );
      await page.evaluate(() => document.getElementById("steps").scrollIntoView());
      await drawn(page);
      const gone = await placed(page);
      assert.ok(
        gone.curve.bottom <= gone.bar + 45 || gone.curve.bottom <= gone.story.bottom + 1,
        "the curve does not follow beyond the walk",
      );
      await done(page);
    });

test("a click on a line pins its benchmark, and the page stays where it is", async () => {
  const page = await open(pageFile("arc"), { hash: "step=6" }),
    r = resultOf("arc"),
    rows = r.tables.find((t) => t.metric.name === "sec/op").rows;
  const k = rows.findIndex((x) => x.benchmark.name === "Path"),
    name = key(rows[k].benchmark);
  const y = () => page.evaluate(() => scrollY),
    start = await y();
  assert.ok(start > 100, "the curve is not at the top of the page");
  const pin = async () => {
    const [c] = await charts(page, "#arc svg.arc"),
      [x, py] = paths(c, "faint").flatMap((p) => lines(p.d))[k][4];
    await page.mouse.move(0, 0);
    await page.locator("#arc svg.arc").click({ position: { x, y: py } });
    await drawn(page);
  };
  await pin();
  assert.equal(await hashParam(page, "pin"), name);
  assert.equal(await hashParam(page, "b"), null, "no row is opened");
  near(await y(), start, "where the page was", 1);
  whole(await placed(page), "pinned");
  await press(page, "j", "j");
  assert.match(await hashOf(page), /step=8/);
  const lit = async () => paths((await charts(page, "#arc svg.arc"))[0], "line").length;
  assert.ok((await lit()) > 0, "it stays in colour at other steps");
  assert.equal(await page.locator("#arc .pins bdi").first().getAttribute("title"), name);
  const again = await open(pageFile("arc"), { hash: (await hashOf(page)).slice(1) });
  assert.equal(await again.locator("#arc .pins bdi").first().getAttribute("title"), name);
  await done(again);
  await page.locator("#arc .pins button", { hasText: "unpin" }).click();
  await drawn(page);
  assert.equal(await hashParam(page, "pin"), null);
  await go(page, "step=14");
  const own = page.locator("#walk th button.row").first();
  await own.scrollIntoViewIfNeeded();
  const there = await y();
  await own.click();
  await drawn(page);
  const first = await hashParam(page, "pin");
  assert.ok(
    rows.some((x) => key(x.benchmark) === first),
    "the names in the story pin as well",
  );
  near(await y(), there, "and do not scroll either", 1);
  await go(
    page,
    "step=8&pin=" +
      rows
        .slice(0, 6)
        .map((x) => encodeURIComponent(key(x.benchmark)))
        .join("%0A"),
  );
  assert.equal(await lit(), 4, "there are four colours");
  await done(page);
});

test("a step that is authored with a benchmark pins it", async () => {
  const page = await open(pageFile("arc"), { hash: "step=18" }),
    y = await page.evaluate(() => scrollY);
  await press(page, "j");
  assert.equal(await hashParam(page, "m"), "allocs/op", "the view of step 19");
  near(await page.evaluate(() => scrollY), y, "it does not lead away", 2);
  await done(page);
});

test("each step leads to its diff, its explanation and its gates", async () => {
  const arc = await open(pageFile("arc"), { hash: "step=14" }),
    r = resultOf("arc"),
    [before, step] = r.arc.steps.slice(12, 14);
  const leads = await arc.locator("#walk .leads").innerText();
  assert.ok(
    leads.includes(`git diff ${before.commit.slice(0, 12)} ${step.commit.slice(0, 12)}`),
    leads,
  );
  assert.ok(leads.includes(`assay explain ${r.run} ${step.movers[0].benchmark.name}`), leads);
  assert.match(leads, /gates held/);
  await done(arc);
  const toml = await open(pageFile("go-toml"), { hash: "step=4", width: 390, height: 844 });
  assert.equal(
    await toml.locator("#walk .leads a").getAttribute("href"),
    "https://github.com/pelletier/go-toml/compare/v2.3.1...v2.4.0",
  );
  await toml.locator("#walk .leads button", { hasText: "gates" }).click();
  await drawn(toml);
  const at = await placed(toml),
    gates = await toml.evaluate(
      () => document.querySelector("#gates-4").getBoundingClientRect().top,
    );
  assert.ok(gates > at.curve.bottom - 1 && gates < at.height, `the gates are in sight: ${gates}`);
  assert.match(await toml.locator("#walk .leads").innerText(), /fails: old tests/);
  await done(toml);
});

for (const name of ["arc", "go-toml"])
  for (const scale of ["log", "lin"])
    test(`${name}, values, ${scale}: each benchmark begins at its own value`, async () => {
      const page = await open(pageFile(name), { hash: "v=value&s=" + scale }),
        r = resultOf(name),
        t = r.tables.find((t) => t.metric.name === "sec/op"),
        [c] = await charts(page, "#arc svg.arc"),
        y = yAxis(c, scale, number),
        faint = paths(c, "faint").flatMap((p) => lines(p.d));
      assert.equal(faint.length, t.rows.length);
      const last = r.arc.steps.at(-1).variant;
      t.rows.forEach((row, i) => {
        near(faint[i][0][1], y(row.base), row.benchmark.name + " at the base");
        near(
          faint[i].at(-1)[1],
          y(row.base * (1 + row.cells.find((c) => c.variant === last).change)),
          row.benchmark.name + " at the end",
        );
      });
      const geomean = points(path(c, "whole"));
      near(geomean[0][1], y(t.geomean_base), "the geomean at the base", 1.5);
      assert.equal(paths(c, "one").length, 0, "no line of no change");
      await done(page);
    });

test("the first screen has what the study asks for: a chain's curve and story, a front, a waterfall", async () => {
  const at = (page, selector) =>
    page.evaluate(
      (s) => document.querySelector(s)?.getBoundingClientRect().top ?? Infinity,
      selector,
    );
  const chain = await open(pageFile("arc"));
  for (const s of ["#arc svg.chart", "#walk .story"]) assert.ok((await at(chain, s)) < 620, s);
  assert.equal(await chain.locator("#answer svg.ruler").count(), 0);
  const order = (page) =>
    page.evaluate(() => [...document.querySelectorAll("main > section")].map((s) => s.id));
  assert.deepEqual((await order(chain)).slice(0, 4), ["answer", "arc", "steps", "replay"]);
  const gogc = await open(pageFile("gogc"));
  assert.ok((await at(gogc, "#answer .figures svg.chart")) < (await at(gogc, "#answer svg.ruler")));
  assert.equal(await gogc.locator("#answer svg.chart text.bold").textContent(), "GOGC=200");
  assert.equal(await gogc.locator("#variants h3").count(), 0, "the front stands once");
  const causes = await open(pageFile("causes"));
  assert.ok(
    (await at(causes, "svg.waterfall.wide")) < (await at(causes, "svg.ruler.wide:not(.waterfall)")),
  );
  assert.deepEqual((await order(causes)).slice(0, 3), ["answer", "why", "replay"]);
  for (const p of [chain, gogc, causes]) await done(p);
});

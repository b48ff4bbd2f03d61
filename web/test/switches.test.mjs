// What the reader chooses: every switch, key and link does what it says, stands in the address, and comes back from it.
import assert from "node:assert/strict";
import {
  done,
  drawn,
  eventually,
  go,
  hashOf,
  madeFile,
  near,
  open,
  pageFile,
  press,
  resultOf,
  test,
  spaced,
} from "./pages.mjs";
import { charts, forestAxis, number, paths, points, titled, xAxis } from "./plot.mjs";

// two is a page of two machines, of which the second is twice as far from the base.
const desk = () => ({
  ...resultOf("small-malloc"),
  platform: { ...resultOf("small-malloc").platform, id: "d0", cpu: "Desk" },
});
const lap = () => {
  const r = structuredClone(resultOf("small-malloc"));
  Object.assign(r, {
    run: "b2b2",
    platform: { ...r.platform, id: "1a", cpu: "Lap", goos: "darwin", goarch: "arm64" },
  });
  r.answer = {
    verdict: "unclear",
    decided: false,
    text: ["no reason to leave go1.26.8"],
    basis: "not decided after 9 blocks",
  };
  for (const c of r.tables[0].geomean) {
    c.change *= 2;
    if (c.interval) c.interval = { lo: 2 * c.interval.lo, hi: 2 * c.interval.hi };
  }
  return r;
};
const two = () => madeFile("two", desk(), lap());
const fileOf = (name) => (name === "two" ? two() : pageFile(name));

// seen is all that a page shows: its words, its lines, and what is pressed or chosen.
const seen = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("#app > section, .switches")].map((s) => [
      s.id || s.className,
      s.textContent,
      [...s.querySelectorAll("path")].map((p) => p.getAttribute("d")).join(" "),
      [...s.querySelectorAll("input, select, [aria-pressed], [aria-sort], [aria-expanded]")]
        .map((e) =>
          [
            e.value,
            e.checked,
            ...["aria-pressed", "aria-sort", "aria-expanded"].map((a) => e.getAttribute(a)),
          ].join(),
        )
        .join(" "),
    ]),
  );

const same = (got, want, what) =>
  got.forEach((s, i) =>
    s.forEach((part, k) =>
      assert.equal(
        part,
        want[i][k],
        `${what}: ${["", "words", "lines", "controls"][k]} of ${s[0]}`,
      ),
    ),
  );

// options lists the switches of a page with what one can choose.
const options = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".switches .choice")].map((c) => {
      const s = c.querySelector("select"),
        name = (s ?? c.querySelector("input")).name;
      return {
        name,
        menu: !!s,
        label: c.querySelector("legend, span").textContent,
        values: s
          ? [...s.options].map((o) => o.value)
          : [...c.querySelectorAll("input")].map((i) => i.value),
      };
    }),
  );

async function choose(page, s, value) {
  if (s.menu) await page.selectOption(`select[name="${s.name}"]`, value);
  else
    await page.evaluate(
      ([name, value]) =>
        [...document.querySelectorAll(`input[name="${name}"]`)]
          .find((i) => i.value === value)
          .click(),
      [s.name, value],
    );
  await drawn(page);
}

const defaults = { v: "change", s: "log" };

for (const [name, want] of Object.entries({
  "small-malloc": ["m", "v", "s", "cmp"],
  arc: ["m", "v", "s", "cmp"],
  two: ["m", "v", "s", "p", "cmp"],
  "sql-server": ["m", "v", "s", "cmp"],
  "queue-path": ["m", "v", "s"],
}))
  test(`${name}: each option of each switch stands in the address, and the address brings it back`, async () => {
    const page = await open(fileOf(name)),
      other = await open(fileOf(name)),
      start = await seen(page),
      list = await options(page);
    assert.deepEqual(
      list.map((s) => s.name.replace("switch-", "")),
      want,
    );
    for (const s of list) {
      const key = s.name.replace("switch-", ""),
        first = await page.evaluate(
          (n) =>
            document.querySelector(`select[name="${n}"]`)?.value ??
            document.querySelector(`input[name="${n}"]:checked`).value,
          s.name,
        );
      const some = s.values.length > 5 ? [s.values[1], s.values[2], s.values.at(-1)] : s.values; // a menu of twenty is a menu
      for (const value of some.filter((v) => v !== first)) {
        await choose(page, s, value);
        assert.equal(
          await hashOf(page),
          value === (defaults[key] ?? "") ? "" : `#${key}=${value}`,
          s.label,
        );
        const now = await seen(page);
        assert.notDeepEqual(
          now.slice(1),
          start.slice(1),
          `${s.label} ${value} changes what is shown`,
        );
        await go(other, (await page.evaluate(() => location.hash)).slice(1));
        same(await seen(other), now, `${s.label} ${value} by its address`);
      }
      await choose(page, s, first);
      assert.equal(await hashOf(page), "");
      same(await seen(page), start, s.label + " put back");
    }
    for (const s of list) await choose(page, s, s.values.at(-1));
    await other.goto("about:blank");
    await other.goto(await page.evaluate(() => location.href));
    await other.waitForSelector(".contents");
    await drawn(other);
    same(await seen(other), await seen(page), "all of them, opened by a link");
    await done(other);
    await done(page);
  });

const rows = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("#benchmarks tbody tr")]
      .filter((tr) => tr.querySelector("td.change"))
      .map((tr) => ({
        name: tr.querySelector("th bdi").title || tr.querySelector("th bdi").textContent,
        change: tr.querySelector("td.change").lastChild.textContent,
        side: tr.querySelector("td.side").textContent,
        verdict: tr.querySelector("td.v")?.textContent ?? "",
      })),
  );
const text = async (page, selector) =>
  spaced(await page.evaluate((s) => document.querySelector(s)?.textContent ?? "", selector));

test("metric, view, scale, variant and machine show what they are called", async () => {
  const page = await open(two()),
    r = desk(),
    cells = (metric, v) =>
      r.tables
        .find((t) => t.metric.name === metric)
        .rows.map((x) => x.cells.find((c) => c.variant === v));
  await go(page, "m=user-sec/op&cmp=go1.25.7&p=Desk");
  assert.match(
    await text(page, "#benchmarks .compared"),
    /go1\.25\.7 against go1\.26\.8 \(base\), user-sec\/op/,
  );
  (await rows(page)).forEach((x, i) =>
    near(
      number(x.change.replace(" %", "")),
      100 * cells("user-sec/op", "go1.25.7")[i].change,
      x.name,
      0.06,
    ),
  );
  await go(page, "v=ratio&cmp=sizespec&p=Desk");
  (await rows(page)).forEach((x, i) =>
    near(number(x.change), 1 + cells("sec/op", "sizespec")[i].change, x.name, 0.006),
  );
  await go(page, "v=value&cmp=sizespec&p=Desk");
  (await rows(page)).forEach((x, i) =>
    near(number(x.change) * 1e9, 1e9 * cells("sec/op", "sizespec")[i].value, x.name, 0.6),
  );
  for (const kind of ["log", "lin"]) {
    await go(page, "p=Desk&s=" + kind);
    forestAxis((await charts(page, "#benchmarks thead th.g svg"))[0], kind); // fits this scale, and with three ticks no other
  }
  assert.equal(await page.locator(".answer:not(.over)").count(), 1);
  assert.equal(await page.locator("#variants figure").count(), 1);
  await go(page, "");
  assert.equal(await page.locator(".answer.over").count(), 1);
  assert.deepEqual(
    await page.evaluate(() =>
      [...document.querySelectorAll(".answer:not(.over) h3")].map((h) => h.textContent),
    ),
    ["Desk", "Lap"],
  );
  await done(page);
});

test("machines stand side by side on one scale, and are not mixed", async () => {
  const page = await open(two()),
    heads = await charts(page, "#variants thead th.g svg.glyph");
  assert.equal(heads.length, 2);
  const ticks = (c) => c.texts.filter((t) => t.class.includes("tick")).map((t) => [t.text, t.x]);
  assert.deepEqual(ticks(heads[0]), ticks(heads[1]), "the same ticks at the same places");
  const tops = await page.evaluate(() =>
    [...document.querySelectorAll("#variants figure")]
      .map((f) => f.getBoundingClientRect())
      .map((r) => [Math.round(r.top), Math.round(r.left)]),
  );
  assert.equal(tops[0][0], tops[1][0]);
  assert.ok(tops[1][1] > tops[0][1] + 300, "beside each other");
  for (const [i, r] of [desk(), lap()].entries()) {
    const shown = await page.evaluate(
      (i) =>
        [...document.querySelectorAll(".answers article")[i].querySelectorAll(".text p")].map(
          (p) => p.textContent,
        ),
      i,
    );
    assert.deepEqual(shown.map(spaced), r.answer.text);
  }
  await done(page);
});

test("what the address has and the page has not is left out", async () => {
  const page = await open(pageFile("arc"), {
      hash: "zz=1&v=bogus&m=nothing&step=999&b=none&p=none&cmp=none&sort=zz&t=pink&s=&open=nowhere&u=2&__proto__=1",
    }),
    plain = await open(pageFile("arc"));
  same(await seen(page), await seen(plain), "nonsense");
  await press(page, "v");
  assert.equal(
    new URLSearchParams((await page.evaluate(() => location.hash)).slice(1)).get("v"),
    "value",
    "it works on from there",
  );
  await done(page);
  await done(plain);
});

test("the keys of the switches, of the theme and of what is unclear", async () => {
  const page = await open(pageFile("arc")),
    is = async (want, what) => assert.equal(await hashOf(page), want, what);
  const r = resultOf("arc"),
    metrics = [...r.tables]
      .sort((a, b) => Number(b.decides ?? false) - Number(a.decides ?? false))
      .map((t) => t.metric.name);
  await press(page, "m");
  await is("#m=" + metrics[1], "m");
  await press(page, "v");
  await is(`#m=${metrics[1]}&v=value`, "v");
  await press(page, "v");
  await is(`#m=${metrics[1]}&v=ratio`, "v v");
  await press(page, "l");
  await is(`#m=${metrics[1]}&v=ratio&s=lin`, "l");
  await press(page, "p");
  await is(`#m=${metrics[1]}&v=ratio&s=lin`, "p, with one machine");
  await press(page, "l", "v", ...metrics.slice(1).map(() => "m"));
  await is("", "all round");
  await press(page, "u");
  await is("#u=1", "u");
  const unclear = r.tables[0].rows.filter(
    (x) => x.cells.find((c) => c.variant === r.answer.use)?.verdict === "unclear",
  ).length;
  assert.equal((await rows(page)).length, unclear, "only what is unclear");
  await press(page, "u");
  await is("", "u u");
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor),
    light = await ground();
  await press(page, "d");
  await is("#t=dark", "d");
  assert.notEqual(await ground(), light);
  await press(page, "d");
  await is("", "d d");
  assert.equal(await ground(), light);
  await page.keyboard.press("Control+m");
  await drawn(page);
  await is("", "control and m are the browser's");
  await done(page);
});

test("p goes through the machines and all of them", async () => {
  const page = await open(two());
  await press(page, "p");
  assert.equal(await hashOf(page), "#p=Desk");
  await press(page, "p");
  assert.equal(await hashOf(page), "#p=Lap");
  assert.deepEqual(
    (await page.locator(".answer:not(.over) .text p").allTextContents()).map(spaced),
    lap().answer.text,
  );
  await press(page, "p");
  assert.equal(await hashOf(page), "");
  await done(page);
});

test("the walk: by keys, by buttons, by the back button, and out of it", async () => {
  const page = await open(pageFile("arc")),
    r = resultOf("arc"),
    n = r.arc.steps.length;
  const is = async (want, what) =>
    assert.equal(/step=\d+/.exec(await hashOf(page))?.[0] ?? "", want, what); // a step may have a view of its own
  const count = () => text(page, "#walk .count"),
    title = () => text(page, "#walk h3");
  await press(page, "j");
  await is("step=0", "j begins at the base");
  await press(page, "j", "ArrowRight");
  await is("step=2", "j and →");
  assert.equal(await count(), `2 / ${n}`);
  assert.ok((await title()).includes(r.arc.steps[1].variant));
  assert.ok(
    (await text(page, "#live")).includes(r.arc.steps[1].variant),
    "and is told to who cannot see it",
  );
  const [c] = await charts(page, "#arc svg.chart");
  near(
    points(paths(c, "cursor")[0].d)[0][0],
    xAxis(c, "lin", (s) => (s === "base" ? 0 : Number(s)))(2),
    "the cursor of the curve",
  );
  assert.equal(await text(page, "#steps [aria-current=step]"), r.arc.steps[1].variant);
  await press(page, "k");
  await is("step=1", "k");
  await press(page, "End");
  await is("step=" + n, "End");
  await press(page, "j");
  await is("step=" + n, "there is none after the last");
  await page.goBack();
  await drawn(page);
  await is("step=1", "back");
  await page.goBack();
  await drawn(page);
  await is("step=2", "back again");
  assert.equal(await count(), `2 / ${n}`);
  assert.ok(
    await page.evaluate(() => {
      const r = document.getElementById("walk").getBoundingClientRect(),
        a = document.getElementById("arc").getBoundingClientRect();
      return (r.top < innerHeight && r.bottom > 0) || (a.top < innerHeight && a.bottom > 0);
    }),
    "what is walked is in sight",
  );
  await press(page, "Home");
  await is("step=0", "Home");
  await page.getByRole("button", { name: "next step" }).click();
  await drawn(page);
  await is("step=1", "the button");
  await page.getByRole("button", { name: "last step" }).click();
  await drawn(page);
  await is("step=" + n, "the last one's");
  await press(page, "Escape");
  await is("", "Esc leaves");
  await done(page);
});

test("a step's own view is applied, and taken back by the next", async () => {
  const r = structuredClone(resultOf("arc"));
  for (const s of r.arc.steps) delete s.view;
  r.arc.steps[2].view = "m=allocs/op&v=ratio";
  const page = await open(madeFile("viewed", r));
  await go(page, "step=2");
  await press(page, "j");
  await eventually(page, () => location.hash.includes("allocs"), undefined, "the view of step 3");
  assert.equal(await hashOf(page), "#m=allocs/op&v=ratio&step=3");
  await press(page, "j");
  await eventually(
    page,
    () => !location.hash.includes("allocs"),
    undefined,
    "what was chosen before",
  );
  assert.equal(await hashOf(page), "#step=4");
  await done(page);
});

test("go to a section, and come back", async () => {
  const page = await open(pageFile("causes")),
    top = (id) =>
      page.evaluate((id) => document.getElementById(id).getBoundingClientRect().top, id);
  const end = () =>
    page.evaluate(() => scrollY + innerHeight > document.documentElement.scrollHeight - 3);
  for (const [key, id] of [
    ["b", "benchmarks"],
    ["c", "gc"],
    ["y", "why"],
    ["n", "noise"],
    ["v", "variants"],
    ["x", "matrix"],
    ["m", "method"],
    ["d", "data"],
    ["a", "answer"],
  ]) {
    await press(page, "g", key);
    assert.equal(await hashOf(page), "#open=" + id, "g " + key);
    assert.ok(((t) => t > -2 && t < 140)(await top(id)) || (await end()), `#${id} is on top`);
  }
  await page.goBack();
  await drawn(page);
  assert.equal(await hashOf(page), "#open=data");
  assert.equal(await text(page, ".contents [aria-current]"), "Data");
  await press(page, "g", "w"); // no such section here
  assert.equal(await hashOf(page), "#open=data");
  await page.locator(".contents a", { hasText: "Noise" }).click();
  await drawn(page);
  assert.equal(await hashOf(page), "#open=noise");
  const deep = await open(pageFile("causes"), { hash: "why" });
  assert.ok(
    ((t) => t > -2 && t < 140)(
      await deep.evaluate(() => document.getElementById("why").getBoundingClientRect().top),
    ),
    "#why is a link to it",
  );
  await done(deep);
  await done(page);
});

test("the list of keys names every key, and takes them while it is open", async () => {
  const page = await open(pageFile("arc"));
  await press(page, "?");
  assert.ok(await page.evaluate(() => document.querySelector("dialog").open));
  const told = await page.evaluate(() =>
    [...document.querySelectorAll("dialog kbd")].map((k) => k.textContent),
  );
  for (const k of [
    "?",
    "/",
    "m",
    "v",
    "l",
    "u",
    "y",
    "c",
    "d",
    "←",
    "→",
    "j",
    "k",
    "Enter",
    "Esc",
    "Home",
    "End",
  ])
    assert.ok(told.includes(k), k);
  await press(page, "m");
  assert.equal(await hashOf(page), "");
  await press(page, "Escape");
  assert.ok(!(await page.evaluate(() => document.querySelector("dialog").open)));
  await page.locator("header button", { hasText: "keys" }).click();
  assert.ok(await page.evaluate(() => document.querySelector("dialog").open));
  await done(page);
});

test("rows: by keys and by the pointer, a detail in place, with the back button", async () => {
  const page = await open(pageFile("go-toml")),
    r = resultOf("go-toml"),
    detail = () => page.locator("#benchmarks .open-detail").count();
  const name = (i) =>
    ((b) => (b.package ? b.package + "." : "") + b.name)(r.tables[0].rows[i].benchmark);
  await press(page, "g", "b");
  await press(page, "j", "j", "k", "j");
  assert.ok((await text(page, "#benchmarks tr.current")).length > 0, "a row is where the keys are");
  await press(page, "Enter");
  const b = new URLSearchParams((await page.evaluate(() => location.hash)).slice(1)).get("b");
  assert.ok(
    r.tables[0].rows.some((_, i) => name(i) === b),
    b,
  );
  assert.equal(await detail(), 1);
  await press(page, "Escape");
  assert.equal(await detail(), 0);
  await page.goBack();
  await drawn(page);
  assert.equal(await detail(), 1, "back to the open one");
  await page.locator("#benchmarks .open-detail button", { hasText: "close" }).click();
  await drawn(page);
  assert.equal(await detail(), 0);
  await page.locator("#benchmarks tbody tr:not(.group) button.row").nth(3).click();
  await drawn(page);
  assert.equal(await detail(), 1);
  const deep = await open(pageFile("go-toml"), { hash: "b=" + encodeURIComponent(name(20)) });
  assert.equal(await deep.locator("#benchmarks .open-detail").count(), 1);
  assert.ok(
    (
      await deep.evaluate(() => document.querySelector("#benchmarks .open-detail").textContent)
    ).includes(name(20)),
  );
  assert.ok(
    await deep.evaluate(() => {
      const r = document.querySelector("#benchmarks tr.on").getBoundingClientRect();
      return r.top >= 0 && r.bottom <= innerHeight;
    }),
    "a deep link brings it into sight",
  );
  await done(deep);
  await done(page);
});

test("the filter, the order, and what fits none", async () => {
  const page = await open(pageFile("go-toml")),
    r = resultOf("go-toml"),
    all = r.tables[0].rows,
    variant = r.answer.use;
  await press(page, "/");
  assert.equal(await page.evaluate(() => document.activeElement.id), "filter");
  await page.keyboard.type("unmarshal");
  await drawn(page);
  assert.equal(await hashOf(page), "#q=unmarshal");
  const fit = all.filter((x) =>
    (x.benchmark.package + "." + x.benchmark.name).toLowerCase().includes("unmarshal"),
  ).length;
  assert.equal((await rows(page)).length, fit);
  assert.ok(fit < all.length && fit > 0);
  await press(page, "Escape");
  assert.notEqual(
    await page.evaluate(() => document.activeElement.id),
    "filter",
    "Esc leaves the field",
  );
  await go(page, "q=no+such+benchmark");
  assert.equal((await rows(page)).length, 0);
  assert.match(await text(page, "#benchmarks"), /no benchmark fits the filter/);
  await go(page, "");
  const order = async () => (await rows(page)).map((x) => number(x.change.replace(" %", "")));
  const head = page.locator("#benchmarks thead button.sort", { hasText: "change" });
  await head.click();
  await drawn(page);
  assert.equal(await hashOf(page), "#sort=change");
  const up = await order();
  // What is printed with no decimal stands where its value is: half a point beside.
  const rises = (list) => list.every((x, i) => i === 0 || x >= list[i - 1] - 0.5);
  assert.ok(rises(up), up.join(" "));
  assert.equal(
    await page.locator("#benchmarks th.change").first().getAttribute("aria-sort"),
    "ascending",
  );
  await head.click();
  await drawn(page);
  assert.equal(await hashOf(page), "#sort=-change");
  const down = await order();
  assert.ok(rises(down.toReversed()), down.join(" "));
  await head.click();
  await drawn(page);
  assert.equal(await hashOf(page), "");
  await go(page, "sort=name");
  const names = (await rows(page)).map((x) => x.name);
  assert.deepEqual(names, [...names].sort(new Intl.Collator("en", { numeric: true }).compare));
  assert.equal(names.length, all.length);
  assert.ok(all[0].cells.some((c) => c.variant === variant));
  await done(page);
});

test("a click in a chart goes where it points", async () => {
  const page = await open(pageFile("arc")),
    click = async (selector, x, y) => {
      await page.locator(selector).first().scrollIntoViewIfNeeded();
      await page.locator(selector).first().click({ position: { x, y } });
      await drawn(page);
    };
  const [c] = await charts(page, "#arc svg.chart");
  await click(
    "#arc svg.chart",
    xAxis(c, "lin", (s) => (s === "base" ? 0 : Number(s)))(10),
    c.height - 50,
  );
  assert.equal(await hashOf(page), "#step=10");
  await page.locator("#steps tbody tr").nth(4).locator("button").click();
  await drawn(page);
  assert.match(await hashOf(page), /step=5$/);
  const malloc = await open(pageFile("small-malloc"));
  await malloc.locator("#matrix tbody tr[aria-rowindex]").nth(2).locator("td").nth(3).click();
  await drawn(malloc);
  const chosen = new URLSearchParams((await malloc.evaluate(() => location.hash)).slice(1));
  assert.equal(chosen.get("cmp"), "sizespec");
  assert.match(chosen.get("b"), /Alloc64$/);
  await malloc.locator("#variants button.row", { hasText: "go1.25.7" }).click();
  await drawn(malloc);
  assert.match(await text(malloc, "#benchmarks .compared"), /^go1\.25\.7 against/);
  const gogc = await open(pageFile("gogc")),
    plot = titled(await charts(gogc, ".figures svg.chart, #variants svg.chart"), /^Trade-off/),
    r = resultOf("gogc");
  const at = plot.texts.find((t) => t.text === "GOGC=200"); // beside its point
  await gogc
    .locator(".figures figure svg.chart")
    .first()
    .click({ position: { x: at.x - 9, y: at.y - 4 } });
  await drawn(gogc);
  assert.equal(
    new URLSearchParams((await gogc.evaluate(() => location.hash)).slice(1)).get("cmp"),
    "GOGC=200",
    r.study,
  );
  for (const p of [page, malloc, gogc]) await done(p);
});

test("a pointer over a chart is told what is there", async () => {
  const page = await open(pageFile("arc")),
    r = resultOf("arc"),
    over = async (p, selector, x, y) => {
      await p.locator(selector).first().scrollIntoViewIfNeeded();
      await p.locator(selector).first().hover({ position: { x, y } });
      await drawn(p);
    };
  const [c] = await charts(page, "#arc svg.chart"),
    whole = points(paths(c, "whole")[0].d);
  await over(page, "#arc svg.chart", whole[14][0], whole[14][1]);
  const tip = await text(page, "#arc .tip");
  assert.ok(tip.includes(r.arc.steps[13].variant), tip);
  const { change } = r.tables
    .find((t) => t.metric.name === "sec/op")
    .geomean.find((g) => g.variant === r.arc.steps[13].variant);
  assert.ok(tip.includes(`−${(-100 * change).toFixed(1)} %`), tip);
  const sql = await open(pageFile("sql-server")),
    idle = await text(sql, "#latency .read");
  const [h] = await charts(sql, "#latency svg.chart");
  await over(sql, "#latency svg.chart", h.width / 2, h.height / 2);
  assert.notEqual(await text(sql, "#latency .read"), idle);
  const causes = await open(pageFile("causes"));
  await causes.locator("#why .flame").first().scrollIntoViewIfNeeded();
  await causes.locator("#why .flame").first().focus();
  await press(causes, "ArrowDown", "ArrowDown");
  const told = await text(causes, "#why .flame-at");
  assert.match(told, /points/);
  await press(causes, "Enter");
  assert.equal(
    await causes.locator("#why button", { hasText: "show all" }).count(),
    1,
    "zoomed in",
  );
  await press(causes, "Escape");
  assert.equal(await causes.locator("#why button", { hasText: "show all" }).count(), 0, "and out");
  for (const p of [page, sql, causes]) await done(p);
});

test("what is copied is the table and the link", async () => {
  const page = await open(pageFile("small-malloc"), {
      permissions: ["clipboard-read", "clipboard-write"],
      hash: "cmp=sizespec",
    }),
    r = resultOf("small-malloc");
  // copied is what lies on the clipboard once something was put there.
  const copied = async (act) => {
    await page.evaluate(() => navigator.clipboard.writeText(""));
    await act();
    return eventually(page, () => navigator.clipboard.readText());
  };
  assert.equal(await copied(() => press(page, "y")), await page.evaluate(() => location.href));
  const lines = (
    await copied(() => page.locator("#benchmarks p.copy button", { hasText: "Markdown" }).click())
  ).split("\n");
  assert.equal(lines.length, 2 + r.tables[0].rows.length);
  assert.match(
    lines[0],
    /^\| benchmark \| go1\.26\.8 \| sizespec \| interval \| verdict \| note \|$/,
  );
  assert.ok(lines.slice(2).every((l) => / faster /.test(l)));
  assert.equal(
    (await copied(() => page.locator("#benchmarks p.copy button", { hasText: "TSV" }).click()))
      .trim()
      .split("\n")[1]
      .split("\t").length,
    6,
  );
  await page.locator("#method").scrollIntoViewIfNeeded();
  await press(page, "g", "m");
  assert.match(await copied(() => press(page, "c")), /^\| /);
  await done(page);
});

test("values have an axis in their unit, or of ratios where rows have bases of their own", async () => {
  const page = await open(pageFile("small-malloc"), { hash: "v=value" });
  const ticks = (id) =>
    page.evaluate(
      (s) => [...document.querySelectorAll(s)].map((t) => t.textContent),
      `#${id} thead th.g text.tick:not(.better)`,
    );
  const variants = await ticks("variants"),
    benchmarks = await ticks("benchmarks");
  assert.ok(variants.length > 1 && variants.every((t) => /^[\d.]+ ns$/.test(t)), variants.join());
  assert.ok(
    benchmarks.length > 1 && benchmarks.every((t) => /^[\d.]+×$/.test(t)),
    benchmarks.join(),
  );
  await go(page, "v=change");
  assert.ok((await ticks("variants")).some((t) => t.endsWith(" %")));
  await done(page);
});

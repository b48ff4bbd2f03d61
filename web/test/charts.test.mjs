// Every kind of chart has the data that it is about: as many marks as there are data, each at the place where the
// ticks of the axes say that its value is. What is wanted is read from the record, not from what the page made of it.
import assert from "node:assert/strict";
import { dataOf, drawn, go, near, pageFile, test, visit } from "./pages.mjs";
import {
  charts,
  forestAxis,
  lines,
  marks,
  path,
  paths,
  points,
  ratio,
  titled,
  xAxis,
  yAxis,
} from "./plot.mjs";

const key = (b) => (b.package ? b.package + "." + b.name : b.name);
const first = (name) => dataOf(pageFile(name)).machines[0].result;
const tableOf = (r, metric) =>
  r.tables.find((t) => (metric ? t.metric.name === metric : t.decides));
const whole = (t, variant) =>
  t.geomean?.find((c) => c.variant === variant) ??
  t.rows[0].cells.find((c) => c.variant === variant);
const others = (r) => r.variants.filter((v) => v.name !== r.base && v.name !== "control");
const chosen = (r, lead) =>
  [r.answer.use, lead].find((n) => others(r).some((v) => v.name === n)) ??
  others(r).at(r.arc ? -1 : 0).name;

// on has f look at the page of a study.
const on = async (name, hash, f) =>
  f(await visit(pageFile(name), hash), first(name), dataOf(pageFile(name)));

// measured is the variant that a step was measured as.
const measured = (r, s) =>
  s.same_as && !s.same_as.control
    ? measured(r, r.arc.steps.find((x) => x.variant === s.same_as.as) ?? { variant: s.same_as.as })
    : s.variant;
const ratioOf = (c) => 1 + c.change;

for (const name of ["arc", "go-toml"])
  for (const scale of ["log", "lin"])
    test(`arc of ${name}, ${scale}: the curve of the suite and a line a benchmark`, () =>
      on(name, "s=" + scale, async (page, r) => {
        const [c] = await charts(page, "#arc svg.chart"),
          t = tableOf(r, "sec/op"),
          steps = r.arc.steps;
        const x = xAxis(c, "lin", (s) => (s === "base" ? 0 : Number(s))),
          y = yAxis(c, scale, ratio);
        const follows = (d, want, what) => {
          const got = points(d);
          assert.equal(got.length, want.length, what);
          got.forEach(([px, py], i) => {
            near(px, x(i), what + " step " + i);
            near(py, y(want[i]), `${what} at step ${i}`);
          });
        };
        follows(
          path(c, "whole"),
          [1, ...steps.map((s) => ratioOf(whole(t, measured(r, s))))],
          "the suite",
        );
        const ends = points(path(c, "within")),
          n = steps.length + 1,
          at = (i) => whole(t, measured(r, steps[i - 1])).interval;
        assert.equal(ends.length, 2 * n, "both ends of the suite's interval");
        for (let i = 1; i < n; i++) {
          near(ends[i][1], y(1 + at(i).hi), "upper end");
          near(ends[2 * n - 1 - i][1], y(1 + at(i).lo), "lower end");
        }
        const faint = paths(c, "faint").flatMap((p) => lines(p.d));
        assert.equal(faint.length, t.rows.length);
        t.rows.forEach((row, k) => {
          const want = [
            1,
            ...steps.map((s) => ratioOf(row.cells.find((c) => c.variant === measured(r, s)))),
          ];
          faint[k].forEach(([, py], i) =>
            near(py, y(want[i]), `${row.benchmark.name} at step ${i}`),
          );
        });
      }));

test("arc: a step puts the cursor there, watched benchmarks and the open one are drawn in colour", () =>
  on("arc", "step=10", async (page, r) => {
    const [c] = await charts(page, "#arc svg.chart"),
      x = xAxis(c, "lin", (s) => (s === "base" ? 0 : Number(s)));
    near(points(path(c, "cursor"))[0][0], x(10), "the cursor");
    const lit = paths(c, "line").length,
      b = key(r.tables[0].rows[7].benchmark);
    await go(page, "step=10&b=" + encodeURIComponent(b));
    const [d] = await charts(page, "#arc svg.chart"),
      y = yAxis(d, "log", ratio);
    assert.ok(
      paths(d, "line").length >= Math.min(4, lit + 1) || lit >= 4,
      "one more line in colour",
    );
    const row = r.tables[0].rows[7],
      got = points(paths(d, "line", "series-1")[0].d);
    near(
      got[10][1],
      y(ratioOf(row.cells.find((c) => c.variant === measured(r, r.arc.steps[9])))),
      b,
    );
  }));

for (const name of ["arc", "go-toml"])
  test(`step table of ${name}: bars as long as the changes on one logarithm, the total's no longer than the longest`, () =>
    on(name, "", async (page, r) => {
      const bars = await page.evaluate(() =>
        [...document.querySelectorAll("#steps tbody tr")].map((tr) =>
          [...tr.querySelectorAll("svg.bar")].map(
            (s) => s.querySelector("path.body")?.getAttribute("d") ?? "",
          ),
        ),
      );
      const t = tableOf(r, "sec/op"),
        steps = r.arc.steps.map((s) => t.steps.find((x) => x.variant === s.variant)?.whole),
        all = [...steps, whole(t, measured(r, r.arc.steps.at(-1)))];
      assert.equal(bars.length, all.length, "a line a step, and the total");
      const most = Math.max(
        ...steps
          .filter((c) => c)
          .flatMap((c) => [c.change, c.interval?.lo ?? 0, c.interval?.hi ?? 0])
          .map((x) => Math.abs(Math.log1p(x))),
      );
      const part = (c) => Math.max(-1, Math.min(1, Math.log(ratioOf(c)) / most));
      all.forEach((c, i) => {
        if (!c || c.verdict === "same code") return;
        const [[from], , [to]] = points(bars[i][0]);
        near((to - from) / 41, part(c), `bar of line ${i + 1}`, 0.02);
      });
    }));

// forest checks the rows of a forest: the interval and the sign of each comparison by the axis in the head.
async function forest(page, selector, want, kind) {
  const [head] = await charts(page, selector + " thead th.g svg.glyph"),
    x = forestAxis(head, kind),
    end = head.width;
  const rows = await charts(page, selector + " tbody td.g svg.glyph");
  assert.equal(rows.length, want.length, "rows of " + selector);
  let drawn = 0;
  want.forEach((c, i) => {
    const [whisker] = paths(rows[i], "whisker");
    if (!c || (!c.interval && !c.exact) || c.verdict === "same code" || c.verdict === "invalid")
      return assert.equal(whisker, undefined, "nothing to draw in row " + i);
    const [[from], [to]] = lines(whisker.d)[0],
      inside = (v) => Math.max(8, Math.min(end - 8, x(v)));
    near(from, inside(1 + (c.interval?.lo ?? c.change)), `row ${i}: lower end`);
    near(to, inside(1 + (c.interval?.hi ?? c.change)), `row ${i}: upper end`);
    const [sign] = marks(path(rows[i], "sign")),
      kinds = { faster: "▼", less: "▼", lower: "▼", slower: "▲", more: "▲", higher: "▲" };
    near(sign.x, inside(ratioOf(c)), `row ${i}: the value`);
    assert.equal(sign.kind, kinds[c.verdict] ?? "●", `row ${i}: ${c.verdict}`);
    drawn++;
  });
  return drawn;
}

for (const [name, scale] of [
  ["small-malloc", "log"],
  ["small-malloc", "lin"],
  ["gogc", "log"],
  ["interpreters", "log"],
  ["sql-server", "log"],
])
  test(`variants of ${name}, ${scale}: an interval each`, () =>
    on(name, "s=" + scale, async (page, r) => {
      const t = tableOf(r),
        list = [undefined, ...others(r).map((v) => (v.same_as ? undefined : whole(t, v.name)))];
      assert.ok((await forest(page, "#variants", list, scale)) > 1);
    }));

for (const [name, metric, cmp] of [
  ["small-malloc", "sec/op", "sizespec"],
  ["small-malloc", "user-sec/op", "go1.24.9"],
  ["go-toml", "sec/op", "v2.4.3"],
  ["causes", "sec/op", "callee"],
])
  test(`benchmarks of ${name}, ${metric} of ${cmp}: an interval each`, () =>
    on(name, `m=${metric}&cmp=${cmp}`, async (page, r) => {
      const t = tableOf(r, metric);
      assert.equal(
        await forest(
          page,
          "#benchmarks",
          t.rows.map((row) => row.cells.find((c) => c.variant === cmp)),
        ),
        t.rows.length,
      );
      const names = await page.evaluate(() =>
        [...document.querySelectorAll("#benchmarks tbody tr th.name")].map(
          (e) => e.querySelector("bdi").title || e.querySelector("bdi").textContent,
        ),
      );
      t.rows.forEach((row, i) =>
        assert.ok(names[i] === row.benchmark.name || names[i].includes("…"), names[i]),
      );
    }));

test("factors: an interval for each switch", () =>
  on("interpreters", "", async (page, r) => {
    assert.ok(
      (await forest(
        page,
        "#factors",
        tableOf(r).effects.map((e) => e.whole),
      )) > 1,
    );
  }));

for (const name of ["small-malloc", "interpreters", "causes"])
  test(`matrix of ${name}: sign, number and colour of each cell`, () =>
    on(name, "", async (page, r) => {
      const t = tableOf(r),
        cells = await page.evaluate(() =>
          [...document.querySelectorAll("#matrix tbody tr[aria-rowindex]")].map((tr) =>
            [...tr.querySelectorAll("td")].slice(1).map((d) => [d.textContent, d.className]),
          ),
        );
      assert.equal(cells.length, t.rows.length);
      t.rows.forEach((row, i) => {
        assert.equal(cells[i].length, others(r).length);
        others(r).forEach((v, k) => {
          const [text, tint] = cells[i][k],
            c = row.cells.find((c) => c.variant === v.name);
          if (!c) return assert.equal(text, v.same_as ? "≡" : "–");
          const signs = { faster: "▼", slower: "▲", same: "=", unclear: "?", less: "▼", more: "▲" };
          assert.ok(
            text.startsWith(signs[c.verdict]),
            `${v.name} on ${row.benchmark.name}: "${text}" for ${c.verdict}`,
          );
          assert.equal(
            tint[0],
            { faster: "b", slower: "w", unclear: "u" }[c.verdict] ?? "p",
            "colour of " + c.verdict,
          );
          if (text !== "=") near(ratio(text.slice(2) + " %"), ratioOf(c), "the number", 0.0055);
        });
      });
    }));

for (const name of ["gogc", "tune", "web-server"])
  test(`trade-off of ${name}: a point a variant, with both its intervals, filled where no other is ahead`, () =>
    on(name, "", async (page, r) => {
      const c = titled(await charts(page, ".figures svg.chart, #variants svg.chart"), /^Trade-off/),
        x = xAxis(c, "log", ratio),
        y = yAxis(c, "log", ratio);
      const list = r.tradeoff.points.filter((p) => p.changes.every((v) => v !== null)),
        ahead = (p) =>
          list.some(
            (q) =>
              q.values.every((v, i) => v <= p.values[i]) &&
              q.values.some((v, i) => v < p.values[i]),
          ),
        isFront = (p) => !p.beaten && !ahead(p),
        front = list.filter(isFront).sort((a, b) => a.changes[0] - b.changes[0]);
      assert.ok(
        r.tradeoff.metrics.every((m) => m.better === "lower"),
        "less is better of both",
      );
      const same = (d, want, what) => {
        const got = marks(d);
        assert.equal(got.length, want.length, what);
        want.forEach((p, i) => {
          near(got[i].x, x(1 + p.changes[0]), p.variant + " x");
          near(got[i].y, y(1 + p.changes[1]), p.variant + " y");
        });
      };
      same(path(c, "on-front"), front, "points on the front");
      same(
        path(c, "beaten"),
        list.filter((p) => !isFront(p)),
        "points behind it",
      );
      assert.equal(points(path(c, "front")).length, front.length);
      const reach = lines(path(c, "reach")),
        want = list
          .filter((p) => p.variant !== r.base)
          .flatMap((p) =>
            r.tradeoff.metrics.map((m, i) => [whole(tableOf(r, m.name), p.variant).interval, i]),
          )
          .filter(([interval]) => interval);
      assert.equal(reach.length, want.length, "a line for each interval");
      want.forEach(([{ lo, hi }, i], k) => {
        const at = i ? y : x;
        near(reach[k][0][i], at(1 + lo), "lower end");
        near(reach[k][1][i], at(1 + hi), "upper end");
      });
    }));

// quantile is the value below which a share p of a histogram lies.
function quantile(h, p) {
  const n = h.counts.reduce((a, b) => a + b, 0);
  let sum = 0;
  return h.values[h.counts.findIndex((c) => (sum += c) >= p * n - 1e-9)];
}
const below = (h, v) =>
  h.counts.reduce((n, c, i) => n + (h.values[i] <= v ? c : 0), 0) /
  h.counts.reduce((a, b) => a + b, 0);

const services = ["sql-server", "dolt-greentea", "web-server"];
const looks = (c) => [
  ...new Set(c.paths.flatMap((p) => p.class).filter((x) => /^series-\d$|^rest$/.test(x))),
];

// inOrder are the charts of the latency section, three or two to a benchmark.
const benchmarkCharts = (list, what, i) =>
  list.filter((c) => (what instanceof RegExp ? what.test(c.title) : c.title === what))[i];

for (const name of services)
  test(`latency of ${name}: the histogram holds all requests, each at its latency`, () =>
    on(name, "", async (page, r) => {
      const all = await charts(page, "#latency svg.chart");
      r.latencies.slice(0, 4).forEach((l, k) => {
        const c = benchmarkCharts(all, "Share of requests by latency", k),
          x = xAxis(c, "log"),
          y = yAxis(c, "lin");
        const few = l.variants.length <= 4;
        const drawn = paths(c, "line");
        assert.equal(drawn.length, l.variants.length, "a line a variant");
        l.variants.forEach((d, i) => {
          const own = few
            ? drawn.find((p) => p.class.includes("series-" + (i + 1)))
            : i === 0
              ? drawn.find((p) => p.class.includes("series-1"))
              : undefined;
          if (!own) return;
          const corners = points(own.d),
            tops = corners
              .slice(1)
              .filter((_, j) => j % 2 === 0)
              .slice(0, -1);
          assert.equal(corners.length, 98, "48 bins");
          for (const p of [0.1, 0.5, 0.9]) {
            const v = quantile(d.histogram, p),
              px = x(v);
            let sum = 0;
            for (let j = 0; j + 1 < tops.length + 1; j++) {
              const [from, top] = tops[j],
                to = corners[2 * j + 3]?.[0] ?? c.width,
                part = Math.max(0, Math.min(1, (px - from) / (to - from)));
              sum += part * Math.max(0, y.back(top));
            }
            near(
              sum,
              below(d.histogram, v),
              `${d.variant}: the share of requests up to p${100 * p}`,
              0.05,
            );
          }
        });
      });
    }));

for (const name of services)
  test(`latency of ${name}: the quantile plot tells the quantiles of the record`, () =>
    on(name, "", async (page, r) => {
      const all = await charts(page, "#latency svg.chart"),
        nines = (p) => 1 / (1 - p);
      r.latencies.slice(0, 4).forEach((l, k) => {
        const c = benchmarkCharts(all, "Latency by quantile", k),
          x = xAxis(c, "log", (t) => nines(Number(t.replace(" %", "")) / 100)),
          y = yAxis(c, "log");
        assert.equal(paths(c, "line").length, l.variants.length);
        for (const p of [0.25, 0.5, 0.75, 0.9]) {
          const got = points(paths(c, "line", "series-1")[0].d),
            j = got.findIndex(([px]) => px >= x(nines(p))),
            [a, b] = [got[j - 1] ?? got[j], got[j]];
          const py =
            a[0] === b[0] ? b[1] : a[1] + ((x(nines(p)) - a[0]) / (b[0] - a[0])) * (b[1] - a[1]);
          near(
            py,
            y(quantile(l.variants[0].histogram, p)),
            `p${100 * p} of ${l.variants[0].variant}`,
            4,
          );
        }
        assert.ok(looks(c).includes("series-2"), "the other variants are told apart");
      });
    }));

for (const name of services)
  test(`latency of ${name}: each quantile's change, with its band`, () =>
    on(name, "", async (page, r, data) => {
      const all = await charts(page, "#latency svg.chart"),
        nines = (p) => 1 / (1 - p);
      r.latencies.slice(0, 4).forEach((l, k) => {
        const c = benchmarkCharts(all, /^Change by quantile/, k),
          x = xAxis(c, "log", (t) => nines(Number(t.replace(" %", "")) / 100)),
          y = yAxis(c, "log", ratio),
          drawn = paths(c, "line");
        assert.equal(drawn.length, l.shifts.length);
        l.shifts.forEach((s, i) => {
          const got = points(drawn[i].d),
            want = s.p.map((p, j) => [p, s.change[j]]).filter(([, v]) => v !== null);
          assert.equal(got.length, want.length, s.variant);
          want.forEach(([p, v], j) => {
            near(got[j][0], x(nines(p)), s.variant + " p");
            near(got[j][1], y(1 + v), `${s.variant} at p${100 * p}`);
          });
        });
        const s =
            l.shifts.find((s) => s.variant === chosen(r, data.words.machines[0].lead)) ??
            l.shifts[0],
          area = points(path(c, "area"));
        assert.equal(area.length, 2 * s.p.length, "the band has both its sides");
        s.p.forEach((_, j) => {
          near(area[j][1], y(1 + s.hi[j]), "upper side");
          near(area.at(-1 - j)[1], y(1 + s.lo[j]), "lower side");
        });
      });
    }));

for (const name of [...services, "causes"])
  test(`collector of ${name}: phases by their quartiles, marks by heap`, () =>
    on(name, "", async (page, r) => {
      const more = page.locator("#gc button", { hasText: /^show .* more of/ });
      if (await more.count()) {
        await more.click();
        await drawn(page);
      }
      const all = await charts(page, "#gc svg.chart"),
        at = r.gcs.filter((g) => g.phases.some((p) => p.variants.some((d) => d.total > 0)));
      at.forEach((g, k) => {
        const c = benchmarkCharts(all, "Time per cycle, by phase", k),
          x = xAxis(c, "log", (t) => (t === "0" ? undefined : ratio2(t))),
          base = r.base;
        const want = g.phases
          .map((p) => p.variants.find((d) => d.variant === base))
          .filter((d) => d?.total);
        const of = (kind) =>
            paths(c, kind, "series-1")
              .map((p) => p.d)
              .join(""),
          dots = marks(of("dot")),
          thick = lines(of("thick")),
          thin = lines(of("line"));
        assert.deepEqual(
          [dots.length, thick.length, thin.length],
          [want.length, want.length, want.length],
          "a line a phase",
        );
        want.forEach((d, i) => {
          const q = (p) => {
              const v = quantile(d.histogram, p);
              return v > 0 ? x(v) : undefined;
            },
            is = (px, p, what) => q(p) === undefined || near(px, q(p), what, 1.5);
          is(dots[i].x, 0.5, "median");
          is(thick[i][0][0], 0.25, "first quartile");
          is(thick[i][1][0], 0.75, "last quartile");
          is(thin[i][0][0], 0.1, "p10");
          is(thin[i][1][0], 0.9, "p90");
        });
        if (!want.length) return; // no cycle of the base
        const heaps = all.filter((c) => c.title.startsWith("Mark time against live heap"))[k],
          own = g.heaps
            .find((h) => h.variant === base)
            .points.filter((p) => p.live > 0 && p.mark !== null);
        const hx = xAxis(heaps, "lin"),
          hy = yAxis(heaps, "lin"),
          got = marks(path(heaps, "dot", "series-1"));
        assert.equal(got.length, own.length, "a mark a size of heap");
        own.forEach((p, i) => {
          near(got[i].x, hx(p.live), "live heap", 1.5);
          near(got[i].y, hy(p.mark), "mark time", 1.5);
        });
      });
    }));
const ratio2 = (t) =>
  Number(/^([\d.]+)/.exec(t)[1]) * { ns: 1e-9, µs: 1e-6, ms: 1e-3, s: 1 }[t.split(" ")[1]];

for (const name of ["queue-path", "small-malloc", "interpreters", "sql-server", "dolt-greentea"])
  test(`noise of ${name}: the control's changes, and the blocks in their order`, () =>
    on(name, "", async (page, r, data) => {
      const all = await charts(page, "#noise svg.chart"),
        strip = titled(all, "The same code against itself"),
        x = xAxis(strip, "log", ratio);
      const cells = r.noise.cells.filter((c) => c.change > -1),
        dots = ["same", "open", "false"].flatMap((g) =>
          paths(strip, g, "dot").flatMap((p) => marks(p.d)),
        );
      assert.equal(dots.length, cells.length, "a mark a benchmark");
      const byPlace = dots.sort((a, b) => a.y - b.y),
        want = cells.sort((a, b) => a.change - b.change);
      want.forEach((c, i) => near(byPlace[i].x, x(ratioOf(c)), key(c.benchmark)));
      assert.equal(
        ["same", "open", "false"].flatMap((g) => paths(strip, g, "line").flatMap((p) => lines(p.d)))
          .length,
        cells.filter((c) => c.interval).length,
        "an interval each",
      );
      assert.equal(
        strip.texts.filter((t) => t.class.includes("name")).length,
        cells.length,
        "a name each",
      );

      const run = titled(all, / in each block, /),
        variant = chosen(r),
        metric = tableOf(r).metric.name;
      const mine = data.series.filter((s) => s.variant === variant && s.metric === metric),
        s = mine.find((s) => !key(s.benchmark)) ?? mine[0];
      const y = yAxis(run, "log", ratio),
        got = marks(path(run, "dot"));
      assert.equal(got.length, s.ln.length, "a mark a block");
      s.ln.forEach((v, i) => near(got[i].y, y(Math.exp(v)), "block " + s.block[i]));
      const ticks = run.texts.filter((t) => t.class.includes("tick") && t.anchor === "middle");
      for (const t of ticks) near(got[s.block.indexOf(Number(t.text))].x, t.x, "block " + t.text);
    }));

test("a benchmark's detail: its blocks in order, and how they are distributed", () =>
  on("small-malloc", "b=Alloc32", async (page, r, data) => {
    const all = await charts(page, "#benchmarks .open-detail svg.chart"),
      s = data.series.find(
        (s) =>
          key(s.benchmark).endsWith("Alloc32") && s.variant === chosen(r) && s.metric === "sec/op",
      );
    const order = s.ln
      .map((v, i) => [s.start[i], Math.exp(v)])
      .sort((a, b) => a[0] - b[0])
      .map((p) => p[1]);
    const run = titled(all, "Run chart"),
      y = yAxis(run, "log", ratio),
      x = xAxis(run, "lin"),
      got = marks(path(run, "run-dots"));
    assert.equal(got.length, order.length);
    order.forEach((v, i) => {
      near(got[i].x, x(i + 1), "place of block " + i);
      near(got[i].y, y(v), "block " + i);
    });
    const c = r.tables[0].rows[1].cells.find((c) => c.variant === chosen(r));
    near(points(path(run, "median"))[0][1], y(ratioOf(c)), "the change of the record");

    const shares = titled(all, "Distribution of the blocks' ratios"),
      sx = xAxis(shares, "log", ratio),
      sy = yAxis(shares, "lin"),
      corners = points(path(shares, "steps-line"));
    const sorted = [...order].sort((a, b) => a - b);
    assert.equal(corners.length, 2 * sorted.length + 2);
    sorted.forEach((v, i) => {
      near(corners[2 * i + 1][0], sx(v), "value " + i);
      near(corners[2 * i + 2][1], sy((i + 1) / sorted.length), "share " + i);
    });
  }));

test("a benchmark's detail: its ratio at each step", () =>
  on("arc", "b=Path", async (page, r) => {
    const name = "Path",
      row = r.tables[0].rows.find((x) => x.benchmark.name === name);
    const c = titled(
        await charts(page, "#benchmarks .open-detail svg.chart"),
        "The benchmark over all steps",
      ),
      x = xAxis(c, "lin"),
      y = yAxis(c, "log", ratio),
      got = points(path(c, "steps-line"));
    const want = [
      1,
      ...r.arc.steps.map((s) => ratioOf(row.cells.find((c) => c.variant === measured(r, s)))),
    ];
    assert.equal(got.length, want.length);
    want.forEach((v, i) => {
      near(got[i][0], x(i), "step " + i);
      near(got[i][1], y(v), "ratio at step " + i);
    });
    assert.equal(
      lines(path(c, "median")).length,
      r.arc.steps.filter(
        (s) => row.cells.find((c) => c.variant === (s.same_as?.as ?? s.variant))?.interval,
      ).length,
      "an interval a step",
    );
  }));

// explained opens all explanations and reads the charts in them.
async function explained(page, title) {
  await page.evaluate(() => {
    for (const d of document.querySelectorAll("#why details.explanation")) d.open = true;
  });
  await drawn(page);
  return (await charts(page, "#why svg.chart")).filter((c) => c.title.startsWith(title));
}

const sane = (v) => v !== null && Math.abs(v) < 1e4;

test("why: the parts of the time add up from the left to the right", () =>
  on("causes", "", async (page, r) => {
    await explained(page, "");
    for (const way of await page.locator("#why select[name^=parts-]").all())
      await way.selectOption("function");
    for (const way of await page.locator("#why input[name^=parts-][value=function]").all())
      await way.check({ force: true });
    await drawn(page);
    const all = await explained(page, "Where the time");
    const list = r.explanations.filter((e) => e.cpu);
    assert.equal(all.length, list.length, "one an explanation");
    list.forEach((e, k) => {
      const c = all[k],
        x = xAxis(c, "lin", (t) => Number(t.replace("−", "-"))),
        bars = c.paths.filter((p) => ["less", "more", "unsure"].some((n) => p.class.includes(n)));
      const fs = e.cpu.functions,
        shown = fs.filter((p) => p.name !== "others").slice(0, 12),
        rest = fs.filter((p) => !shown.includes(p));
      const parts = [
        ...shown.map((p) => p.change),
        ...(rest.length ? [rest.reduce((s, p) => s + p.change, 0)] : []),
        e.cpu.not_seen.change,
      ];
      assert.equal(bars.length, parts.filter(sane).length + 1, "a bar a part, and the whole");
      let sum = 0;
      parts.filter(sane).forEach((v, i) => {
        const [[from], [to]] = pieces(bars[i].d);
        near(from, x(100 * Math.min(sum, sum + v)), `${c.title}: where part ${i} begins`);
        near(
          to,
          Math.max(x(100 * Math.max(sum, sum + v)), from + 1),
          `${c.title}: where part ${i} ends`,
          1.1,
        );
        sum += v;
      });
      const [[from], [to]] = pieces(bars.at(-1).d),
        d = 100 * e.cpu.difference.change;
      near(from, x(Math.min(0, d)), "the whole begins at zero, or ends there");
      near(to, x(Math.max(0, d)), "the whole");
    });
  }));

// pieces are the left and the right edge of a box that is drawn as "Mx yhwv..".
const pieces = (d) => {
  const [, x, y, w] = /^M(-?[\d.]+) (-?[\d.]+)h(-?[\d.]+)/.exec(d).map(Number);
  return [
    [x, y],
    [x + w, y],
  ];
};
const boxes = (d) => d.split(/(?=M)/).filter(Boolean).map(pieces);

test("why: the boxes of the flame graph are as wide as the stacks", () =>
  on("causes", "", async (page, r) => {
    const all = await explained(page, "Flame graph"),
      list = r.explanations.filter((e) => e.cpu?.flame);
    assert.equal(all.length, list.length);
    list.forEach((e, k) => {
      const wide = (f) =>
          Math.max(
            f.base ?? 0,
            f.variant ?? 0,
            (f.children ?? []).reduce((s, c) => s + wide(c), 0),
          ),
        root = e.cpu.flame,
        px = all[k].width / wide(root);
      const want = new Map(),
        net = [];
      const walk = (f, depth) => {
        const w = wide(f) * px;
        if (w >= 2) want.set(depth, [...(want.get(depth) ?? []), w]);
        if (w >= 2 && f.base !== f.variant)
          net.push(w * Math.min(1, Math.abs(f.variant - f.base) / wide(f)));
        for (const c of f.children ?? []) walk(c, depth + 1);
      };
      walk(root, 0);
      const drawn = boxes(path(all[k], "box"));
      for (const [depth, widths] of want) {
        const got = drawn
          .filter(([[, y]]) => y === 22 * depth)
          .map(([a, b]) => b[0] - a[0])
          .filter((w) => w >= 1.95)
          .sort((a, b) => a - b);
        assert.equal(got.length, widths.length, `${all[k].title}: boxes in row ${depth}`);
        widths.sort((a, b) => a - b).forEach((w, i) => near(got[i], w, "width", 0.3));
      }
      const bars = [...boxes(path(all[k], "less")), ...boxes(path(all[k], "more"))]
          .map(([a, b]) => b[0] - a[0])
          .filter((w) => w > 3)
          .sort((a, b) => b - a),
        most = net.filter((w) => w > 3).sort((a, b) => b - a);
      assert.equal(bars.length, most.length, all[k].title + ": bars of what changed");
      most.forEach((w, i) => near(bars[i], w, "bar", 0.4));
      assert.ok(all[k].texts.length > 1, "boxes have names");
    });
  }));

// One record, the same words: the verdict, the figures and the counts of result.json are what the page, the Markdown
// and the terminal say. Each is taken from the program's own output, and none is made up here.
import assert from "node:assert/strict";
import { assay, dataOf, go, pageFile, records, resultOf, spaced, test, visit } from "./pages.mjs";

// plain takes away what only one of the outputs has: escapes, bold type, line breaks, marks of list and table.
const plain = (s) =>
  s
    .replace(/&#(\d+);/g, (_, n) => String.fromCodePoint(n))
    .replace(/\*\*|`|\\(?=[^\w])/g, "")
    .replace(/<br>/g, " ")
    .replace(/[\u00a0\u2009]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
// In a pipe the terminal's output has the letters of all terminals.
const terminalOf = (...args) => plain(assay("show", ...args)).replace(/\s/g, "");
const inTerminal = (s) => plain(s).replace(/−/g, "-").replace(/\s/g, "");
const unmarked = (s) => plain(s).replace(/^[▼▲=?≡] /, "");
const key = (b) => (b.package ? b.package + "." + b.name : b.name);

const kept = new Map();
const markdownOf = (name) => {
  if (!kept.has(name)) kept.set(name, assay("report", records[name], "-o", "-", "--format", "md"));
  return kept.get(name);
};

// word is what is said of a comparison whose interval is printed as "[−14.1, +1.1]": what is unclear about 0 says which
// changes that excludes, rounded up to two digits: "within ±15 %".
const said = { higher: "higher, better", lower: "lower, worse" };
function word(c, interval) {
  const ends = (interval.match(/[\d,.]+\d|\d/g) ?? []).map((t) => t.replaceAll(",", "")),
    most = ends.toSorted((a, b) => b - a)[0];
  if (
    c.verdict !== "unclear" ||
    !c.interval ||
    c.interval.lo > 0 ||
    c.interval.hi < 0 ||
    most > 100
  )
    return said[c.verdict] ?? c.verdict;
  return `within ±${most < 10 ? most : Math.ceil(most)} %`;
}

for (const name of Object.keys(records))
  test(`${name}: the answer is the record's in all four`, async () => {
    const r = resultOf(name),
      page = await visit(pageFile(name)),
      markdown = plain(markdownOf(name)),
      terminal = terminalOf(records[name]);
    assert.deepEqual(
      dataOf(pageFile(name)).machines[0].result.answer,
      r.answer,
      "what the page holds",
    );
    const card = await page.evaluate(() => ({
      text: [...document.querySelectorAll(".answer .text p")].map((p) => p.textContent),
      all: document.querySelector(".answer").textContent,
      class: document.querySelector(".answer").className,
      title: document.title,
    }));
    assert.deepEqual(card.text.map(spaced), r.answer.text, "what the page says");
    assert.equal(/NOT (ALL )?DECIDED/.test(card.all), !r.answer.decided);
    assert.equal(/\bopen\b/.test(card.class), !r.answer.decided);
    const words = (s) => s.toLowerCase().replaceAll("-", " "),
      { title } = dataOf(pageFile(name)).words;
    assert.equal(words(title), words(r.report?.title ?? r.study), "the title is the study's");
    assert.ok(card.title.startsWith(title));
    for (const t of [...r.answer.text, r.answer.basis]) {
      assert.ok(plain(card.all).includes(plain(t)), `the page: ${t}`);
      assert.ok(markdown.includes(plain(t)), `the Markdown: ${t}`);
      assert.ok(terminal.includes(inTerminal(t)), `the terminal: ${t}`);
    }
    for (const w of r.warnings ?? [])
      assert.ok(
        (await page.locator("#answer details.warning").allTextContents())
          .map(spaced)
          .join(" ")
          .includes(w.text),
        w.text,
      );
  });

// tables reads the Markdown's tables: their head, and their rows by the first cell.
const tables = (text) =>
  text
    .split(/\n\n+/)
    .filter((b) => /^\| .*\n\| ?:?-/.test(b))
    .map((b) => {
      const [head, , ...rows] = b
        .split("\n")
        .filter((l) => l.startsWith("|"))
        .map((l) =>
          l
            .split(/(?<!\\)\|/)
            .slice(1, -1)
            .map(plain),
        );
      return { head, rows: new Map(rows.map((r) => [r[0], r])) };
    });

// benchmarkRows are the page's rows by name, with the package that stands over them before it.
const benchmarkRows = (page) =>
  page.evaluate(() => {
    let group = "";
    const name = (tr) => tr.querySelector("th bdi").title || tr.querySelector("th bdi").textContent;
    return [...document.querySelectorAll("#benchmarks tbody tr")].flatMap((tr) => {
      if (tr.matches(".group")) group = name(tr) + ".";
      return tr.querySelector("td.v")
        ? [
            [
              group + name(tr),
              ["change", "side", "v"].map((c) => tr.querySelector("td." + c).textContent),
            ],
          ]
        : [];
    });
  });

// The page's "−4.0 %" stands in a cell with its sign before it on small screens only.
const strip = ([name, [change, side, verdict]]) => [
  name,
  {
    change: plain(change).replace(/^[▼▲=?≡]\s*/, ""),
    side: plain(side),
    verdict: unmarked(verdict),
    mark: verdict.trim()[0],
  },
];

for (const [name, metric] of [
  ["small-malloc", "sec/op"],
  ["go-toml", "sec/op"],
  ["causes", "sec/op"],
  ["interpreters", "sec/op"],
  ["causes", "allocs/op"],
])
  test(`${name}, ${metric}: verdict and figures of each benchmark in the page are those of Markdown and record`, async () => {
    const r = resultOf(name),
      page = await visit(pageFile(name)),
      t = r.tables.find((t) => t.metric.name === metric),
      markdown = tables(markdownOf(name));
    const own = markdown.find(
      (m) =>
        m.head[0] === metric &&
        t.rows.every((x) => m.rows.has(x.benchmark.name) || m.rows.has(key(x.benchmark))),
    );
    assert.ok(own, `a table of ${metric} among: ${markdown.map((m) => m.head[0])}`);
    for (const v of r.variants.filter(
      (v) => v.name !== r.base && v.name !== "control" && !v.same_as,
    )) {
      await go(page, new URLSearchParams({ cmp: v.name, m: metric }).toString());
      const rows = new Map((await benchmarkRows(page)).map(strip)),
        column = own.head.indexOf(v.name);
      assert.ok(column > 0, v.name + " in the Markdown");
      for (const row of t.rows) {
        const c = row.cells.find((c) => c.variant === v.name),
          got = rows.get(row.benchmark.name) ?? rows.get(key(row.benchmark)),
          what = `${v.name}, ${row.benchmark.name}`;
        if (!c) continue;
        assert.ok(got, what + " is on the page");
        assert.equal(got.verdict, word(c, got.side), what);
        // "−4.0 % ±4.2 ▼", "+4.5 % [−0.3, +8.9] ?", "0 % exact ="
        const [, change, half, mark] = /^(.*?)(?: (±\S+|\[.*\]|exact))? ([▼▲=?≡])$/.exec(
          (own.rows.get(key(row.benchmark)) ?? own.rows.get(row.benchmark.name))[column],
        );
        assert.equal(got.change, change, what + ": the change");
        assert.equal(got.mark, mark, what + ": the sign");
        if (half === "exact") assert.equal(got.side, "(exact)", what);
        else if (half?.startsWith("[")) assert.equal(got.side, half, what + ": the interval");
        else if (half) assert.match(got.side, /^\[.*\]$/, what + " has an interval");
      }
    }
  });

for (const name of ["queue-path", "gogc", "small-malloc", "causes", "tune"])
  test(`${name}: change, interval and verdict of each variant are the same on the page, in Markdown and in the terminal`, async () => {
    const r = resultOf(name),
      page = await visit(pageFile(name)),
      several = await page.locator("#variants").count(),
      markdown = tables(markdownOf(name)),
      terminal = terminalOf("--all", records[name]);
    const t = r.tables.find((t) => t.decides),
      lines = new Map(
        (several
          ? await page.evaluate(() =>
              [...document.querySelectorAll("#variants .forest tbody tr")]
                .filter((tr) => tr.querySelector("td.v"))
                .map((tr) => [
                  tr.querySelector("th bdi").title || tr.querySelector("th bdi").textContent,
                  ["change", "side", "v"].map((c) => tr.querySelector("td." + c).textContent),
                ]),
            )
          : await benchmarkRows(page)
        ).map(strip),
      );
    for (const v of r.variants.filter(
      (v) => v.name !== r.base && v.name !== "control" && !v.same_as,
    )) {
      const c =
          t.geomean?.find((c) => c.variant === v.name) ??
          t.rows[0].cells.find((c) => c.variant === v.name),
        got = lines.get(several ? v.name : t.rows[0].benchmark.name),
        what = v.name;
      assert.equal(got.verdict, word(c, got.side), what);
      const line = markdown
        .flatMap((m) => (m.head.includes("variant") || !several ? [...m.rows.values()] : []))
        .find((x) => x[0] === (several ? v.name : t.rows[0].benchmark.name));
      assert.ok(line, `${what} among the Markdown's ${markdown.map((m) => m.head.join("/"))}`);
      const all = line.join(" ");
      assert.ok(all.includes(got.change), `the Markdown says ${all}, the page ${got.change}`);
      if (got.side)
        assert.ok(all.includes(got.side), `the Markdown says ${all}, the page ${got.side}`);
      assert.ok(
        all.includes(word(c, got.side)) || all.includes(got.mark),
        `the Markdown says ${all}, the record ${c.verdict}`,
      );
      assert.ok(
        terminal.includes(inTerminal(got.change + got.side)),
        `${what}: ${got.change} ${got.side} in the terminal`,
      );
    }
  });

for (const name of ["arc", "go-toml"])
  test(`${name}: each step's change and remark are the same on the page, in Markdown and in the terminal`, async () => {
    const r = resultOf(name),
      page = await visit(pageFile(name)),
      terminal = terminalOf(records[name]),
      markdown = tables(markdownOf(name)).find((m) => m.head[1] === "step");
    const t = r.tables.find((t) => t.metric.name === "sec/op");
    for (const s of r.arc.steps) {
      await go(page, "step=" + s.number);
      const own = await page.evaluate(
          () =>
            [...document.querySelectorAll("#walk table")][0]?.querySelector("tbody tr td")
              ?.textContent ?? "",
        ),
        line = markdown.rows.get(String(s.number)).join(" "),
        x = t.steps.find((x) => x.variant === s.variant);
      if (s.same_as || s.gap) continue;
      const [, change, interval] = /^\s*(\S+ %|\S+)\s*(\[.*\])?/.exec(plain(own));
      assert.ok(
        line.includes(change) && (!interval || line.includes(interval)),
        `step ${s.number}: the page says ${own}, the Markdown ${line}`,
      );
      assert.ok(
        terminal.includes(inTerminal(change + (interval ?? ""))),
        `step ${s.number}: ${own} in the terminal`,
      );
      const walk = plain(await page.locator("#walk").innerText());
      if (x?.text) {
        assert.ok(walk.includes(x.text), x.text);
        assert.ok(line.includes(x.text), x.text);
      }
      assert.ok(walk.includes(s.story ? s.variant : plain(s.text)), "the record's own words of it");
    }
  });

test("explanations: what the page says first is what the record says", async () => {
  const r = resultOf("causes"),
    page = await visit(pageFile("causes")),
    markdown = plain(markdownOf("causes"));
  const found = await page.evaluate(() =>
      [...document.querySelectorAll("#why details.explanation")].map((d) => d.textContent),
    ),
    got = found.map(spaced);
  assert.equal(got.length, r.explanations.length);
  r.explanations.forEach((e, i) => {
    for (const t of e.text) assert.ok(got[i].includes(t), t);
    for (const c of e.causes ?? []) assert.ok(got[i].includes(c.text), c.text);
    assert.ok(got[i].includes(e.benchmark.name) && got[i].includes(e.variant));
  });
  const told = r.explanations.filter((e) =>
    markdown.includes(
      `Likely cause of ${e.benchmark.name} in ${e.variant}: ${plain(e.causes[0].text)}`,
    ),
  );
  assert.ok(told.length >= 3, "the Markdown has the largest: " + told.length);
});

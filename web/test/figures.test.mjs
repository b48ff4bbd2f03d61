// Every figure of the first screen is one of the record, and one that the terminal prints: percentages and ratios are
// those of comparisons and causes, or stand in warnings; other numbers stand in the text of assay show. Ticks of an axis
// are left out: they are places, not figures. The Go test TestFirstScreenFigures looks at the page without a script.
import assert from "node:assert/strict";
import { assay, dataOf, pageFile, records, resultOf, test, visit } from "./pages.mjs";

const figure = /([+−±]?)(\d+(?:,\d{3})*(?:\.\d+)?)( ?%|×)?/g;

// changesOf are the percentages of a result as shares: changes, ends of intervals, limits. Expected false claims, which
// no field holds, are 5 %.
function changesOf(r) {
  const out = [0.05, r.rule.min_effect, r.rule.confidence, r.rule.gate, r.noise.floor];
  const walk = (x) => {
    if (x?.interval) out.push((x.interval.hi - x.interval.lo) / 2);
    for (const [k, y] of Object.entries(x ?? {}))
      if (typeof y === "object") walk(y);
      else if (["change", "lo", "hi", "min_effect"].includes(k)) out.push(y);
  };
  walk([r.tables, r.noise, r.explanations]);
  return out.filter((x) => typeof x === "number");
}

// strange are the numbers of a text that a result does not have: percentages are among its changes, or sums of them
// that the terminal prints with their sign, or in its warnings,
// other numbers among the words of what was printed of it.
function strange(text, r, printed) {
  const numbers = (s) => new Set([...s.matchAll(figure)].map((m) => m[2])),
    changes = changesOf(r),
    ratios = changes.flatMap((c) => [1 + c, 1 / (1 + c)]),
    names = r.tables.flatMap((t) =>
      t.rows.map((x) => `${x.benchmark.package} ${x.benchmark.name}`),
    ),
    words = numbers([printed, ...r.variants.map((v) => v.go_version), ...names].join(" ")),
    said = new Set(printed.replaceAll("-", "−").match(/[+−][\d,.]*\d/g)),
    warned = numbers(JSON.stringify(r.warnings ?? []));
  return [...text.replace(/[\u00a0\u2009]/g, " ").matchAll(figure)]
    .filter(([, sign, digits, unit]) => {
      const x = Number(digits.replaceAll(",", "")),
        half = 0.5000001 * 10 ** -(digits.split(".")[1]?.length ?? 0);
      const near = (y) =>
        Math.abs((sign === "+" ? y : sign === "−" ? -y : Math.abs(y)) - x) <= half;
      const signed = sign === "+" || sign === "−";
      if (unit?.trim() === "%" || signed)
        return (
          !changes.some((c) => near(100 * c)) &&
          (signed ? !said.has(sign + digits) : !warned.has(digits))
        );
      if (unit === "×") return !ratios.some(near);
      return !words.has(digits);
    })
    .map((m) => m[0].trim());
}

for (const name of Object.keys(records))
  test(`${name}: every figure of the first screen is in the record and in the terminal`, async () => {
    const page = await visit(pageFile(name));
    const text = await page.evaluate(() => {
      const nodes = document.createTreeWalker(
          document.querySelector("#answer"),
          NodeFilter.SHOW_TEXT,
        ),
        out = [];
      while (nodes.nextNode()) {
        const e = nodes.currentNode.parentElement;
        if (!e.closest("style, script, [class*=axis], [class*=tick]"))
          out.push(nodes.currentNode.data);
      }
      return out.join(" ");
    });
    assert.match(text, /\d/, "the first screen has figures");
    // The intervals of a waterfall are those of the section "why".
    const why = dataOf(pageFile(name)).words.machines[0].why ?? [],
      printed =
        assay("show", records[name]) + assay("show", "--all", records[name]) + JSON.stringify(why);
    assert.deepEqual(strange(text, resultOf(name), printed), []);
  });

test("a wrong figure is found", () => {
  assert.deepEqual(
    strange("−98.76 % 12 blocks, 55.5× as fast", resultOf("small-malloc"), "12 blocks"),
    ["−98.76 %", "55.5×"],
  );
});

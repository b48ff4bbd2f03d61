// What the sections of a chain of steps read from a record: src/steps.ts, and the Markdown of stories.
import { test } from "node:test";
import assert from "node:assert/strict";
import { curves, current, end, measured, phases, ratioOf, watched } from "../../src/steps.ts";
import { pageOf } from "../../src/data.ts";
import { defaults } from "../../src/state.ts";
import { firstSentence, Markdown } from "../../src/markdown.tsx";

const cell = (variant, change, more = {}) => ({
  variant,
  benchmark: { name: "A" },
  value: 10 * (1 + change),
  change,
  n: 10,
  verdict: "faster",
  interval: { lo: change - 0.01, hi: change + 0.01 },
  ...more,
});

// base, a, a gap, and one that is the same code as a.
function page() {
  const cells = [cell("a", -0.5)],
    metric = { name: "sec/op", better: "lower", min_effect: 0.01 };
  const step = (variant, number, more) => ({
    variant,
    number,
    previous: "base",
    text: "",
    ...more,
  });
  return pageOf({
    schema: 1,
    files: [],
    commands: [],
    words: {
      units: {},
      metrics: {},
      verdicts: {},
      cells: [],
      machines: [
        { said: [], steps: { a: { measured: "a" }, g: { measured: "" }, b: { measured: "a" } } },
      ],
    },
    build: "",
    series: [],
    machines: [
      {
        name: "m",
        result: {
          schema: 1,
          study: "s",
          base: "base",
          platform: {},
          variants: [],
          answer: { text: [] },
          noise: { floor: 0 },
          rule: { min_effect: 0.01 },
          tables: [
            {
              metric,
              decides: true,
              rows: [{ benchmark: { name: "A" }, base: 10, cells }],
              geomean: [{ ...cells[0], benchmark: { name: "geomean" } }],
              steps: [],
            },
          ],
          arc: {
            phases: [{ id: "P", name: "first" }],
            steps: [
              step("a", 1, { phase: "P" }),
              step("g", 2, { phase: "P", gap: { variant: "g", reason: "no" } }),
              step("b", 3, { same_as: { variant: "b", as: "a", functions: 1 } }),
            ],
          },
        },
      },
    ],
  });
}

test("a step that is the same code has the other's figures, a gap has none", () => {
  const p = page(),
    r = p.first;
  assert.deepEqual(
    ["a", "g", "b"].map((v) => measured(r, v)),
    ["a", "", "a"],
  );
  const c = curves(p, r, "sec/op");
  assert.deepEqual([...c.whole.ratio], [1, 0.5, NaN, 0.5]);
  assert.deepEqual([...c.lines[0]], [1, 0.5, NaN, 0.5]);
  assert.equal(c.base, 10);
  assert.equal(end(r, r.tables[0]).change, -0.5);
});

test("phases, the current step and what it is about", () => {
  const p = page();
  assert.deepEqual(phases(p), [{ id: "P", name: "first", from: 1, to: 2 }]);
  assert.deepEqual(
    ["", "0", "3", "4", "x"].map((step) => current(p, { ...defaults, step })),
    [-1, 0, 3, -1, -1],
  );
  assert.deepEqual(
    [["Tok"], [""], undefined].map((w) => watched({ name: "Tokens/a" }, w)),
    [true, false, false],
  );
});

test("no ratio where the record carries none", () => {
  const bad = [
    undefined,
    cell("a", null),
    cell("a", -3),
    cell("a", 0),
    cell("a", -0.5, { n: 0 }),
    cell("a", -0.5, { interval: undefined }),
  ];
  for (const c of bad) assert.ok(Number.isNaN(ratioOf(c)));
  assert.equal(ratioOf(cell("a", 0, { verdict: "same" })), 1);
});

test("the first sentence of a story", () => {
  assert.equal(firstSentence("`F` made a\nslice. That is\nslow.\n\nMore."), "`F` made a slice.");
  assert.equal(firstSentence("Was v1.2 slow? `x` was"), "Was v1.2 slow?");
  assert.equal(firstSentence(""), "");
});

// rendered is the HTML of a component without events, which is all that Markdown makes.
function rendered(v) {
  if (v == null || typeof v === "boolean") return "";
  if (typeof v !== "object") return String(v).replace(/</g, "&lt;");
  if (Array.isArray(v)) return v.map(rendered).join("");
  if (typeof v.type === "function") return rendered(v.type(v.props));
  const { children, ...rest } = v.props;
  return `<${v.type}${Object.entries(rest)
    .map(([k, x]) => ` ${k}="${x}"`)
    .join("")}>${rendered(children)}</${v.type}>`;
}
const html = (text) => rendered(Markdown({ text }));

test("Markdown of strangers becomes text and http links only", () => {
  assert.equal(
    html("a **b `c`** *d*\n\n- x\n  y\n- z"),
    "<p>a <strong>b <code>c</code></strong> <em>d</em></p><ul><li>x y</li><li>z</li></ul>",
  );
  assert.match(
    html("[go](https://go.dev/x)"),
    /<a href="https:\/\/go.dev\/x" rel="noopener noreferrer" target="_blank">go<\/a>/,
  );
  for (const bad of [
    "javascript:alert`1`",
    "data:text/html,x",
    "//evil",
    "HTTPS:evil",
    "vbscript:x",
  ])
    assert.ok(!html(`[x](${bad})`).includes("<a "), bad);
  assert.equal(html("<script>1</script>"), "<p>&lt;script>1&lt;/script></p>");
});

// A million characters take a second if each is read once, and hours if each is read again for every other one: then
// dev/unit.mjs ends the test.
test("Markdown takes linear time", () => {
  for (const part of ["`", "*", "**", "[", "[a](", "* ", "- "])
    assert.ok(html(part.repeat(1e6)).length > 1e6);
});

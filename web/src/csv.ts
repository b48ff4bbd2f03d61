// The tables as comma-separated values, a line a comparison, with the columns of "assay report -o FILE.csv"
// (internal/report/csv.go), and the machine before them. A line without a benchmark is the geomean.
import type { Page } from "./data";
import { differs, key } from "./data";
import { unitOf } from "./format";
import type { Benchmark, Comparison, Result, Table } from "./types";

const head = [
  "machine",
  "metric",
  "unit",
  "package",
  "benchmark",
  "variant",
  "base",
  "against",
  "base_value",
  "value",
  "change",
  "lo",
  "hi",
  "verdict",
  "n",
  "e",
  "exact",
  "reason",
];
const suite: Benchmark = { name: "" };

export function csv(page: Page): string {
  const lines = page.machines.flatMap((m) =>
    m.result.tables.flatMap((t) => tableLines(m.result, t).map((l) => [m.name, ...l])),
  );
  return [head, ...lines].map((l) => l.map(field).join(",") + "\r\n").join("");
}

type Field = string | number | boolean | null | undefined;

function tableLines(r: Result, t: Table): Field[][] {
  const values = new Map<string, number>(),
    at = (b: Benchmark, variant: string) => key(b) + "\0" + variant;
  for (const row of t.rows) {
    values.set(at(row.benchmark, r.base), row.base);
    for (const c of row.cells) values.set(at(row.benchmark, c.variant), c.value);
  }
  const some = (t.geomean ?? []).find((c) => c.n > 0 && c.change > -1),
    base = t.geomean_base ?? (some && some.value / (1 + some.change)); // of older records
  if (base) values.set(at(suite, r.base), base);
  for (const c of t.geomean ?? []) values.set(at(suite, c.variant), c.value);
  const line = (
    b: Benchmark,
    c: Comparison,
    against: string,
    value = values.get(at(b, against)),
  ): Field[] => {
    const measured = c.n > 0 && c.verdict !== "invalid"; // else a zero would be a value
    return [
      t.metric.name,
      unitOf(t.metric.name),
      b.package,
      b.name,
      c.variant,
      r.base,
      against,
      value,
      measured ? c.value : "",
      measured ? c.change : "",
      c.interval?.lo,
      c.interval?.hi,
      c.verdict,
      c.n,
      c.e || "",
      c.exact ?? false,
      c.reason,
    ];
  };
  // What a step is compared with follows from the change: the previous step's own line is of other blocks.
  const step = (b: Benchmark, c: Comparison, previous: string): Field[] =>
    line(
      b,
      c,
      previous,
      c.change > -1 && !(c.change === 0 && differs(c.verdict))
        ? c.value / (1 + c.change)
        : undefined,
    );
  return [
    ...t.rows.flatMap((row) => row.cells.map((c) => line(row.benchmark, c, r.base))),
    ...(t.geomean ?? []).map((c) => line(suite, c, r.base)),
    ...(t.steps ?? []).flatMap((s) => [
      ...(s.cells ?? []).map((c) => step(c.benchmark, c, s.previous)),
      ...(s.whole && t.geomean?.length ? [step(suite, s.whole, s.previous)] : []),
    ]),
  ];
}

// field is one value. A spreadsheet takes text that begins so for a formula: an apostrophe before it says that it is none.
function field(x: Field): string {
  if (typeof x !== "string") return x == null ? "" : String(x);
  const s = /^\s*[=+\-@]/.test(x) ? "'" + x : x;
  return /[",\r\n]/.test(s) ? '"' + s.replaceAll('"', '""') + '"' : s;
}

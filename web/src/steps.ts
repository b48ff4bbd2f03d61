// What the record says of a chain of steps, found as the program finds it (internal/report/arc.go).
import type {
  Benchmark,
  Comparison,
  Machine,
  Metric,
  Result,
  Row,
  StepChange,
  StepResult,
  Table,
} from "../page";
import type { State } from "./state";
import { cell, key, metric, shown, table, whole, wordsOf, type Page } from "./data";
import { none, said, word } from "./format";

// machines are those shown whose results have steps.
export const machines = (page: Page, state: State): Machine[] =>
  shown(page, state).filter((m) => m.result.arc);

export const hasSteps = (page: Page): boolean =>
  page.machines.some((m) => m.result.arc?.steps.length);

// steps are the longest chain of any machine; where they differ, one has fewer than it was asked for.
export function steps(page: Page): StepResult[] {
  let out: StepResult[] = [];
  for (const m of page.machines)
    if ((m.result.arc?.steps.length ?? 0) > out.length) out = m.result.arc!.steps;
  return out;
}

// current is the number of the walkthrough's step: 0 for the base, -1 for none.
export function current(page: Page, state: State): number {
  const n = /^\d{1,6}$/.test(state.step) ? Number(state.step) : -1;
  return n <= steps(page).length ? n : -1;
}

export const stepOf = (r: Result, variant: string): StepResult | undefined =>
  r.arc?.steps.find((s) => s.variant === variant);

// measured is the variant that was measured for a step: itself, or the one that it is the same code as; "" for a gap.
export const measured = (r: Result, variant: string): string =>
  wordsOf(r).steps?.[variant]?.measured ?? variant;

const asBase = (variant: string, benchmark: Benchmark): Comparison => ({
  variant,
  benchmark,
  value: NaN,
  change: 0,
  n: 0,
  verdict: "same code",
});

// direct is a step against the base: over the suite, or on a benchmark.
export function direct(
  r: Result,
  t: Table | undefined,
  variant: string,
  row?: Row,
): Comparison | undefined {
  const v = measured(r, variant);
  if (v === r.base) return asBase(v, row?.benchmark ?? { name: "" });
  return v && t ? (row ? cell(row, v) : whole(t, v)) : undefined;
}

export const stepChange = (t: Table | undefined, variant: string): StepChange | undefined =>
  t?.steps?.find((s) => s.variant === variant);

// fromPrevious is a step against the one before: over the suite, or on a benchmark.
export function fromPrevious(
  t: Table | undefined,
  variant: string,
  benchmark?: string,
): Comparison | undefined {
  const c = stepChange(t, variant);
  if (benchmark !== undefined) return c?.cells?.find((x) => key(x.benchmark) === benchmark);
  return c?.whole ?? (t?.rows.length === 1 ? c?.cells?.[0] : undefined);
}

// line is a change in one line of text: "−6.0 % [−9.1, −0.6] faster".
export function line(c: Comparison | undefined): string {
  const s = said(c);
  return c
    ? [s.change, s.interval, word(c)].filter((x) => x && x !== none).join(" ") || none
    : none;
}

// end is the last step that was measured, against the base: over the suite, or on a benchmark.
export function end(r: Result, t: Table | undefined, row?: Row): Comparison | undefined {
  const last = r.arc?.steps.findLast((s) => !s.gap && measured(r, s.variant));
  return last && direct(r, t, last.variant, row);
}

// watched tells whether a step is about a benchmark: its name, or a part of it, is in the list.
export const watched = (b: Benchmark, watch: readonly string[] | undefined): boolean =>
  !!watch?.some((w) => w !== "" && b.name.includes(w));

// pinned are the benchmarks that the reader keeps in colour. turnPin pins one more, for which the oldest
// goes where there are too many, or lets it go.
export const pinned = (state: State): string[] => state.pin.split("\n").filter(Boolean);
export function turnPin(state: State, k: string): string {
  const was = pinned(state),
    rest = was.filter((x) => x !== k);
  return (rest.length < was.length ? rest : [...was, k].slice(-colours)).join("\n");
}

// coloured are the benchmarks to draw in colour: those pinned, the one whose detail is open and those
// that the current step is about. The charts have colours for the first.
export function coloured(page: Page, state: State): string[] {
  const watch = steps(page)[current(page, state) - 1]?.watch,
    has = new Set(page.benchmarks.map(key)),
    out = new Set([...pinned(state), state.b].filter((k) => has.has(k)));
  if (watch) for (const b of page.benchmarks) if (watched(b, watch)) out.add(key(b));
  return [...out];
}
export const colours = 4;

// told are the metrics that a step is told by: the first that decides, the allocations, and the one chosen.
export function told(page: Page, state: State): Metric[] {
  const list = [
    page.metrics[0],
    page.metrics.find((m) => m.name === "allocs/op"),
    metric(page, state),
  ];
  return list.filter((m, i): m is Metric => !!m && list.indexOf(m) === i);
}

// A Stretch is a run of steps of one phase, from its first number to its last.
export interface Stretch {
  id: string;
  name: string;
  from: number;
  to: number;
}

export function phases(page: Page): Stretch[] {
  const names = new Map<string, string>(),
    out: Stretch[] = [];
  for (const m of page.machines)
    for (const p of m.result.arc?.phases ?? []) names.set(p.id, p.name);
  steps(page).forEach((s, i) => {
    const last = out.at(-1);
    if (!s.phase) return;
    if (last?.id === s.phase && last.to === i) last.to = i + 1;
    else out.push({ id: s.phase, name: names.get(s.phase) ?? "", from: i + 1, to: i + 1 });
  });
  return out;
}

// A Curve is a metric over base and steps as ratios to the base: NaN where there is a gap or nothing may be said.
export interface Curve {
  ratio: Float64Array;
  lo: Float64Array;
  hi: Float64Array;
}

// ratioOf is a comparison as a ratio, NaN where the record does not carry one.
export function ratioOf(c: Comparison | undefined): number {
  if (c?.verdict === "same code") return 1;
  if (!c || !c.n || !(c.change >= -1) || !Number.isFinite(c.change)) return NaN;
  const moved = c.verdict !== "same" && c.verdict !== "unclear";
  return (!c.interval && !c.exact) || (c.change === 0 && moved) ? NaN : 1 + c.change;
}

export interface Curves {
  whole: Curve;
  rows: readonly Row[];
  lines: Float64Array[]; // a benchmark each, in the order of rows
  from: Comparison["variant"][]; // the variant measured for base and each step
  base: number; // the base's value over the suite, NaN where there is none
  lost: number; // benchmarks that have no ratio anywhere: the base is 0, or nothing was measured
}

const known = new WeakMap<Result, Map<string, Curves>>();

// curves are a machine's on one metric. They are made once: sections and switches ask again and again.
export function curves(page: Page, r: Result, name: string | undefined): Curves {
  const made = known.get(r) ?? new Map<string, Curves>();
  known.set(r, made);
  const c = made.get(name ?? "") ?? make(steps(page), r, table(r, name));
  made.set(name ?? "", c);
  return c;
}

function make(list: StepResult[], r: Result, t: Table | undefined): Curves {
  const from = [r.base, ...list.map((s) => (stepOf(r, s.variant) ? measured(r, s.variant) : ""))];
  const n = from.length,
    at = new Map<string, number>();
  from.forEach((v, i) => {
    if (v && !at.has(v)) at.set(v, i);
  });
  const whole: Curve = {
    ratio: new Float64Array(n).fill(NaN),
    lo: new Float64Array(n).fill(NaN),
    hi: new Float64Array(n).fill(NaN),
  };
  let base = NaN;
  from.forEach((v, i) => {
    const c = i === 0 ? asBase(v, { name: "" }) : direct(r, t, list[i - 1]!.variant);
    if (!v || !t) return;
    const x = (whole.ratio[i] = ratioOf(c));
    whole.lo[i] = c?.interval ? 1 + c.interval.lo : x;
    whole.hi[i] = c?.interval ? 1 + c.interval.hi : x;
    if (i > 0 && c && x > 0 && c.value > 0 && Number.isNaN(base)) base = c.value / x;
  });
  let lost = 0;
  const lines = (t?.rows ?? []).map((row) => {
    const own = new Float64Array(n).fill(NaN);
    own[0] = row.base > 0 || row.cells.some((c) => c.exact || c.interval) ? 1 : NaN;
    for (const c of row.cells) {
      const i = at.get(c.variant);
      if (i !== undefined) own[i] = ratioOf(c);
    }
    const line = own.map((_, i) => (from[i] ? own[at.get(from[i]!)!]! : NaN));
    if (!line.some((x, i) => i > 0 && !Number.isNaN(x))) lost++;
    return line;
  });
  return { whole, rows: t?.rows ?? [], lines, from, base, lost };
}

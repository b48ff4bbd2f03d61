// The page's data: put back where they are packed, and asked.
import type {
  Benchmark,
  Comparison,
  Machine,
  MachineWords,
  Metric,
  Packed,
  Page as PageData,
  Result,
  Row,
  Series,
  Table,
  VariantResult,
  Warning,
} from "../page";
import { say, speak } from "./format";
import type { State } from "./state";

export const schema = 1;

// A Page is the data with what is asked of it often.
export interface Page {
  data: PageData;
  machines: Machine[];
  series: Series[];
  warnings: Warning[];
  // The first machine's result: what all machines share (study, question, variants' names) is read from it.
  first: Result;
  // Metrics that any machine has, those that decide first.
  metrics: Metric[];
  // All benchmarks of all machines, in the order of the tables.
  benchmarks: Benchmark[];
}

// A NewerSchema is a page written for a script that this one is older than.
export class NewerSchema extends Error {}

export function pageOf(data: PageData): Page {
  const newest = Math.max(data.schema, ...data.machines.map((m) => m.result.schema));
  if (newest > schema)
    throw new NewerSchema(
      `this page holds schema ${newest}, its script knows ${schema}: open it with the assay that wrote it`,
    );
  speak(data.words);
  data.machines.forEach(({ result: r }, i) => {
    words.set(r, data.words.machines[i]!);
    comparisons(r).forEach((c, j) => say(c, wordsOf(r).said[j]));
  });
  let benchmarks: Benchmark[] = [];
  for (const p of data.packed ?? []) unpack(data, p, (benchmarks = p.benchmarks ?? benchmarks));
  const machines = data.machines;
  machines.forEach((m) => fill(m.result));
  const first = machines[0]!.result;
  const tables = machines.flatMap((m) =>
    [...m.result.tables].sort((a, b) => Number(b.decides ?? false) - Number(a.decides ?? false)),
  );
  return {
    data,
    machines,
    series: data.series ?? [],
    warnings: data.warnings ?? [],
    first,
    metrics: unique(
      tables.map((t) => t.metric),
      (m) => m.name,
    ),
    benchmarks: unique(
      tables.flatMap((t) => t.rows.map((r) => r.benchmark)),
      key,
    ),
  };
}

// unique are the first of each key, in their order.
export function unique<T>(list: readonly T[], key: (x: T) => string): T[] {
  const seen = new Set<string>();
  return list.filter((x) => !seen.has(key(x)) && seen.add(key(x)));
}

// wordsOf are the words of a machine's result.
const words = new WeakMap<Result, MachineWords>();
export const wordsOf = (r: Result): MachineWords => words.get(r)!;

// comparisons are those that the page's words are about, in their order (eachComparison in internal/page/words.go).
const comparisons = (r: Result): Comparison[] =>
  [
    ...(r.tables ?? []).flatMap((t) => [
      ...(t.rows ?? []).flatMap((x) => x.cells ?? []),
      ...(t.geomean ?? []),
      ...(t.steps ?? []).flatMap((s) => [s.whole, ...(s.cells ?? [])]),
      ...(t.effects ?? []).map((e) => e.whole),
    ]),
    ...(r.noise.cells ?? []),
    ...(r.variants ?? []).map((v) => v.worst),
    ...(r.arc?.compound ?? []).map((c) => c.direct),
    ...(r.explanations ?? []).map((e) => e.comparison),
  ].filter((c) => c !== undefined);

// fill puts empty lists where the record has null: nothing was counted there.
function fill(r: Result): void {
  for (const g of r.gcs ?? []) {
    for (const h of (g.heaps ??= [])) h.points ??= [];
    g.phases ??= [];
  }
  for (const v of [
    ...(r.gcs ?? []).flatMap((g) => g.phases.flatMap((p) => p.variants)),
    ...(r.latencies ?? []).flatMap((l) => l.variants),
  ]) {
    v.histogram.values ??= [];
    v.histogram.counts ??= [];
  }
}

// key tells benchmarks apart and is what the address calls them: "package.Name", as the program prints it.
export const key = (b: Benchmark): string => (b.package ? b.package + "." + b.name : b.name);

// shown are the machines that the reader wants to see.
export function shown(page: Page, state: State): Machine[] {
  const one = page.machines.filter((m) => m.name === state.p);
  return one.length ? one : page.machines;
}

// metric is the one chosen, else the first that decides.
export const metric = (page: Page, state: State): Metric | undefined =>
  page.metrics.find((m) => m.name === state.m) ?? page.metrics[0];

export const table = (r: Result, metric: string | undefined): Table | undefined =>
  r.tables.find((t) => t.metric.name === metric);

// deciding is the first table that the rule names.
export const deciding = (r: Result): Table | undefined =>
  r.tables.find((t) => t.decides) ?? r.tables[0];

// control is the name of the base's second run, which is no variant to choose.
export const control = "control";

// others are the variants that are compared: neither the base nor its control.
export const others = (r: Result): VariantResult[] =>
  r.variants.filter((v) => v.name !== r.base && v.name !== control);

// focus is the variant that single-variant charts show: the one chosen, else the one that the answer is about.
export function focus(r: Result, state: State): string {
  const names = others(r).map((v) => v.name);
  return (
    [state.cmp, r.answer.use, words.get(r)?.lead].find((v) => v && names.includes(v)) ??
    (r.arc ? names.at(-1) : names[0]) ??
    r.base
  );
}

export const cell = (row: Row, variant: string): Comparison | undefined =>
  row.cells.find((c) => c.variant === variant);
export const row = (t: Table | undefined, benchmark: string): Row | undefined =>
  t?.rows.find((r) => key(r.benchmark) === benchmark);

// whole is a variant over the whole suite: the geomean, or the only benchmark.
export function whole(t: Table | undefined, variant: string): Comparison | undefined {
  if (!t) return undefined;
  return (
    t.geomean?.find((c) => c.variant === variant) ??
    (t.rows.length === 1 ? cell(t.rows[0]!, variant) : undefined)
  );
}

// spanOfNoise is the least half-width of a relative axis, in ln: axes never zoom inside the noise.
export const spanOfNoise = (r: Result): number =>
  Math.log1p(2 * Math.max(r.noise.floor || 0, r.rule.min_effect || 0, 0.005));

// once keeps what was made when it was first asked for: a page of 600,000 cells shows a few at a time.
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

// some lists what f makes of 0 to n-1, less what is not there.
function some<T>(n: number, f: (i: number) => T | undefined): T[] {
  const out: T[] = [];
  for (let i = 0; i < n; i++) {
    const x = f(i);
    if (x !== undefined) out.push(x);
  }
  return out;
}

const scaleLn = 8192;

// unpack puts the columns of a large table back as the cells that they were made of.
function unpack(data: PageData, p: Packed, benchmarks: Benchmark[]): void {
  const r = data.machines[p.machine]!.result,
    t = r.tables[p.table]!,
    n = benchmarks.length,
    { base = [], value = [] } = p;
  const at = (v: number, j: number): Comparison | undefined => {
    const i = v * n + j,
      kind = p.kinds[p.kind[i]!],
      ln = p.ln[i]!,
      b = base[j] ?? 0;
    if (!kind) return;
    const c: Comparison = {
      variant: p.variants[v]!,
      benchmark: benchmarks[j]!,
      value: value[i] ?? 0,
      change: Math.expm1(ln / scaleLn),
      n: p.n[i]!,
      ...kind,
    };
    if (p.below[i]! >= 0)
      c.interval = {
        lo: Math.expm1((ln - p.below[i]!) / scaleLn),
        hi: Math.expm1((ln + p.above[i]!) / scaleLn),
      };
    say(c, p.words[i]);
    Object.assign(c, p.odd?.[i]);
    if (p.what !== "rows") return c;
    if (c.exact && b) c.change = c.value / b - 1;
    else if ((c.value - b) * c.change < 0) c.value = b * (1 + c.change); // six digits of a value may round it to the other side
    return c;
  };
  if (p.what === "noise") r.noise.cells = some(n, (j) => at(0, j));
  else if (p.what === "rows")
    t.rows = benchmarks.map((benchmark, j) => {
      const cells = once(() => some(p.variants.length, (v) => at(v, j)));
      return {
        benchmark,
        base: base[j]!,
        get cells() {
          return cells();
        },
      };
    });
  else {
    // What a step measured stands in the rows.
    const rows = once(() => new Map(t.rows.map((x) => [key(x.benchmark), x]))),
      of = once(() => benchmarks.map((b) => rows().get(key(b))));
    const index = new Map(p.variants.map((name, v) => [name, v]));
    t.steps = t.steps?.map((s) => {
      const v = index.get(s.variant);
      const cells = once(() =>
        some(v === undefined ? 0 : n, (j) => {
          const c = at(v!, j),
            row = of()[j];
          if (c && row) c.value = cell(row, c.variant)?.value ?? 0;
          return c;
        }),
      );
      return {
        ...s,
        get cells() {
          return cells();
        },
      };
    });
  }
}

// The page's data: opened from the document, unpacked, and asked.
import type { Across, Benchmark, Comparison, Machine, Metric, Packed, PageData, Result, Row, Series, Table, VariantResult, Warning } from "./types";
import type { State } from "./state";

export const schema = 1;

// A Page is the data with what is asked of it often.
export interface Page {
  data: PageData;
  machines: Machine[];
  across: Across[];
  series: Series[];
  warnings: Warning[];
  // The first machine's result: what all machines share (study, question, variants' names) is read from it.
  first: Result;
  // Metrics that any machine has, those that decide first.
  metrics: Metric[];
  // All benchmarks of all machines, in the order of the tables.
  benchmarks: Benchmark[];
}

// open reads the data of the document: base64 of gzip of JSON.
export async function open(text: string): Promise<Page> {
  const bytes = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return pageOf(JSON.parse(await new Response(stream).text()) as PageData);
}

// A NewerSchema is a page written for a script that this one is older than.
export class NewerSchema extends Error {}

export function pageOf(data: PageData): Page {
  const newest = Math.max(data.schema, ...data.machines.map((m) => m.result.schema));
  if (newest > schema) throw new NewerSchema(`this page holds schema ${newest}, its script knows ${schema}: open it with the assay that wrote it`);
  for (const p of data.packed ?? []) unpack(data, p);
  const machines = data.machines;
  const first = machines[0]!.result;
  const metrics: Metric[] = [], benchmarks: Benchmark[] = [], known = new Set<string>(), seen = new Set<string>();
  for (const m of machines)
    for (const t of [...m.result.tables].sort((a, b) => Number(b.decides ?? false) - Number(a.decides ?? false))) {
      if (!known.has(t.metric.name)) { known.add(t.metric.name); metrics.push(t.metric); }
      for (const r of t.rows) {
        const k = key(r.benchmark);
        if (!seen.has(k)) { seen.add(k); benchmarks.push(r.benchmark); }
      }
    }
  return { data, machines, across: data.across ?? [], series: data.series ?? [], warnings: data.warnings ?? [], first, metrics, benchmarks };
}

// key tells benchmarks apart and is what the address calls them: "package.Name", as the program prints it.
export const key = (b: Benchmark): string => (b.package ? b.package + "." + b.name : b.name);

// shown are the machines that the reader wants to see.
export function shown(page: Page, state: State): Machine[] {
  const one = page.machines.filter((m) => m.name === state.p);
  return one.length ? one : page.machines;
}

// metric is the one chosen, else the first that decides.
export const metric = (page: Page, state: State): Metric | undefined => page.metrics.find((m) => m.name === state.m) ?? page.metrics[0];

export const table = (r: Result, metric: string | undefined): Table | undefined => r.tables.find((t) => t.metric.name === metric);

// deciding is the first table that the rule names.
export const deciding = (r: Result): Table | undefined => r.tables.find((t) => t.decides) ?? r.tables[0];

// control is the name of the base's second run, which is no variant to choose.
export const control = "control";

// others are the variants that are compared: neither the base nor its control.
export const others = (r: Result): VariantResult[] => r.variants.filter((v) => v.name !== r.base && v.name !== control);

// focus is the variant that single-variant charts show.
export function focus(r: Result, state: State): string {
  const names = others(r).map((v) => v.name);
  if (names.includes(state.cmp)) return state.cmp;
  if (names.includes(r.answer.use ?? "")) return r.answer.use!;
  return (r.arc ? names.at(-1) : names[0]) ?? r.base;
}

export const cell = (row: Row, variant: string): Comparison | undefined => row.cells.find((c) => c.variant === variant);
export const row = (t: Table | undefined, benchmark: string): Row | undefined => t?.rows.find((r) => key(r.benchmark) === benchmark);

// whole is a variant over the whole suite: the geomean, or the only benchmark.
export function whole(t: Table | undefined, variant: string): Comparison | undefined {
  if (!t) return undefined;
  return t.geomean?.find((c) => c.variant === variant) ?? (t.rows.length === 1 ? cell(t.rows[0]!, variant) : undefined);
}

// good and bad are the verdicts that claim a change for the better or the worse.
export const good = (v: string): boolean => v === "faster" || v === "higher" || v === "less";
export const bad = (v: string): boolean => v === "slower" || v === "lower" || v === "more";
export const differs = (v: string): boolean => good(v) || bad(v) || v === "changed";

// spanOfNoise is the least half-width of a relative axis, in ln: axes never zoom inside the noise.
export const spanOfNoise = (r: Result): number => Math.log1p(2 * Math.max(r.noise.floor || 0, r.rule.min_effect || 0, 0.005));

const scaleLn = 8192;

function columns(b64: string): Uint8Array { return Uint8Array.from(atob(b64), (c) => c.charCodeAt(0)); }
function uint16(b64: string): Uint16Array {
  const b = columns(b64), n = b.length / 2, out = new Uint16Array(n);
  for (let i = 0; i < n; i++) out[i] = b[i]! | (b[n + i]! << 8);
  return out;
}
function float32(b64: string): Float32Array {
  const b = columns(b64), n = b.length / 4, v = new DataView(new ArrayBuffer(4)), out = new Float32Array(n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < 4; j++) v.setUint8(j, b[j * n + i]!);
    out[i] = v.getFloat32(0, true);
  }
  return out;
}

// unpack puts the columns of a large table back as the cells that they were made of.
function unpack(data: PageData, p: Packed): void {
  const t = data.machines[p.machine]!.result.tables[p.table]!;
  const ln = uint16(p.ln), below = uint16(p.below), above = uint16(p.above), n = uint16(p.n), verdict = columns(p.verdict);
  const base = p.base ? float32(p.base) : undefined;
  const at = (i: number, variant: string, benchmark: Benchmark, base: number): Comparison => {
    const x = ((ln[i]! << 16) >> 16), change = Math.expm1(x / scaleLn);
    const c: Comparison = { variant, benchmark, change, value: base * (1 + change), n: n[i]!, verdict: p.verdicts[verdict[i]!] as Comparison["verdict"] };
    if (below[i] !== 65535) c.interval = { lo: Math.expm1((x - below[i]!) / scaleLn), hi: Math.expm1((x + above[i]!) / scaleLn) };
    const rest = p.rest?.[i];
    return rest ? Object.assign(c, rest) : c;
  };
  if (p.what === "rows")
    t.rows = p.benchmarks.map((benchmark, r) => {
      const b = base?.[r] ?? 0;
      return { benchmark, base: b, cells: p.variants.map((v, k) => at(r * p.variants.length + k, v, benchmark, b)) };
    });
  else
    t.steps?.forEach((s) => {
      const k = p.variants.indexOf(s.variant);
      if (k >= 0) s.cells = p.benchmarks.map((b, j) => at(k * p.benchmarks.length + j, s.variant, b, 0)).filter((c) => c.n > 0);
    });
}

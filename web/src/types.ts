// The record that every output prints (docs/format.md, result.json), as JSON has it.
// A page never computes a verdict or makes a sentence of its own.

export interface PageData {
  schema: number;
  // One entry a machine; most pages have one.
  machines: Machine[];
  warnings?: Warning[]; // of the merge
  series: Series[];
  files: { name: string; text: string }[];
  commands: { what: string; line: string }[];
  // Which assay wrote the page.
  build: string;
  // Facts that the method section tells, made by Go.
  method?: string[];
  words: Words;
  packed?: Packed[];
}
// The words of the page (internal/page/words.go).
export interface Words {
  units: Record<string, { div: number; unit: string }[]>;
  metrics: Record<string, { label: string; unit: string; group?: string; at?: number }>;
  verdicts: Record<string, VerdictWords>;
  cells: CellWords[];
  ids: string[];
  machines: MachineWords[];
  facts: TableWords;
}
export interface MachineWords {
  said: number[];
  why?: WhyWords[];
  answer: Fact[];
  noise: Fact[];
  conditions: Fact[];
  variants: TableWords;
  suite: Record<string, string>;
  counts: Record<string, string>;
  layouts?: Record<string, string>;
  effects?: Record<string, [string, string][]>;
  race?: SectionWords;
  steps?: Record<string, { measured: string; gates?: string }>;
}
export interface Fact {
  name: string;
  text: CellText[];
}
export interface SectionWords {
  title: string;
  lines?: string[];
  tables?: TableWords[];
  note?: string;
}
// The words of an explanation (internal/page/why.go).
export interface WhyWords {
  sides: [string, string];
  values?: string;
  same?: string;
  title: string;
  causes?: { share?: string; place?: string }[];
  ways?: { name: string; bars: Bar[] }[];
  seen?: string;
  sections?: SectionWords[];
  funcs?: { place: string; about?: string; notes: string[] }[];
  commands?: { what: string; line: string }[];
  foot: string;
}
// A Bar is a part of a difference: in words, and its change to draw.
export interface Bar {
  name: string;
  base: string;
  variant: string;
  points: string;
  span?: string;
  change: number;
  interval?: Interval;
}
// A table whose cells are ready to be read; a bar is drawn below the text, from -1 to 1.
export interface CellText {
  text: string;
  class?: string;
  bar?: number;
}
export interface TableWords {
  name: string;
  head: { text: string; num?: boolean }[];
  rows: CellText[][];
}
export interface VerdictWords {
  word: string;
  mark: string;
  tone: string;
  differs?: boolean;
}
export interface CellWords {
  note?: string;
  aside?: string;
  change?: string;
  interval?: string;
  mark?: string;
}
export interface Machine {
  name: string;
  result: Result;
}
// ln(variant/base) in each block, with its start in seconds after the first.
export interface Series {
  machine: number;
  metric: string;
  benchmark: Benchmark;
  variant: string;
  block: number[];
  ln: number[];
  start: number[];
}
// The cells of a large table as columns (internal/page/pack.go; data.ts, unpack), by variant, then by benchmark.
// A column is base64 of little-endian numbers, the first bytes of all in front, then the second ones.
export interface Packed {
  machine: number;
  table: number;
  what: "rows" | "steps" | "noise";
  variants: string[];
  benchmarks?: Benchmark[]; // those of the one before, where left out
  // int16 ln(1+change)*8192, and uint16 distances of the interval's ends from it in the same unit (65535: no interval).
  ln: string;
  below: string;
  above: string;
  base?: string;
  value?: string; // float64 a benchmark; float32 a cell
  n: string;
  words: string; // uint16; uint32 index into the cells of the page's words
  kinds: Partial<Comparison>[];
  kind: string; // what many cells share; uint8 index into it (255: no such cell)
  // What few cells have, by index.
  rest?: Record<string, Partial<Comparison>>;
}

export interface Result {
  schema: number;
  run?: string;
  study: string;
  study_hash?: string;
  question?: string;
  command?: string;
  created?: string;
  platform: Platform;
  base: string;
  variants: VariantResult[];
  tables: Table[];
  rule: Rule;
  noise: Noise;
  latencies?: Latency[];
  gcs?: GC[];
  explanations?: Explanation[];
  arc?: Arc;
  report?: { title?: string; intro?: string; caveats?: string[] };
  tradeoff?: Tradeoff;
  race?: object;
  answer: Answer;
  warnings?: Warning[];
}
export interface Benchmark {
  package?: string;
  name: string;
}
export interface Platform {
  goos: string;
  goarch: string;
}
export interface VariantResult {
  name: string;
  words?: string[];
  same_as?: SameCode;
  worst?: Comparison;
}
export interface SameCode {
  variant: string;
  as: string;
  functions: number;
  control?: boolean;
}
export interface Metric {
  name: string;
  better?: "lower" | "higher";
  min_effect: number;
}
export interface Table {
  metric: Metric;
  decides?: boolean;
  rows: Row[];
  geomean?: Comparison[];
  common?: number;
  steps?: StepChange[];
  effects?: Effect[];
}
export interface Row {
  benchmark: Benchmark;
  base: number;
  spread?: { lo: number; hi: number };
  cells: Comparison[];
}
export interface Interval {
  lo: number;
  hi: number;
}
export interface Comparison {
  variant: string;
  benchmark: Benchmark;
  value: number;
  change: number;
  spread?: { lo: number; hi: number };
  interval?: Interval;
  n: number;
  verdict: Verdict;
  exact?: boolean;
  reason?: string;
}
export type Verdict =
  | "faster"
  | "slower"
  | "higher"
  | "lower"
  | "less"
  | "more"
  | "changed"
  | "same"
  | "unclear"
  | "same code"
  | "saturated"
  | "invalid"
  | "mixed"
  | "";
export interface Rule {
  min_effect: number;
  gate?: number;
}
export interface Noise {
  control?: string;
  floor: number;
  change: number;
  cells?: Comparison[];
  false: number;
}
export interface Answer {
  verdict: Verdict;
  use?: string;
  decided: boolean;
  text: string[];
  gate?: string;
}
export interface Warning {
  code: string;
  text: string;
  facts?: string[];
  try?: string;
}
export interface Effect {
  switches: { factor: string }[];
  held?: string;
  whole: Comparison;
}
export interface Tradeoff {
  metrics: [Metric, Metric];
  points: {
    variant: string;
    values: [number, number];
    changes: [number, number];
    beaten?: string;
  }[];
}
export interface Histogram {
  values: number[];
  counts: number[];
}
export interface Distribution {
  variant: string;
  runs: number;
  total: number;
  histogram: Histogram;
}
export interface Latency {
  benchmark: Benchmark;
  variants: Distribution[];
  shifts?: Shift[];
  refused?: { metric: string; seen: number }[];
}
export interface Shift {
  variant: string;
  n: number;
  confidence: number;
  p: number[];
  change: number[];
  lo?: number[];
  hi?: number[];
  text?: string;
}
export interface GC {
  benchmark: Benchmark;
  phases: { name: string; variants: Distribution[] }[];
  heaps: {
    variant: string;
    points: { live: number; mark: number; mark_cpu: number; cycles: number }[];
  }[];
  inside?: boolean;
}

export interface Arc {
  phases?: { id: string; name: string }[];
  steps: StepResult[];
  gates?: Record<string, string>;
  compound?: Compound[];
}
export interface StepResult {
  variant: string;
  phase?: string;
  story?: string;
  watch?: string[];
  view?: string;
  aside?: string;
  number: number;
  previous: string;
  commit?: string;
  gap?: { variant: string; reason: string; facts?: string[] };
  same_as?: SameCode;
  gates?: {
    variant: string;
    gate: string;
    status: "held" | "failed" | "unknown";
    against?: string;
    text?: string;
    evidence?: string[];
    log?: string;
  }[];
  missing?: Benchmark[];
  movers?: Comparison[];
  text: string;
}
export interface StepChange {
  variant: string;
  previous: string;
  whole?: Comparison;
  cells?: Comparison[];
  text?: string;
}
export interface Compound {
  metric: string;
  product: number;
  interval: Interval;
  direct: Comparison;
  agree: boolean;
}

export interface Explanation {
  benchmark: Benchmark;
  variant: string;
  base: string;
  metric: string;
  comparison: Comparison;
  base_value: number;
  causes?: { text: string; evidence?: string[] }[];
  text: string[];
  code?: { functions?: { listing?: CodeLine[] }[] };
  cpu?: { flame?: FlameFrame };
  warnings?: Warning[];
}
export interface FlameFrame {
  name: string;
  base: number;
  variant: number;
  children?: FlameFrame[];
}
export interface CodeLine {
  base?: string;
  variant?: string;
  kind?: "differs" | "folded" | "cut";
  count?: number;
  mark?: "call" | "bounds" | "barrier";
  line?: number;
}

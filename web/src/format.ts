// Numbers and words as the program prints them (internal/report/value.go, cells.go): the same record, the same digits.
// web/test/vectors.json, which a Go test writes, holds them together.
import type { Comparison, Interval, Metric } from "./types";
import { differs } from "./data";

export const none = "–";
const bogus = (x: number | undefined | null): boolean => x == null || !Number.isFinite(x);

function decimals(half: number): number {
  const p = 100 * Math.abs(half);
  if (p === 0 || (p >= 0.095 && p < 10)) return 1;
  return p >= 10 ? 0 : 2;
}

// fixed is toFixed with ties to even, as Go prints them: 0.5 is "0", 12.5 is "12".
export function fixed(x: number, d: number): string {
  const s = x.toFixed(d),
    more = x.toFixed(Math.min(d + 40, 100));
  if (!/[13579]$/.test(s) || !/^50*$/.test(more.slice(more.length - Math.min(40, 100 - d))))
    return s;
  return (Number(s) - Math.sign(x) * 10 ** -d).toFixed(d);
}

const sign = (x: number, digits: string): string =>
  (x < 0 || Object.is(x, -0) ? "−" : "+") + digits;

// percent is a change without its unit; half is the half-width of its interval, 0 for an exact one.
export function percent(c: number, half: number): string {
  const p = 100 * Math.abs(c);
  if (bogus(c)) return none;
  if (half === 0 && p === 0) return "0";
  if (half === 0 && p < 0.1) return sign(c, fixed(p, Math.min(1 - decade(p), 9)));
  return sign(c, fixed(p, decimals(half)));
}

export const change = (c: number, half: number): string =>
  bogus(c) ? none : percent(c, half) + " %";
export const halfOf = (i: Interval | undefined): number => (i ? (i.hi - i.lo) / 2 : 0);
export const interval = (i: Interval): string =>
  `[${percent(i.lo, halfOf(i))}, ${percent(i.hi, halfOf(i))}]`;
export const plusMinus = (half: number): string =>
  "±" + percent(half, half).replace(/^[+−]/, "") + " %";

// margin is a smallest effect: "1 %", "0.5 %".
export const margin = (f: number): string => String(Math.round(1e6 * f) / 1e4) + " %";

export interface Scale {
  div: number;
  unit: string;
}
const ladder = (list: [number, string][]): Scale[] => list.map(([div, unit]) => ({ div, unit }));
const seconds = ladder([
  [1, "s"],
  [1e-3, "ms"],
  [1e-6, "µs"],
  [1e-9, "ns"],
]);
const memory = ladder([
  [2 ** 40, "TiB"],
  [2 ** 30, "GiB"],
  [2 ** 20, "MiB"],
  [2 ** 10, "KiB"],
  [1, "B"],
]);
const rates = ladder([
  [1e12, "TB/s"],
  [1e9, "GB/s"],
  [1e6, "MB/s"],
  [1e3, "kB/s"],
  [1, "B/s"],
]);
const things = ladder([
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1, ""],
]);
const shares = ladder([[1e-2, "%"]]);

// What assay itself measures of services and collectors has a name for people.
const labels: Record<string, [string, Scale[]]> = {
  "tx/s": ["tx/s", things],
  "errors/tx": ["errors", shares],
  "cpu-sec/ktx": ["CPU per 1,000 tx", seconds],
  "mean-RSS-bytes": ["mean RSS", memory],
  "peak-RSS-bytes": ["peak RSS", memory],
  "gc.cycles/min": ["cycles per minute", things],
  "gc.cycles/ktx": ["cycles per 1,000 tx", things],
  "gc.cycles/op": ["cycles per op", things],
  "gc.mark": ["mark, wall", seconds],
  "gc.mark-cpu/op": ["mark CPU per op", seconds],
  "gc.mark-cpu": ["mark, CPU", seconds],
  "gc.assist-cpu": ["mark CPU, assists", seconds],
  "gc.background-cpu": ["mark CPU, workers", seconds],
  "gc.idle-cpu": ["mark CPU, idle", seconds],
  "gc.pause-sweep": ["pause, sweep end", seconds],
  "gc.pause-mark": ["pause, mark end", seconds],
  "gc.pause.p50": ["both pauses, p50", seconds],
  "gc.pause.p99": ["both pauses, p99", seconds],
  "gc.pause/min": ["paused per minute", seconds],
  "gc.cpu-share": ["share of CPU time", shares],
  "gc.alloc-B/s": ["allocation rate", rates],
  "gc.live-bytes": ["live heap", memory],
};

// place orders the metrics that assay itself measures: latencies by quantile, then as listed above.
export const place = (m: string): number =>
  m.startsWith("latency.p")
    ? Number(m.slice("latency.p".length)) - 100
    : Object.keys(labels).indexOf(m);

// label is what a metric is called in print.
export const label = (m: string): string =>
  labels[m]?.[0] ?? (m.startsWith("latency.") ? m.slice("latency.".length) : m);

function ladderOf(m: string): Scale[] {
  const known = labels[m];
  if (known) return known[1];
  if (m.startsWith("latency.p")) return seconds;
  const [num = "", per] = m.split(/\/(.*)/s),
    parts = num.split("-");
  if (parts.includes("B") && per === "s") return rates;
  if (parts.includes("B") || parts.includes("bytes")) return memory;
  if (parts.includes("sec")) return seconds;
  return things;
}

export function scaleFor(m: string, v: number, rel: number): Scale {
  v = Math.abs(v);
  const l = ladderOf(m),
    last = l.at(-1)!;
  const exact = rel === 0 && v === Math.trunc(v);
  if (v < 1e7 && (last.unit === "" || (last.unit === "B" && exact))) return last;
  return l.find((s) => v >= s.div) ?? last;
}

export function decade(v: number): number {
  v = Math.abs(v);
  return v === 0 || bogus(v) ? 0 : Math.floor(Math.log10(v * 1.0005));
}

function valueDecimals(v: number, rel: number): number {
  const lead = decade(v);
  if (!(rel > 0) || bogus(rel)) return Math.max(0, 2 - lead);
  const least = rel >= 0.05 ? 1 : 2,
    d = -decade(v * rel);
  return Math.max(0, Math.min(Math.max(d, least - lead), 3 - lead));
}

export const group = (digits: string): string => {
  const minus = digits.startsWith("-") ? "−" : "",
    [whole = "", frac] = digits.replace("-", "").split(".");
  return minus + whole.replace(/\B(?=(\d{3})+$)/g, ",") + (frac === undefined ? "" : "." + frac);
};

// tiny prints what has no unit small enough, as Go's %g does: "7.12e-09", "0.000123".
function tiny(v: number, precision: number): string {
  const [m = "", e = ""] = v.toExponential(Math.min(precision, 100) - 1).split("e"),
    x = Number(e);
  return x >= -4
    ? String(Number(m + "e" + e))
    : m.replace(/\.?0+$/, "") + "e-" + String(-x).padStart(2, "0");
}

// value prints a value of a metric in a unit of fitting size; rel is its relative uncertainty, 0 for an exact one.
export function value(m: string, v: number, rel = 0): string {
  const s = scaleFor(m, v, rel);
  if (bogus(v)) return none;
  v /= s.div;
  const a = Math.abs(v);
  let digits: string;
  if (a !== 0 && a < 1e-3)
    return (
      tiny(v, Math.max(1, 1 + decade(v) + valueDecimals(v, rel))) + (s.unit ? " " + s.unit : "")
    );
  if (v === 0 || (rel === 0 && v === Math.trunc(v))) digits = v.toFixed(0);
  else digits = fixed(v, valueDecimals(v, rel));
  return group(digits) + (s.unit ? " " + s.unit : "");
}

// word is the record's verdict; where up may be good it says so.
export const word = (v: string): string =>
  v === "" ? none : v === "higher" ? "higher, better" : v === "lower" ? "lower, worse" : v;

// mark is the sign of a verdict: where the value went, not whether that is good.
export function mark(c: Comparison): string {
  switch (c.verdict) {
    case "same":
      return "=";
    case "same code":
      return "≡";
    case "":
      return "";
    case "faster":
    case "less":
    case "lower":
      return "▼";
    case "slower":
    case "more":
    case "higher":
      return "▲";
    case "changed":
      return c.change < 0 || (c.difference ?? 0) < 0 ? "▼" : "▲";
  }
  return "?";
}

// tone is the class that colours a verdict; the mark or the word beside it says the same.
export const tone = (v: string): "better" | "worse" | "plain" =>
  v === "faster" || v === "higher" || v === "less"
    ? "better"
    : v === "slower" || v === "lower" || v === "more"
      ? "worse"
      : "plain";

// changeOf is what stands in the column of changes, with the interval beside it: "" where there is none.
export function changeOf(
  c: Comparison | undefined,
  base: number,
  m: Metric,
): { change: string; interval: string } {
  const no = { change: none, interval: "" };
  if (!c || c.verdict === "same code" || c.verdict === "invalid" || c.n === 0) return no;
  // Neither a time per operation nor a rate is ever zero: such a base was not measured.
  if (base === 0 && (isTime(m.name) || m.name === "B/s")) return no;
  const unit = m.name === "errors/tx" || m.name === "gc.cpu-share";
  if (
    (base === 0 && (c.difference ?? 0) !== 0) ||
    (!c.interval && differs(c.verdict) && !c.exact)
  ) {
    const d = c.difference ?? 0;
    let text = value(m.name, Math.abs(d));
    if (unit) text = text.replace(" %", " points");
    return { change: (d < 0 ? "−" : "+") + text, interval: c.exact ? "(exact)" : "" };
  }
  if (c.exact) return { change: change(c.change, 0), interval: "(exact)" };
  // Results of others have an interval each, and none of the change.
  if (c.verdict === "" && !c.interval && c.n > 0)
    return {
      change: change(
        c.change,
        c.spread && c.value
          ? Math.max(c.spread.hi - c.value, c.value - c.spread.lo) / Math.abs(c.value)
          : 0.01,
      ),
      interval: "",
    };
  if (bogus(c.change) || (!c.interval && c.change === 0)) return no;
  if (!c.interval) return { change: change(c.change, 0.1), interval: "so far" };
  return { change: change(c.change, halfOf(c.interval)), interval: interval(c.interval) };
}

const isTime = (m: string): boolean => m === "sec/op" || m.startsWith("latency.p");

// ratio is a change beyond ±50 % in words: "2.3× as fast".
export function ratio(c: number, m: Metric): string {
  const r = 1 + c;
  if (Math.abs(c) <= 0.5 || r <= 0 || bogus(r)) return "";
  if (isTime(m.name)) return r < 1 ? times(1 / r) + " as fast" : times(r) + " the time";
  return times(r) + " as much";
}

// times prints a ratio with two significant digits: "2.3×".
export const times = (r: number): string =>
  (r >= 10
    ? fixed(r, 0)
    : r >= 1
      ? fixed(r, 1)
      : r >= 0.1
        ? fixed(r, 2)
        : String(Number(r.toPrecision(1)))) + "×";

// bound says what an interval leaves out, in either direction: "no change beyond ±6.7 %".
export function bound(i: Interval): string {
  const most = Math.max(i.hi, -i.lo);
  return most <= 1 ? "no change beyond ±" + change(most, halfOf(i)).replace("+", "") : "";
}

// note says what a cell lacks and what would cure it, "" for nothing. minBlocks is the rule's.
export function note(c: Comparison, m: Metric, minBlocks = 0): string {
  const v = c.verdict,
    i = c.interval,
    parts: string[] = [];
  if (v === "unclear" && i && bound(i)) parts.push(bound(i));
  // An interval that covers 0 shows by itself why the verdict is unclear.
  if (c.reason && !(v === "unclear" && i && i.lo <= 0 && i.hi >= 0)) parts.push(c.reason);
  if (v === "unclear" && c.more_blocks)
    parts.push(
      "needs ~" +
        count(c.more_blocks, "block") +
        (c.more_time_ns ? ", " + duration(c.more_time_ns / 1e9) : ""),
    );
  else if (v === "unclear" && !i && !c.reason && c.n < minBlocks)
    parts.push(`${count(minBlocks, "block")} needed, ${int(c.n)} so far`);
  else if (differs(v) && c.may_be_small) parts.push("may be below " + margin(m.min_effect));
  return parts.join("; ");
}

// placement says how much of the noise placement explains, "" where that is not known.
export function placement(c: Comparison): string {
  const p = (x: number) => fixed(100 * x, 0),
    r = c.layout_range;
  return c.layout_share || r
    ? `placement explains about ${p(c.layout_share ?? 0)} % of the noise` +
        (r ? ` (${p(r.lo)} to ${p(r.hi)} %)` : "")
    : "";
}

// count is "1 block", "1,200 blocks".
export const count = (n: number, noun: string): string =>
  int(n) + " " + noun + (n === 1 ? "" : "s");
export const int = (n: number): string => (bogus(n) ? none : group(String(n)));

// duration is at most two units: "40 s", "2m10s", "4h05m".
export function duration(s: number): string {
  if (s < 1e-3) return Math.trunc(s * 1e6) + " µs";
  if (s < 1) return Math.round(s * 1e3) + " ms";
  if (s < 10) return fixed(s, 1) + " s";
  if (s < 100) return Math.round(s) + " s";
  const two = (a: number, u: string, b: number, p: string) =>
    b === 0 ? `${a} ${u === "m" ? "min" : "h"}` : `${a}${u}${String(b).padStart(2, "0")}${p}`;
  if (s < 3600) {
    const r = Math.round(s);
    return two(Math.trunc(r / 60), "m", r % 60, "s");
  }
  const r = Math.round(s / 60);
  return two(Math.trunc(r / 60), "h", r % 60, "m");
}

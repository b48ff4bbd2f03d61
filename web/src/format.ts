// The one formatter of numbers, for what follows the reader's choices: it prints as the program does (internal/sheet/value.go),
// to which web/test/vectors.json, written by a Go test, holds it. All words are the page's own (internal/page/words.go).
import type { AsideWords, Comparison, Interval, VerdictWords, Words } from "../page";

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

// sign is none of what rounds to zero.
const sign = (x: number, digits: string): string =>
  (/[1-9]/.test(digits) ? (x < 0 ? "−" : "+") : "") + digits;

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
let words: Pick<Words, "units" | "metrics" | "verdicts" | "cells"> = {
  units: {},
  metrics: {},
  verdicts: {},
  cells: [],
};
const cells = new WeakMap<Comparison, AsideWords>();

// speak takes the words of a page; say, what they are of a comparison.
export const speak = (w: Words): unknown => (words = w);
export const say = (c: Comparison, i: number | undefined): unknown =>
  cells.set(c, words.cells[i ?? 0] ?? {});

export const label = (m: string): string => words.metrics[m]?.label ?? m;
export const group = (m: string): string => words.metrics[m]?.group ?? "";
export const place = (m: string): number => words.metrics[m]?.at ?? 0;
const ladderOf = (m: string): Scale[] =>
  words.units[words.metrics[m]?.unit ?? ""] ?? [{ div: 1, unit: "" }];

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

export const commas = (digits: string): string => {
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
  return commas(digits) + (s.unit ? " " + s.unit : "");
}

// tick prints a round value without zeros behind the point.
export const tick = (metric: string, v: number): string =>
  v
    ? value(metric, v, 0.01)
        .replace(/(\.\d*?)0+(?=\D|$)/, "$1")
        .replace(/\.(?=\D|$)/, "")
    : "0";

// What is said of a verdict: its word, the class that colours it, and its sign, which says where the value went.
export const verdict = (v: string): VerdictWords =>
  words.verdicts[v] ?? { word: v, mark: "?", tone: "plain" };
export const tone = (v: string): string => verdict(v).tone;
export const good = (v: string): boolean => tone(v) === "better";
export const bad = (v: string): boolean => tone(v) === "worse";
export const differs = (v: string): boolean => !!verdict(v).differs;
export const word = (c: Comparison): string => cells.get(c)?.word ?? verdict(c.verdict).word;
export const mark = (c: Comparison): string => cells.get(c)?.mark ?? verdict(c.verdict).mark;

// note says what a comparison lacks and what would cure it, aside what is nice to know; "" for nothing.
export const note = (c: Comparison): string => cells.get(c)?.note ?? "";
export const aside = (c: Comparison): string => cells.get(c)?.aside ?? "";

// said is what stands in the column of changes, with the interval beside it: "" where there is none.
export function said(c: Comparison | undefined): { change: string; interval: string } {
  const own = c && cells.get(c);
  if (!c || own?.change || !(c.interval || c.exact))
    return { change: own?.change ?? none, interval: own?.interval ?? "" };
  return {
    change: change(c.change, c.exact ? 0 : halfOf(c.interval)),
    interval: c.interval && !c.exact ? interval(c.interval) : "(exact)",
  };
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

// count is "1 block", "1,200 blocks".
export const count = (n: number, noun: string): string =>
  int(n) + " " + noun + (n === 1 ? "" : "s");
export const int = (n: number): string => (bogus(n) ? none : commas(String(n)));

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

// What a distribution tells: its quantiles, its shares by bin, and how far up it can be read.
import type { Distribution, Histogram } from "../page";

// A quantile is told only where as many observations of each run lie beyond it (docs/methodology.md).
export const minBeyond = 10;

// topOf is the highest quantile that all of the distributions carry; 0 or less is none, as it is of no distributions.
export const topOf = (list: readonly Distribution[]): number =>
  list.length
    ? Math.min(
        ...list.map((d) => (d.total > 0 ? 1 - (minBeyond * Math.max(1, d.runs)) / d.total : 0)),
      )
    : 0;

const totalOf = (h: Histogram): number => h.counts.reduce((a, b) => a + b, 0);

// curve has for every bucket its value and the share of observations at or below its middle.
export function curve(h: Histogram): { p: number; v: number }[] {
  const n = totalOf(h);
  let sum = 0;
  return h.values.map((v, i) => {
    const c = h.counts[i]!;
    sum += c;
    return { p: (sum - c / 2) / n, v };
  });
}

// quantile is the value with a share p of the observations at or below it; NaN of none.
export function quantile(h: Histogram, p: number): number {
  let left = p * totalOf(h) - 1e-9;
  for (let i = 0; i < h.values.length; i++) if ((left -= h.counts[i]!) <= 0) return h.values[i]!;
  return h.values.at(-1) ?? NaN;
}

// rankAt is the share of observations at or below a value.
export function rankAt(h: Histogram, v: number): number {
  let sum = 0;
  for (let i = 0; i < h.values.length && h.values[i]! <= v; i++) sum += h.counts[i]!;
  return sum / totalOf(h);
}

// bins spreads the buckets, which are narrow and go by their geometric middle, over n bins of one width
// between lo and hi, where f is the logarithm or the identity: shares of all observations.
export function bins(
  h: Histogram,
  f: (x: number) => number,
  lo: number,
  hi: number,
  n: number,
): number[] {
  const out = new Array<number>(n).fill(0),
    total = totalOf(h),
    half = width(h) / 2,
    a = f(lo),
    step = (f(hi) - a) / n;
  h.values.forEach((v, i) => {
    if (!(v > 0)) return;
    const from = (f(v * Math.exp(-half)) - a) / step,
      to = (f(v * Math.exp(half)) - a) / step;
    for (let b = Math.max(0, Math.floor(from)); b < Math.min(n, to); b++)
      out[b]! += ((Math.min(to, b + 1) - Math.max(from, b)) / (to - from)) * (h.counts[i]! / total);
  });
  return out;
}

// width is that of a bucket, in ln: the least distance of two neighbours, as empty buckets are left out.
function width(h: Histogram): number {
  let w = 0.1;
  for (let i = 1; i < h.values.length; i++) {
    const d = Math.log(h.values[i]! / h.values[i - 1]!);
    if (d > 1e-4) w = Math.min(w, d);
  }
  return w;
}

// percentile is what a quantile is called: "p99.9".
export const percentile = (p: number): string => "p" + Number((100 * p).toFixed(4));

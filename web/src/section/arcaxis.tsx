import {
  ticks as ticksOf,
  poly,
  roomy,
  series,
  shapes,
  ticksAt,
  type Margin,
  type Scale,
  type Tick,
} from "../chart";
import { table } from "../data";
import { told } from "../forest";
import { halfOf, said, tick } from "../format";
import { cut } from "../points";
import type { SectionProps } from "../section";
import type { State } from "../state";
import { end, type Curves, type Stretch } from "../steps";
import type { Comparison, Machine, Metric, Row } from "../../page";

// Above this many benchmarks lines are a grey blob: bands of percentiles say more.
export const faint = 300;

// domain is what all panels show: the suite, then its intervals and the benchmarks as far as they do not flatten it.
export function domain(all: Curves[], span: number, kind: State["s"]): [number, number] {
  let a = -span,
    b = span,
    least = 1e-8,
    most = 1e8;
  const reach = (x: number) => {
    if (x >= least && x <= most) {
      a = Math.min(a, Math.log(x));
      b = Math.max(b, Math.log(x));
    }
  };
  for (const c of all) c.whole.ratio.forEach(reach);
  const many = all.some((c) => c.lines.length > faint),
    room = Math.max(b - a, Math.LN2) * (kind !== "log" ? 1 : many ? 1.2 : 2);
  least = Math.exp(a - room);
  most = Math.exp(b + room);
  for (const c of all) for (const l of [c.whole.lo, c.whole.hi, ...c.lines]) l.forEach(reach);
  return [Math.exp(a), Math.exp(b)];
}

// inValues are the curves in the metric's own unit: each benchmark begins at its own base, the suite at its own.
export function inValues(c: Curves): Curves {
  const by = (l: Float64Array, base: number) => l.map((x) => x * base),
    { ratio, lo, hi } = c.whole;
  return {
    ...c,
    whole: { ratio: by(ratio, c.base), lo: by(lo, c.base), hi: by(hi, c.base) },
    lines: c.lines.map((l, i) => by(l, c.rows[i]!.base)),
  };
}

// range is from the least to the largest value of all curves, and as wide as the noise at least.
export function range(all: Curves[], span: number): [number, number] {
  let lo = Infinity,
    hi = 0;
  for (const c of all)
    for (const l of [c.whole.ratio, c.whole.lo, c.whole.hi, ...c.lines])
      l.forEach((x) => {
        if (!(x > 0) || !Number.isFinite(x)) return;
        lo = Math.min(lo, x);
        hi = Math.max(hi, x);
      });
  if (!hi) return [1, 10];
  const room = Math.exp(Math.max(0.04 * Math.log(hi / lo), span - Math.log(hi / lo) / 2));
  return [lo / room, hi * room];
}

// ticks are round in what the view tells: ratios, changes or values. On a logarithm that spans more than
// two octaves they are 1, 1.5, 2, 3, 5, 7 times powers of ten, or powers of two for memory, as far as they fit.
export function ticks({ y }: Plot, { v, s }: State, m: Metric): Tick[] {
  const [lo = 1, hi = 1] = y.domain(),
    values = v === "value",
    zero = v === "change" ? 1 : 0;
  let at = ticksOf(lo - zero, hi - zero, 6).map((x) => x + zero);
  if (s === "log" && hi / lo > 4) {
    const two = values && /\bB\b|bytes/.test(m.name),
      power = two ? 2 : 10,
      list: number[] = values ? [] : [1];
    for (const k of two ? [1] : [1, 2, 5, 3, 1.5, 7])
      for (let e = Math.floor(Math.log(lo) / Math.log(power)); power ** e <= hi; e++)
        list.push(k * power ** e);
    at = list.filter((x) => x >= lo && x <= hi);
  }
  return ticksAt(roomy(at, y, 22), (x) =>
    values
      ? tick(m.name, Number(x.toPrecision(4)))
      : zero
        ? signed(x - 1)
        : Number(x.toPrecision(3)) + "×",
  );
}

const signed = (c: number): string => {
  const x = Number((100 * c).toPrecision(4));
  return x === 0 ? "0" : (x < 0 ? "−" : "+") + Math.abs(Number(x.toFixed(4))) + " %";
};

// stepTicks are numbers of steps that have room beside each other; the last always has its own.
export function stepTicks(n: number, px: number): Tick[] {
  const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((k) => k * px >= 26) ?? 1000,
    out: Tick[] = [{ at: 0, text: "base" }];
  for (let i = every; i < n; i += every)
    if ((n - i) * px >= 20 && i * px >= 30) out.push({ at: i, text: String(i) });
  return n ? [...out, { at: n, text: String(n) }] : out;
}

// spread moves labels apart that would lie upon each other, and keeps them inside the plot.
function spread(at: number[], lo: number, hi: number, gap: number): number[] {
  const order = at.map((_, i) => i).sort((a, b) => at[a]! - at[b]!),
    out = [...at];
  let least = lo;
  for (const i of order) {
    out[i] = Math.max(out[i]!, least);
    least = out[i]! + gap;
  }
  let most = hi;
  for (const i of order.reverse()) {
    out[i] = Math.min(out[i]!, most);
    most = out[i]! - gap;
  }
  return out;
}

// Plot is the curves of one machine and where they are drawn.
export interface Plot {
  c: Curves;
  x: (i: number) => number;
  y: Scale;
  px: (r: number) => number;
  n: number;
  margin: Margin;
  width: number;
  height: number;
}

// path draws a line of ratios; a value that a logarithm cannot show breaks it.
export const path = (p: Plot, l: ArrayLike<number>): string =>
  poly(p.n + 1, p.x, (i) => p.px(l[i]!));

// Phases shades every second phase and names each where it begins.
export function Phases({ p, list }: { p: Plot; list: Stretch[] }) {
  const top = p.margin.top,
    bottom = p.height - p.margin.bottom,
    half = p.n ? (p.x(1) - p.x(0)) / 2 : 0;
  return (
    <>
      <path
        class="phase"
        d={list
          .filter((_, i) => i % 2 === 0)
          .map(
            (s) =>
              `M${p.x(s.from) - half} ${top}H${Math.min(p.x(s.to) + half, p.x(p.n))}V${bottom}H${p.x(s.from) - half}Z`,
          )
          .join("")}
      />
      {list.map((s, i) => {
        const from = p.x(s.from),
          next = list[i + 1],
          room = (next ? p.x(next.from) : p.width) - from;
        return (
          <text x={from - 5} y={top - 6}>
            {cut(room > 40 ? `★${s.id} ${s.name}` : "★", Math.max(1, (room - 4) / 7), true)}
            <title>{s.name}</title>
          </text>
        );
      })}
    </>
  );
}

// figure is a comparison as the view tells it.
const figure = (state: State, m: Metric, c: Comparison | undefined): string =>
  !c
    ? ""
    : state.v === "change"
      ? said(c).change
      : told(c, m, state.v, c.interval ? halfOf(c.interval) / (1 + c.change) : 0).main;

// Lit is a benchmark's line in colour.
export interface Lit {
  name: string;
  line: Float64Array;
  row: Row;
}

// Labels name the lines at their ends.
export function Labels({ p, lit, machine, m, state }: PanelProps & { p: Plot; lit: Lit[] }) {
  const r = machine.result,
    room = p.margin.right - 8;
  const last = (l: Float64Array) => l.findLast((x) => Number.isFinite(p.px(x))) ?? NaN;
  const all = [
    {
      at: last(p.c.whole.ratio.slice(1)),
      class: "bold",
      sign: "",
      name: table(r, m.name)?.geomean ? "geomean" : "",
      c: end(r, table(r, m.name)),
    },
    ...lit.map((l, i) => ({
      at: last(l.line),
      class: series(i),
      sign: shapes[i]! + " ",
      name: l.name,
      c: end(r, table(r, m.name), l.row),
    })),
  ].filter((l) => Number.isFinite(l.at));
  const y = spread(
    all.map((l) => p.px(l.at) + 4),
    p.margin.top + 8,
    p.height - p.margin.bottom,
    14,
  );
  return (
    <>
      {all.map((l, i) => {
        const said = figure(state, m, l.c);
        return (
          <text class={l.class} x={p.width - p.margin.right + 8} y={y[i]}>
            {l.sign +
              (room > 110 ? cut(l.name, Math.max(1, (room - 32) / 7.2 - said.length)) + " " : "") +
              said}
          </text>
        );
      })}
    </>
  );
}

// PanelProps are what a panel draws: one machine's curves, between the ends that all panels have.
export type PanelProps = SectionProps & {
  machine: Machine;
  m: Metric;
  c: Curves;
  ends: [number, number];
  coloured: string[];
  several: boolean;
};

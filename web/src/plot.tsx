// Plots: charts of one size that are read with a pointer, and the run chart, which several sections show.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import {
  Frame,
  linear,
  nearest,
  poly,
  ratioTicks,
  relative,
  shape,
  ticksAt,
  useWidth,
  type Axis,
} from "./chart";
import { spanOfNoise } from "./data";
import { change, count, duration, halfOf, int, interval } from "./format";
import type { State } from "./state";
import type { Column } from "./table";
import type { Comparison, Interval, Result, Series } from "../page";
import { Figure } from "./ui";
import "./plot.css";

export const margin = { top: 20, right: 22, bottom: 34, left: 52 },
  height = 230;

// across and upward are the pixels of the plot's area, from its zero.
export const across = (width: number): [number, number] => [margin.left, width - margin.right];
export const upward: [number, number] = [height - margin.bottom, margin.top];

// level is a line across a plot, upright one from its bottom to its top, reach the area between two levels.
export const level = (width: number, y: number): string =>
  `M${margin.left} ${y}H${width - margin.right}`;
export const upright = (x: number): string => `M${x} ${margin.top}V${height - margin.bottom}`;
export const Reach = (p: { width: number; from: number; to: number; class: string }) => (
  <rect
    class={p.class}
    x={margin.left}
    width={Math.max(0, p.width - margin.left - margin.right)}
    y={p.to}
    height={Math.max(1, p.from - p.to)}
  />
);

// Sized gives its child the width there is.
export function Sized({ children }: { children: (width: number) => ComponentChildren }) {
  const [ref, width] = useWidth<HTMLDivElement>(360);
  return <div ref={ref}>{children(width)}</div>;
}

// Plot is a figure that is read with the pointer: where has the pixel of each of n data (as many as rows), tell
// what to say of the one nearest to the pointer; idle stands there else.
export function Plot<T>(p: {
  what: string;
  title?: string;
  desc: string;
  columns: Column<T>[];
  rows: readonly T[];
  width: number;
  x: Axis;
  y: Axis;
  idle: ComponentChildren;
  children: ComponentChildren;
  n?: number;
  where: (at: number) => number;
  tell: (at: number) => ComponentChildren;
  onClick?: (at: number) => void;
}) {
  const [at, setAt] = useState(-1),
    { onClick } = p,
    find = (px: number) => nearest(p.n ?? p.rows.length, p.where, px);
  return (
    <Figure caption={p.what} name={p.what} columns={p.columns} rows={p.rows}>
      <Frame
        width={p.width}
        height={height}
        margin={margin}
        title={p.title ?? p.what}
        desc={p.desc}
        x={p.x}
        y={p.y}
        onMove={(px) => setAt(find(px))}
        onLeave={() => setAt(-1)}
        onClick={onClick && ((px) => onClick(find(px)))}
      >
        {p.children}
        {at >= 0 && <path class="at" d={upright(p.where(at))} />}
      </Frame>
      <p class="read">{at < 0 ? p.idle : p.tell(at)}</p>
    </Figure>
  );
}

// A Block is one of a series: its number, ln(variant/base), and how long after the first it began.
interface Block {
  block: number;
  ln: number;
  start: number;
}

export const blocksOf = (s: Series): Block[] =>
  s.block
    .map((block, i) => ({ block, ln: s.ln[i] ?? NaN, start: s.start[i] ?? i }))
    .filter((b) => Number.isFinite(b.ln))
    .sort((a, b) => a.start - b.start);

export const blockColumns = (half: number): Column<Block>[] => [
  { head: "block", num: true, text: (b) => String(b.block) },
  { head: "after", num: true, text: (b) => duration(b.start) },
  { head: "change", num: true, text: (b) => change(Math.expm1(b.ln), half) },
];

export const ends = (i: Interval | undefined): number[] => (i ? [1 + i.lo, 1 + i.hi] : []);

interface RunProps {
  series: Series;
  c: Comparison | undefined;
  result: Result;
  ratios?: number[];
  kind: State["s"];
  width: number;
  what: string;
  title?: string;
}

// RunChart has the ratio in each block in the order of time, the change and the interval that came of them, and their drift.
export function RunChart({ series, c, result, ratios, kind, width, what, title }: RunProps) {
  const blocks = blocksOf(series),
    n = blocks.length,
    first = blocks[0]!,
    last = blocks[n - 1]!,
    [left, right] = across(width),
    [lo, hi] = ends(c?.interval);
  const all = ratios ?? [...blocks.map((b) => Math.exp(b.ln)), ...ends(c?.interval)];
  const x = linear(first.block, last.block, left + 8, right - 8),
    y = relative(all, spanOfNoise(result), ...upward, kind),
    fit = drift(blocks),
    half = halfOf(c?.interval) || 0.01;
  const ran = result.spent.blocks,
    over = n < ran ? `${int(n)} of ${count(ran, "block")}` : count(n, "block"),
    drifted = `drift from the first block to the last: ${change(Math.expm1(fit(last.block) - fit(first.block)), half)}`;
  const middle = c && (c.interval || c.exact) ? 1 + c.change : 0,
    every = Math.ceil(n / 8);
  return (
    <Plot
      width={width}
      what={what}
      title={title}
      desc={`${over}; ${drifted}`}
      columns={blockColumns(half)}
      rows={blocks}
      x={{
        scale: x,
        ticks: ticksAt(blocks.filter((_, i) => i % every === 0).map((b) => b.block)),
        label: "block, in the order of time",
      }}
      y={{ scale: y, ticks: ratioTicks(y) }}
      where={(i) => x(blocks[i]!.block)}
      tell={(i) => (
        <>
          block {blocks[i]!.block}, {duration(blocks[i]!.start)} after the first:{" "}
          <b>{change(Math.expm1(blocks[i]!.ln), half)}</b>
        </>
      )}
      idle={`${over}; dashed: ${drifted}${c?.interval ? "; band: the interval " + interval(c.interval) : ""}`}
    >
      <path class="one" d={level(width, y(1))} />
      <g class="series-2">
        {lo! > 0 && <Reach class="area" width={width} from={y(lo!)} to={y(hi!)} />}
        {n > 2 && (
          <path
            class="line series-2"
            d={poly(
              2,
              (i) => x([first, last][i]!.block),
              (i) => y(Math.exp(fit([first, last][i]!.block))),
            )}
          />
        )}
        {middle > 0 && <path class="median" d={level(width, y(middle))} />}
        <path
          class="dot run-dots"
          d={blocks
            .map((b) => shape("●", x(b.block), y(Math.exp(b.ln)), n > 300 ? 1.5 : 3))
            .join("")}
        />
      </g>
    </Plot>
  );
}

// drift is the line of least squares through the logarithms, by block.
function drift(list: Block[]): (block: number) => number {
  const mean = (f: (b: Block) => number) => list.reduce((sum, b) => sum + f(b), 0) / list.length,
    mb = mean((b) => b.block),
    ml = mean((b) => b.ln);
  const slope = mean((b) => (b.block - mb) * (b.ln - ml)) / mean((b) => (b.block - mb) ** 2);
  return (block) => ml + (slope || 0) * (block - mb);
}

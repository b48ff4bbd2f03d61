// What every chart is made of: a frame with axes, scales that do not zoom into the noise,
// and marks that are batched into paths. No chart has a DOM node per datum.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export interface Scale {
  (x: number): number;
  domain(): number[];
  range(): number[];
  ticks(n: number): number[];
}

// linear and log show the domain that is asked for, without rounding it.
export const linear = scale((x) => x, ticks);
export const log = scale(Math.log, decades);

function scale(f: (x: number) => number, at: (lo: number, hi: number, n: number) => number[]) {
  return (lo: number, hi: number, from: number, to: number): Scale => {
    const a = f(lo),
      d = f(hi) - a,
      s = (x: number) => from + (d ? (f(x) - a) / d : 0.5) * (to - from);
    return Object.assign(s, {
      domain: () => [lo, hi],
      range: () => [from, to],
      ticks: (n: number) => at(lo, hi, n),
    });
  };
}

// ticks are about n round numbers of a range: 1, 2 or 5 times a power of ten apart.
export function ticks(lo: number, hi: number, n: number): number[] {
  const power = 10 ** Math.floor(Math.log10((hi - lo) / n)),
    by = (hi - lo) / n / power,
    step = power * (by >= 50 ** 0.5 ? 10 : by >= 10 ** 0.5 ? 5 : by >= 2 ** 0.5 ? 2 : 1),
    out: number[] = [];
  // Twelve digits, so that 3 * 0.1 is 0.3.
  for (let i = Math.ceil(lo / step - 1e-9); i * step <= hi + step * 1e-9; i++)
    out.push(Number((i * step).toPrecision(12)));
  return out;
}

// decades are ticks on a logarithm: as many of each power of ten as there is room for, or each few powers.
function decades(lo: number, hi: number, n: number): number[] {
  if (!(lo > 0) || !(hi > lo)) return [];
  const from = Math.floor(Math.log10(lo)),
    to = Math.log10(hi),
    some = to - Math.log10(lo);
  if (some >= n) return ticks(Math.log10(lo), to, n).map((x) => 10 ** x);
  const heads = [[1, 1.5, 2, 3, 4, 5, 6, 7, 8], [1, 2, 5], [1, 3], [1]].find(
      (h) => h.length * some < n + 1,
    ) ?? [1],
    all: number[] = [];
  for (let e = from; e <= to; e++)
    for (const k of heads) all.push(Number((k * 10 ** e).toPrecision(2)));
  const inside = all.filter((x) => x >= lo && x <= hi);
  return inside.length < 2 ? ticks(lo, hi, n) : inside;
}

// relative is a scale of ratios (1 is no change) around all of those given, on a logarithm or not, that spans
// at least ±span (ln): axes never zoom inside the noise.
export function relative(
  ratios: Iterable<number>,
  span: number,
  from: number,
  to: number,
  kind: "log" | "lin" = "log",
): Scale {
  let lo = -span,
    hi = span;
  for (const r of ratios) {
    if (!(r > 0) || !Number.isFinite(r)) continue;
    lo = Math.min(lo, Math.log(r));
    hi = Math.max(hi, Math.log(r));
  }
  const room = 0.04 * (hi - lo);
  return (kind === "log" ? log : linear)(Math.exp(lo - room), Math.exp(hi + room), from, to);
}

// ratioTicks are few and round: changes in percent near 1, ratios far from it.
export function ratioTicks(s: Scale, n = 5): Tick[] {
  const [lo = 1, hi = 1] = s.domain();
  if (hi / lo > 4) {
    const steps = [-8, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 8]
      .map((e) => 2 ** e)
      .filter((x) => x >= lo && x <= hi);
    const every = Math.ceil(steps.length / (n + 1)),
      one = Math.max(0, steps.indexOf(1));
    return ticksAt(
      steps.filter((_, i) => (i - one) % every === 0),
      (x) => Number(x.toPrecision(2)) + "×",
    );
  }
  const c = ticks(100 * (lo - 1), 100 * (hi - 1), n);
  const digits = Math.max(
    0,
    ...c.map((x) => (String(Number(x.toPrecision(6))).split(".")[1] ?? "").length),
  );
  return c.map((x) => ({
    at: 1 + x / 100,
    text: x === 0 ? "0" : (x < 0 ? "−" : "+") + Math.abs(x).toFixed(digits) + " %",
  }));
}

export interface Tick {
  at: number;
  text: string;
}
export interface Axis {
  scale: Scale;
  ticks: Tick[];
  label?: string;
}

export const ticksAt = (list: number[], text: (x: number) => string = String): Tick[] =>
  list.map((at) => ({ at, text: text(at) }));

// roomy are those of a list, the first first, that have so many pixels to all that came before them.
export function roomy<T>(list: T[], px: (x: T) => number, gap: number): T[] {
  const kept: T[] = [];
  for (const x of list) if (kept.every((k) => Math.abs(px(k) - px(x)) > gap)) kept.push(x);
  return kept;
}

export interface Margin {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

// Frame draws an SVG with its axes and grid. title says what it is, desc what one finds in it, in a sentence.
export function Frame(p: {
  width: number;
  height: number;
  margin: Margin;
  title: string;
  desc: string;
  x?: Axis;
  y?: Axis;
  class?: string;
  onMove?: (x: number, y: number) => void;
  onLeave?: () => void;
  onClick?: (x: number, y: number) => void;
  children?: ComponentChildren;
}) {
  const { width, height, margin: m } = p;
  const place = (f?: (x: number, y: number) => void) =>
    f &&
    ((e: MouseEvent) => {
      const r = (e.currentTarget as SVGElement).getBoundingClientRect();
      f(
        ((e.clientX - r.left) * width) / (r.width || 1),
        ((e.clientY - r.top) * height) / (r.height || 1),
      );
    });
  return (
    <svg
      class={"chart " + (p.class ?? "")}
      role="img"
      aria-label={p.title + ". " + p.desc}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      onMouseMove={place(p.onMove)}
      onMouseLeave={p.onLeave}
      onClick={place(p.onClick)}
    >
      <title>{p.title}</title>
      <desc>{p.desc}</desc>
      {p.y && (
        <path
          class="grid"
          d={p.y.ticks.map((t) => `M${m.left} ${r1(p.y!.scale(t.at))}H${width - m.right}`).join("")}
        />
      )}
      {p.x && (
        <path
          class="grid"
          d={p.x.ticks
            .map((t) => `M${r1(p.x!.scale(t.at))} ${m.top}V${height - m.bottom}`)
            .join("")}
        />
      )}
      {p.y?.ticks.map((t) => (
        <text class="tick" x={m.left - 6} y={r1(p.y!.scale(t.at)) + 4} text-anchor="end">
          {t.text}
        </text>
      ))}
      {p.x?.ticks.map((t) => (
        <text class="tick" x={r1(p.x!.scale(t.at))} y={height - m.bottom + 15} text-anchor="middle">
          {t.text}
        </text>
      ))}
      {p.x?.label && (
        <text class="axis" x={(m.left + width - m.right) / 2} y={height - 3} text-anchor="middle">
          {p.x.label}
        </text>
      )}
      {p.y?.label && (
        <text class="axis" x={m.left} y={m.top - 8} text-anchor="start">
          {p.y.label}
        </text>
      )}
      {p.children}
    </svg>
  );
}

export const r1 = (x: number): number => Math.round(10 * x) / 10;

// poly is the path of a line through points; a point that is no number breaks it.
export function poly(n: number, x: (i: number) => number, y: (i: number) => number): string {
  let d = "",
    pen = "M";
  for (let i = 0; i < n; i++) {
    const a = x(i),
      b = y(i);
    if (!Number.isFinite(a) || !Number.isFinite(b)) {
      pen = "M";
      continue;
    }
    d += pen + r1(a) + " " + r1(b);
    pen = "L";
  }
  return d;
}

// band is the path of an area between two lines.
export function band(
  n: number,
  x: (i: number) => number,
  lo: (i: number) => number,
  hi: (i: number) => number,
): string {
  const there = poly(n, x, hi),
    back = poly(
      n,
      (i) => x(n - 1 - i),
      (i) => lo(n - 1 - i),
    );
  return there && back ? there + "L" + back.slice(1) + "Z" : "";
}

// Signs of series beside their colour: solid ●, dashed ■, dotted ▲, dash-dot ◆ (style.css: .series-1 and so on).
export const series = (i: number): string => "series-" + (Math.min(i, 3) + 1);
export const shapes = ["●", "■", "▲", "◆"];

// mark draws a small shape as a path: a disc, or a triangle that points to where the value went.
export function shape(kind: "●" | "▼" | "▲" | "■" | "◆", x: number, y: number, r = 4): string {
  const p = (a: number, b: number) => `${r1(x + a)} ${r1(y + b)}`;
  switch (kind) {
    case "▼":
      return `M${p(-r, -r * 0.8)}L${p(r, -r * 0.8)}L${p(0, r)}Z`;
    case "▲":
      return `M${p(-r, r * 0.8)}L${p(r, r * 0.8)}L${p(0, -r)}Z`;
    case "■":
      return `M${p(-r, -r)}h${2 * r}v${2 * r}h${-2 * r}Z`;
    case "◆":
      return `M${p(-r, 0)}L${p(0, -r)}L${p(r, 0)}L${p(0, r)}Z`;
  }
  return `M${p(-r, 0)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
}

// useWidth is the width of an element, followed as the window changes: charts take the container's.
export function useWidth<T extends HTMLElement>(initial = 640): [{ current: T | null }, number] {
  const ref = useRef<T>(null),
    [width, setWidth] = useState(initial);
  useEffect(() => {
    const el = ref.current;
    if (!el) return;
    const measure = () =>
      setWidth((w) => {
        const now = Math.floor(el.clientWidth);
        return now > 0 && now !== w ? now : w;
      });
    measure();
    const o = new ResizeObserver(measure);
    o.observe(el);
    document.addEventListener("assay-print", measure); // observers are not asked before a page is printed
    return () => {
      o.disconnect();
      document.removeEventListener("assay-print", measure);
    };
  }, []);
  return [ref, width];
}

// nearest is the index of the entry of a list nearest to a pixel: how a pointer finds a datum.
export function nearest(n: number, px: (i: number) => number, at: number): number {
  let best = -1,
    least = Infinity;
  for (let i = 0; i < n; i++) {
    const d = Math.abs(px(i) - at);
    if (d < least) {
      least = d;
      best = i;
    }
  }
  return best;
}

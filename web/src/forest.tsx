// Forests: tables in which each row is a comparison, drawn as its interval on one axis and told beside it.
// The table is the chart: what a screen reader gets is what is seen.
import type { ComponentChildren } from "preact";
import {
  relative,
  ratioTicks,
  roomy,
  shape,
  ticks as rounded,
  ticksAt,
  useWidth,
  type Scale,
  type Tick,
} from "./chart";
import { halfOf, margin, mark, none, note, said, tick, tone, value, word } from "./format";
import { cut } from "./points";
import type { State } from "./state";
import type { Column } from "./table";
import type { Comparison, Machine, Metric, Row } from "../page";
import { paper, usePrinting } from "./virtual";
import "./forest.css";

export const px = (n: number): string => n + "px";

// narrow is the width below which a row takes two lines.
export const narrow = 700;

// many is the number of comparisons above which a few extreme ones do not set the axis: they point out of it, as does
// what is further than far.
const many = 300,
  edge = 8,
  far = 256;

// unjudged is a change without a verdict, as of files that were not measured together.
export const unjudged = (c: Comparison | undefined): boolean => c?.verdict === "" && c.n > 0;

// drawn is whether a comparison has a place on an axis: with an interval, exact, or as a mere point.
export const drawn = (c: Comparison | undefined): c is Comparison =>
  !!c &&
  (c.interval
    ? Number.isFinite(c.interval.lo) && Number.isFinite(c.interval.hi)
    : !!c.exact || unjudged(c)) &&
  Number.isFinite(c.change) &&
  c.verdict !== "same code" &&
  c.verdict !== "invalid";

const ends = (c: Comparison): [number, number] =>
  c.interval ? [1 + c.interval.lo, 1 + c.interval.hi] : [1 + c.change, 1 + c.change];

// scaleOf is the axis that all rows share; the machines of a page share it too.
export function scaleOf(
  list: Iterable<Comparison | undefined>,
  span: number,
  width: number,
  kind: State["s"],
): Scale {
  let all: number[] | Float64Array = [];
  for (const c of list)
    if (drawn(c)) for (const r of ends(c)) all.push(Math.max(1 / far, Math.min(far, r)));
  if (all.length > 2 * many) {
    const cut = Math.floor(all.length / 200);
    all = Float64Array.from(all).sort().subarray(cut, -cut);
  }
  return relative(all, span, edge, width - edge, kind);
}

// Glyph is one comparison on the axis: its interval, and a sign of where the value went.
// It says nothing that the row does not say in words.
function Glyph(p: {
  c?: Comparison;
  scale: Scale;
  width: number;
  height?: number;
  effect?: number;
}) {
  const { c, scale, width, height = 28 } = p,
    y = height / 2,
    [from = 0, to = width] = scale.range();
  const x = (r: number) =>
    r > 0 ? Math.round(10 * Math.max(from, Math.min(to, scale(r)))) / 10 : from;
  const zone = p.effect ? ([x(1 - p.effect), x(1 + p.effect)] as const) : undefined;
  return (
    <svg
      class="glyph"
      aria-hidden="true"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      {zone && <rect class="zone" x={zone[0]} y={0} width={zone[1] - zone[0]} height={height} />}
      <path
        class="grid"
        d={ticksOf(scale)
          .map((t) => `M${x(t.at)} 0V${height}`)
          .join("")}
      />
      <path class="base" d={`M${x(1)} 0V${height}`} />
      {drawn(c) && <Mark c={c} x={x} y={y} scale={scale} />}
    </svg>
  );
}

function Mark(p: { c: Comparison; x: (r: number) => number; y: number; scale: Scale }) {
  const { c, x, y, scale } = p,
    [from = 0, to = 0] = scale.range(),
    [lo, hi] = ends(c),
    [least = 0, most = 1] = scale.domain(),
    m = mark(c),
    moved = m === "▼" || m === "▲";
  const out =
    (lo < least ? `M${from} ${y - 4}l-6 4l6 4` : "") +
    (hi > most ? `M${to} ${y - 4}l6 4l-6 4` : "");
  const inside = 1 + c.change >= least && 1 + c.change <= most;
  return (
    <g class={tone(c.verdict)}>
      <path class="whisker" d={`M${x(lo)} ${y}H${x(hi)}` + out} />
      {inside && (
        <path class="sign" d={shape(moved ? m : "●", x(1 + c.change), y, moved ? 4.5 : 3)} />
      )}
    </g>
  );
}

// Axis is the head of the column of glyphs: ticks, and the side that is better.
export function Axis({ scale, width, metric }: { scale: Scale; width: number; metric: Metric }) {
  const [from = 0, to = width] = scale.range(),
    better = metric.better;
  return (
    <>
      <span class="vh">change and interval, drawn</span>
      <svg class="glyph" aria-hidden="true" width={width} height={30} viewBox={`0 0 ${width} 30`}>
        {better && (
          <text
            class="tick better"
            x={better === "lower" ? from : to}
            y={10}
            text-anchor={better === "lower" ? "start" : "end"}
          >
            {better === "lower" ? "← better" : "better →"}
          </text>
        )}
        {ticksOf(scale).map((t) => (
          <text
            class="tick"
            x={scale(t.at)}
            y={26}
            text-anchor={
              scale(t.at) - from < 22 ? "start" : to - scale(t.at) < 22 ? "end" : "middle"
            }
          >
            {t.text}
          </text>
        ))}
      </svg>
    </>
  );
}

// Ticks are asked for once a row: they are remembered by scale.
const ticks = new WeakMap<Scale, Tick[]>();
function ticksOf(s: Scale): Tick[] {
  const t = ticks.get(s) ?? spaced(s, (n) => ratioTicks(s, n));
  ticks.set(s, t);
  return t;
}

// spaced are the ticks that have room, of which those nearest to no change come first.
function spaced(s: Scale, of: (n: number) => Tick[]): Tick[] {
  const [a = 0, b = 0] = s.range(),
    away = (x: Tick) => Math.abs(s(x.at) - s(1));
  return roomy(
    of(Math.max(3, Math.floor((b - a) / 60))).sort((x, y) => away(x) - away(y)),
    (x) => s(x.at),
    54,
  );
}

// viewed is a scale with the ticks of a view. Values have those of the base that all rows share, in its unit, or
// ratios where each row has a base of its own.
export function viewed(s: Scale, view: State["v"], m: Metric, base = NaN): Scale {
  const [lo = 1, hi = 1] = s.domain();
  if (view !== "value") return s;
  const units = ticksAt(base > 0 ? rounded(lo * base, hi * base, 5) : [], (v) => tick(m.name, v));
  ticks.set(
    s,
    spaced(s, (n) =>
      units.length
        ? units.map((t) => ({ ...t, at: t.at / base }))
        : ratioTicks(s, n).map((t) => ({ ...t, text: Number(t.at.toPrecision(4)) + "×" })),
    ),
  );
  return s;
}

// baseUnder is the value of the base under a comparison.
export const baseUnder = (c: Comparison | undefined): number =>
  drawn(c) ? c.value / (1 + c.change) : NaN;

// uncertainty is the relative one of the values of a row, from which their digits follow.
export function uncertainty(cells: readonly Comparison[]): number {
  let rel = 0,
    exact = true;
  for (const c of cells) {
    exact &&= !!c.exact || c.verdict === "same code";
    if (c.spread && c.value)
      rel = Math.max(
        rel,
        Math.max(c.spread.hi - c.value, c.value - c.spread.lo) / Math.abs(c.value),
      );
    if (c.interval && !c.exact)
      rel = Math.max(rel, halfOf(c.interval) / Math.max(1 + c.change, 1e-3));
  }
  return rel === 0 && !exact ? 0.01 : rel;
}

// baseOf is the base's value of a row, as text.
export const baseOf = (r: Row | undefined, m: Metric): string =>
  !r || (r.base === 0 && (m.name === "sec/op" || r.cells.every((c) => c.n === 0)))
    ? none
    : value(m.name, r.base, uncertainty(r.cells));

// based names the base as such.
export const based = (name: string): ComponentChildren => (
  <>
    <bdi>{name}</bdi>
    {name === "base" ? "" : " (base)"}
  </>
);

// A Told comparison is what stands in its two columns: in the view that the reader chose.
export interface Told {
  main: string;
  side: string;
}

export function told(c: Comparison | undefined, m: Metric, view: State["v"], rel = 0): Told {
  const t = said(c),
    as = { main: t.change, side: t.interval };
  if (!c || as.main === none || c.n === 0) return as;
  if (view === "value") return { main: value(m.name, c.value, rel), side: `${as.main} ${as.side}` };
  if (view === "change" || !drawn(c)) return as;
  const half = 100 * halfOf(c.interval),
    n = half >= 10 || (half === 0 && c.change === 0) ? 2 : half >= 0.095 || half === 0 ? 3 : 4;
  const r = (x: number) => (1 + x).toFixed(n);
  return {
    main: r(c.change) + "×",
    side: c.exact || !c.interval ? as.side : `[${r(c.interval.lo)}, ${r(c.interval.hi)}]`,
  };
}

export const Name = ({ text, width }: { text: string; width: number }) => (
  <bdi title={text.length > width / 7 ? text : undefined}>
    {cut(text, Math.max(8, Math.floor(width / 7)))}
  </bdi>
);

const Verdict = ({ c }: { c: Comparison }) => (
  <span class={"verdict " + tone(c.verdict)}>
    {mark(c)} {word(c)}
  </span>
);

// compared are the columns that tell a comparison in a table of data; head says what they are called there.
export function compared<T>(
  of: (row: T) => {
    c?: Comparison;
    m: Metric;
    cells?: readonly Comparison[];
    missing?: string;
  },
  head = (h: string) => h,
  view: State["v"] = "change",
): Column<T>[] {
  const tell = (row: T) => {
    const { c, m, cells } = of(row);
    return c ? told(c, m, view, uncertainty(cells ?? [c])) : { main: "", side: "" };
  };
  const [main, side] = view === "value" ? ["value", "change"] : ["change", "interval"];
  return [
    {
      head: head(main!),
      num: true,
      text: (row) => tell(row).main,
      class: (row) => tone(of(row).c?.verdict ?? ""),
    },
    { head: head(side!), num: true, text: (row) => tell(row).side },
    {
      head: head("verdict"),
      text: (row) => {
        const { c, missing = "" } = of(row);
        return c ? word(c) : missing;
      },
      show: (row) => {
        const { c, missing } = of(row);
        return c ? <Verdict c={c} /> : <span class="muted">{missing}</span>;
      },
    },
    {
      head: head("note"),
      maybe: true,
      text: (row) => {
        const { c } = of(row);
        return c ? note(c) : "";
      },
    },
  ];
}

// Cells are the columns of one comparison.
export function Cells(p: {
  c?: Comparison;
  told: Told;
  scale: Scale;
  width: number;
  height?: number;
  metric: Metric;
  noted?: boolean;
  missing?: string;
}) {
  const { c } = p,
    n = c ? note(c) : "";
  return (
    <>
      <td class="g">
        <Glyph
          c={c}
          scale={p.scale}
          width={p.width}
          height={p.height}
          effect={p.metric.min_effect}
        />
      </td>
      <td class={"num change " + tone(c?.verdict ?? "")}>
        <span class="sm">{c ? mark(c) + " " : p.missing}</span>
        {c && p.told.main}
      </td>
      <td class="num side" title={p.told.side}>
        {p.told.side}
      </td>
      <td class="v" title={p.noted ? undefined : n || undefined}>
        {c ? <Verdict c={c} /> : <span class="muted">{p.missing ?? none}</span>}
      </td>
      {p.noted && (
        <td class="n muted" title={n || undefined}>
          <span>{n}</span>
        </td>
      )}
    </>
  );
}

// Heads are the headings of Cells; a wrap makes one a button that sorts.
export function Heads(p: {
  scale: Scale;
  width: number;
  metric: Metric;
  view: State["v"];
  noted?: boolean;
  wrap?: (id: string, text: string) => ComponentChildren;
  sort?: (id: string) => "ascending" | "descending" | undefined;
}) {
  const w = p.wrap ?? ((_: string, text: string) => text);
  return (
    <>
      <th scope="col" class="g">
        <Axis scale={p.scale} width={p.width} metric={p.metric} />
      </th>
      <th scope="col" class="num change" aria-sort={p.sort?.("change")}>
        {w("change", p.view === "value" ? "value" : p.view)}
      </th>
      <th scope="col" class="num side">
        {p.view === "value" ? "change" : "interval"}
      </th>
      <th scope="col" class="v" aria-sort={p.sort?.("verdict")}>
        {w("verdict", "verdict")}
      </th>
      {p.noted && (
        <th scope="col" class="n">
          note
        </th>
      )}
    </>
  );
}

export interface Widths {
  name: number;
  base: number;
  glyph: number;
  change: number;
  side: number;
  verdict: number;
  note: number;
}

// longestNote is the length of the longest note on some comparisons.
export const longestNote = (list: (Comparison | undefined)[]): number =>
  list.reduce((most, c) => Math.max(most, c ? note(c).length : 0), 0);

// widths shares out the w pixels of a row among its columns; one column set a machine. Several have no room for the
// words of verdicts: their signs stand before the changes. has.note is the length of the longest note.
export function widths(
  w: number,
  machines: number,
  view: State["v"],
  has: { base?: boolean; note?: number; under?: boolean },
): Widths {
  const side = view === "value" ? 196 : 134;
  if (w < narrow)
    return {
      name: w - 110,
      base: 0,
      glyph: Math.max(90, w - side - (machines > 1 ? 100 : 8)),
      change: 0,
      side: 0,
      verdict: 0,
      note: 0,
    };
  const is = {
    base: has.base ? 88 : 0,
    change: 100,
    side,
    verdict: machines > 1 ? 0 : 124,
    note: has.note ? Math.min(320, Math.max(160, 24 + 4 * has.note)) : 0, // in two lines
  };
  const rest = w - machines * (is.base + is.change + is.side + is.verdict) - is.note,
    name = Math.max(170, has.under ? Math.min(360, 0.52 * rest) : Math.min(300, 0.42 * rest));
  return { ...is, name, glyph: Math.floor(Math.max(100, Math.min(520, (rest - name) / machines))) };
}

// Columns fix them.
export function Columns({ w, machines = 1 }: { w: Widths; machines?: number }) {
  const set = [w.base, w.glyph, w.change, w.side, w.verdict].filter(Boolean);
  return (
    <colgroup>
      <col style={{ width: px(w.name) }} />
      {Array.from({ length: machines }, () => set.map((x) => <col style={{ width: px(x) }} />))}
      {w.note > 0 && <col style={{ width: px(w.note) }} />}
    </colgroup>
  );
}

// Pad stands for rows that are out of sight.
export const Pad = ({ height, columns }: { height: number; columns: number }) =>
  height > 0 ? (
    <tr class="pad" aria-hidden="true" style={{ height: px(height) }}>
      <td colSpan={columns} style={{ height: px(height) }} />
    </tr>
  ) : null;

// A Line of a small forest, such as a variant or a switch.
export interface Line {
  key: string;
  label: string;
  c?: Comparison;
  cells?: readonly Comparison[];
  under?: ComponentChildren;
  on?: boolean;
  group?: string;
  missing?: string;
  open?: () => void;
}

// Forest is a small one: all its rows are drawn.
export function Forest(p: {
  head: string;
  name: string;
  lines: Line[];
  metric: Metric;
  view: State["v"];
  scale: (width: number) => Scale;
  width: number;
  noted?: boolean;
  oneBase?: boolean; // all lines are against the same value
}) {
  const under = p.lines.some((l) => !!l.under),
    longest = p.noted && p.width > 900 ? longestNote(p.lines.map((l) => l.c)) : 0,
    noted = longest > 0;
  const w = widths(p.width, 1, p.view, { note: longest, under }),
    own = p.lines.find((l) => drawn(l.c))?.c,
    scale = viewed(p.scale(w.glyph), p.view, p.metric, p.oneBase ? baseUnder(own) : NaN),
    height = p.width < narrow ? 22 : under ? 46 : 28;
  let group = "";
  return (
    <div class="forest-box">
      <table class={"forest" + (p.width < narrow ? " two" : "")} aria-label={p.name}>
        {p.width >= narrow && <Columns w={w} />}
        <thead>
          <tr>
            <th scope="col" class="name">
              {p.head}
            </th>
            <Heads scale={scale} width={w.glyph} metric={p.metric} view={p.view} noted={noted} />
          </tr>
        </thead>
        <tbody>
          {p.lines.map((l) => {
            const rel = uncertainty(l.cells ?? (l.c ? [l.c] : [])),
              first = !!l.group && l.group !== group;
            group = l.group ?? "";
            return (
              <>
                {first && (
                  <tr class="group">
                    <th colSpan={noted ? 6 : 5} scope="rowgroup">
                      {l.group}
                    </th>
                  </tr>
                )}
                <tr class={l.on ? "on" : ""}>
                  <th scope="row" class="name">
                    {l.open ? (
                      <button type="button" class="row" aria-pressed={!!l.on} onClick={l.open}>
                        <Name text={l.label} width={w.name - 16} />
                      </button>
                    ) : (
                      <Name text={l.label} width={w.name - 16} />
                    )}
                    {l.under && <div class="under muted">{l.under}</div>}
                  </th>
                  <Cells
                    c={l.c}
                    told={told(l.c, p.metric, p.view, rel)}
                    scale={scale}
                    width={w.glyph}
                    height={height}
                    metric={p.metric}
                    noted={noted}
                    missing={l.missing}
                  />
                </tr>
              </>
            );
          })}
        </tbody>
      </table>
      {p.metric.min_effect > 0 && (
        <p class="muted small">shaded: ±{margin(p.metric.min_effect)}, the minimum effect</p>
      )}
    </div>
  );
}

// Sides are the machines, each read against itself, with its share of the width; two that fit stand side by side.
export function Sides(p: {
  machines: readonly Machine[];
  least?: number; // pixels that each needs to stand beside another
  children: (m: Machine, width: number) => ComponentChildren;
}) {
  const [ref, room] = useWidth<HTMLDivElement>(1200),
    width = usePrinting() ? Math.min(room, paper) : room,
    side = p.machines.length > 1 && width > Math.max(narrow + 200, 2 * (p.least ?? 0));
  return (
    <div ref={ref} class={"sides" + (side ? " two" : "")}>
      {p.machines.map((m) => (
        <div key={m.name}>
          {p.machines.length > 1 && (
            <h3>
              <bdi>{m.name}</bdi>
            </h3>
          )}
          {p.children(m, side ? Math.floor((width - 24) / 2) : width)}
        </div>
      ))}
    </div>
  );
}

import { useEffect, useId, useMemo, useState } from "preact/hooks";
import {
  band,
  Frame,
  linear,
  log,
  nearest,
  poly,
  relative,
  roomy,
  series,
  shape,
  shapes,
  ticks as d3ticks,
  ticksAt,
  useWidth,
  type Margin,
  type Scale,
  type Tick,
} from "../chart";
import { key, metric, row as rowOf, spanOfNoise, table, whole, wordsOf, type Page } from "../data";
import { told } from "../forest";
import { halfOf, label, mark, said, tick, times, tone, value } from "../format";
import { cut } from "../points";
import type { Section, SectionProps } from "../section";
import type { State } from "../state";
import {
  coloured,
  colours,
  current,
  curves,
  direct,
  end,
  hasSteps,
  line,
  machines,
  phases,
  pinned,
  steps,
  turnPin,
  type Curves,
  type Stretch,
} from "../steps";
import type { Column } from "../table";
import type { Comparison, Machine, Metric, Row } from "../../page";
import { Chip, Figure } from "../ui";
import { Walk } from "./walk";
import "./arc.css";

// Above this many benchmarks lines are a grey blob: bands of percentiles say more.
const faint = 300;
const extremes = 10;

// domain is what all panels show: the suite, then its intervals and the benchmarks as far as they do not flatten it.
function domain(all: Curves[], span: number, kind: State["s"]): [number, number] {
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
function inValues(c: Curves): Curves {
  const by = (l: Float64Array, base: number) => l.map((x) => x * base),
    { ratio, lo, hi } = c.whole;
  return {
    ...c,
    whole: { ratio: by(ratio, c.base), lo: by(lo, c.base), hi: by(hi, c.base) },
    lines: c.lines.map((l, i) => by(l, c.rows[i]!.base)),
  };
}

// range is from the least to the largest value of all curves, and as wide as the noise at least.
function range(all: Curves[], span: number): [number, number] {
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
function ticks({ y }: Plot, { v, s }: State, m: Metric): Tick[] {
  const [lo = 1, hi = 1] = y.domain(),
    values = v === "value",
    zero = v === "change" ? 1 : 0;
  let at = d3ticks(lo - zero, hi - zero, 6).map((x) => x + zero);
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
function stepTicks(n: number, px: number): Tick[] {
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

interface Plot {
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
const path = (p: Plot, l: ArrayLike<number>): string => poly(p.n + 1, p.x, (i) => p.px(l[i]!));

// Background has all benchmarks: faint lines in few paths, or percentiles with the lines that moved most.
function Background({ p }: { p: Plot }) {
  const { lines } = p.c;
  if (lines.length <= faint) {
    const each = Math.ceil(lines.length / 200) || 1,
      d: string[] = [];
    for (let i = 0; i < lines.length; i += each)
      d.push(
        lines
          .slice(i, i + each)
          .map((l) => path(p, l))
          .join(""),
      );
    return (
      <>
        {d.map((x) => (
          <path class="faint" d={x} />
        ))}
      </>
    );
  }
  const sorted = Array.from({ length: p.n + 1 }, (_, i) =>
    Float64Array.from(lines, (l) => l[i]!)
      .filter((x) => x > 0)
      .sort(),
  );
  const q = (at: number) => (i: number) => {
    const s = sorted[i]!;
    return p.px(s[Math.round(at * (s.length - 1))]!);
  };
  return (
    <>
      <path class="fan" d={band(p.n + 1, p.x, q(0.05), q(0.95))} />
      <path class="fan" d={band(p.n + 1, p.x, q(0.25), q(0.75))} />
      <path
        class="faint"
        d={furthest(lines)
          .map((l) => path(p, l))
          .join("")}
      />
    </>
  );
}

// furthest are the lines that end furthest from the base.
function furthest(lines: Float64Array[]): Float64Array[] {
  const far = lines.map((l) => Math.abs(Math.log(l.findLast((x) => x > 0) ?? 1)));
  return far
    .map((_, i) => i)
    .sort((a, b) => far[b]! - far[a]!)
    .slice(0, extremes)
    .map((i) => lines[i]!);
}

// Phases shades every second phase and names each where it begins.
function Phases({ p, list }: { p: Plot; list: Stretch[] }) {
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

interface Lit {
  name: string;
  line: Float64Array;
  row: Row;
}

// Labels name the lines at their ends.
function Labels({ p, lit, machine, m, state }: PanelProps & { p: Plot; lit: Lit[] }) {
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

// off are the steps at which something leaves the scale, above and below.
function off(p: Plot): { marks: string; count: number; name: string; most: number } {
  const [lo = 0, hi = 0] = p.y.domain(),
    up = new Set<number>(),
    down = new Set<number>();
  let count = 0,
    name = "",
    most = 1,
    far = 0;
  [p.c.whole.ratio, ...p.c.lines].forEach((l, k) => {
    let out = false;
    l.forEach((x, i) => {
      if (!(x > hi || x < lo)) return;
      out = true;
      (x > hi ? up : down).add(i);
      const d = x > 0 ? Math.abs(Math.log(x)) : Infinity;
      if (d > far) {
        far = d;
        most = x;
        name = p.c.rows[k - 1]?.benchmark.name ?? "the suite";
      }
    });
    if (out && k > 0) count++;
  });
  const marks =
    [...up].map((i) => shape("▲", p.x(i), p.margin.top + 4, 3)).join("") +
    [...down].map((i) => shape("▼", p.x(i), p.height - p.margin.bottom - 4, 3)).join("");
  return { marks, count, name, most };
}

interface Found {
  i: number;
  row: number;
} // row -1 is the suite

function find(p: Plot, at: number, y: number): Found & { far: number } {
  const i = nearest(p.n + 1, p.x, at);
  let row = -1,
    far = Math.abs(p.px(p.c.whole.ratio[i]!) - y) - 3; // the suite first, where it is close
  if (!Number.isFinite(far)) far = Infinity;
  p.c.lines.forEach((l, k) => {
    const d = Math.abs(p.px(l[i]!) - y);
    if (d < far) {
      far = d;
      row = k;
    }
  });
  return { i, row, far };
}

// Tip tells the step and the benchmark under the pointer.
function Tip({ p, page, machine, m, found }: PanelProps & { p: Plot; found: Found }) {
  const r = machine.result,
    row = p.c.rows[found.row],
    s = steps(page)[found.i - 1],
    t = table(r, m.name);
  const c = s && direct(r, t, s.variant, row),
    left = p.x(found.i),
    right = left > p.width / 2;
  return (
    <div
      class="tip"
      style={{
        top: p.margin.top + 4 + "px",
        ...(right ? { right: p.width - left + 10 + "px" } : { left: left + 10 + "px" }),
      }}
    >
      <b>
        <bdi>{row?.benchmark.name ?? (t?.geomean ? wordsOf(r).suite[m.name] : r.study)}</bdi>
      </b>
      <span class="muted">
        {s ? `${found.i} ` : ""}
        <bdi>{s?.variant ?? r.base}</bdi>
      </span>
      <div>
        {!s ? (
          value(m.name, row?.base ?? p.c.base, 0.01)
        ) : !p.c.from[found.i] ? (
          "not measured"
        ) : c ? (
          <span class={tone(c.verdict)}>
            {line(c)} {mark(c)}
          </span>
        ) : (
          "nothing measured"
        )}
      </div>
      {c && c.value > 0 && (
        <div class="muted">
          {value(m.name, c.value, c.interval ? halfOf(c.interval) / (1 + c.change) : 0)}
        </div>
      )}
    </div>
  );
}

type PanelProps = SectionProps & {
  machine: Machine;
  m: Metric;
  c: Curves;
  ends: [number, number];
  coloured: string[];
  several: boolean;
};

function Panel(q: PanelProps) {
  const { page, state, set, machine, m, c } = q,
    r = machine.result,
    id = useId();
  const [ref, width] = useWidth<HTMLDivElement>(900),
    [found, setFound] = useState<Found>();
  const n = steps(page).length,
    height = beside() ? (q.several ? 250 : 340) : 220,
    now = current(page, state);
  const p = useMemo((): Plot => {
    const margin = {
      top: 30,
      right: width < 500 ? 82 : width < 720 ? 150 : 196,
      bottom: 38,
      left: 58,
    };
    const across = [height - margin.bottom, margin.top] as const,
      y =
        state.v === "value"
          ? (state.s === "log" ? log : linear)(...q.ends, ...across)
          : relative(q.ends, spanOfNoise(r), ...across, state.s),
      s = linear(0, n || 1, margin.left, width - margin.right);
    return {
      c,
      x: s,
      y,
      px: (v) =>
        v > 0 || (v === 0 && state.s === "lin") ? Math.max(-1e4, Math.min(1e4, y(v))) : NaN,
      n,
      margin,
      width,
      height,
    };
  }, [c, q.ends, width, height, state.s, state.v]);
  const back = useMemo(() => <Background p={p} />, [p]),
    away = useMemo(() => off(p), [p]),
    list = useMemo(() => phases(page), [page]);
  const lit = useMemo(() => {
    const at = new Map(c.rows.map((row, i) => [key(row.benchmark), i]));
    return q.coloured
      .flatMap((k): Lit[] => {
        const i = at.get(k);
        return i === undefined
          ? []
          : [{ name: c.rows[i]!.benchmark.name, line: c.lines[i]!, row: c.rows[i]! }];
      })
      .slice(0, colours);
  }, [c, q.coloured]);
  const move = (x: number, y: number) => {
    const f = find(p, x, y);
    if (f.i !== found?.i || f.row !== found.row) setFound(f);
  };
  const click = (x: number, y: number) => {
    const f = find(p, x, y),
      row = c.rows[f.row];
    if (row && f.far < 7 && y < height - p.margin.bottom)
      set({ pin: turnPin(state, key(row.benchmark)) }, true);
    else set({ step: String(f.i) }, true);
  };
  const over = found && (found.row < 0 ? c.whole.ratio : c.lines[found.row]),
    dot = (l: ArrayLike<number>, i: number) =>
      Number.isFinite(p.px(l[i]!)) ? shape("●", p.x(i), p.px(l[i]!), 4) : "";
  const gaps = c.from.flatMap((v, i) => (v ? [] : [i])),
    bottom = height - p.margin.bottom;
  return (
    <div ref={ref}>
      {q.several && (
        <h3>
          <bdi>{machine.name}</bdi>{" "}
          <span class="muted">
            {r.platform.goos}/{r.platform.goarch}
          </span>
        </h3>
      )}
      <div class="plot">
        <Frame
          class="arc"
          width={width}
          height={height}
          margin={p.margin}
          title={`${label(m.name)} from step to step${state.v === "value" ? "" : ", against " + r.base}`}
          desc={r.answer.text.join("; ")}
          x={{ scale: p.x as Scale, ticks: stepTicks(n, p.x(1) - p.x(0)), label: "step" }}
          y={{ scale: p.y, ticks: ticks(p, state, m) }}
          onMove={move}
          onLeave={() => setFound(undefined)}
          onClick={click}
        >
          <clipPath id={id}>
            <rect
              x={p.margin.left - 6}
              y={p.margin.top - 1}
              width={Math.max(0, width - p.margin.left - p.margin.right + 12)}
              height={Math.max(0, bottom - p.margin.top + 2)}
            />
          </clipPath>
          <Phases p={p} list={list} />
          <g clip-path={`url(#${id})`}>
            {back}
            {state.v !== "value" && (
              <path class="one" d={`M${p.margin.left} ${p.y(1)}H${width - p.margin.right}`} />
            )}
            <path
              class="within"
              d={stretches(c.whole.lo)
                .map(([a, b]) =>
                  band(
                    b - a,
                    (i) => p.x(a + i),
                    (i) => p.px(c.whole.lo[a + i]!),
                    (i) => p.px(c.whole.hi[a + i]!),
                  ),
                )
                .join("")}
            />
            {lit.map((l, i) => (
              <path class={"line " + series(i)} d={path(p, l.line)} />
            ))}
            <path class="whole" d={path(p, c.whole.ratio)} />
            {over && <path class="found" d={path(p, over)} />}
          </g>
          <path class="gap" d={gaps.map((i) => cross(p.x(i), bottom - 8)).join("")} />
          <path class="off" d={away.marks} />
          {now >= 0 && <path class="cursor" d={`M${p.x(now)} ${p.margin.top}V${bottom}`} />}
          {now >= 0 && lit.map((l, i) => <path class={"dots " + series(i)} d={dot(l.line, now)} />)}
          {now >= 0 && <path class="dots" d={dot(c.whole.ratio, now)} />}
          {found && over && <path class="dots" d={dot(over, found.i)} />}
          <Labels {...q} p={p} lit={lit} />
        </Frame>
        {found && <Tip {...q} p={p} found={found} />}
      </div>
      {away.marks && (
        <p class="key">
          {away.count === 1 ? "1 benchmark goes" : away.count + " benchmarks go"} off the scale, the
          furthest <bdi>{cut(away.name, 60)}</bdi> to {away.most > 0 ? times(away.most) : "0"}
        </p>
      )}
      {c.lost > 0 && (
        <p class="key">
          {c.lost} of {c.rows.length} benchmarks have no ratio to the base on {label(m.name)}
        </p>
      )}
      {c.whole.ratio.every((x, i) => i === 0 || Number.isNaN(x)) && (
        <p class="key">{label(m.name)} has no figure over the whole suite</p>
      )}
    </div>
  );
}

const cross = (x: number, y: number): string =>
  `M${x - 4} ${y - 3}l1 -1l3 3l3 -3l1 1l-3 3l3 3l-1 1l-3 -3l-3 3l-1 -1l3 -3Z`;

// stretches are the runs of numbers between gaps, each from its first index to the one after its last.
function stretches(l: Float64Array): [number, number][] {
  const out: [number, number][] = [];
  l.forEach((x, i) => {
    if (!(x > 0)) return;
    if (out.at(-1)?.[1] === i) out.at(-1)![1] = i + 1;
    else out.push([i, i + 1]);
  });
  return out;
}

// columns are those of the same as a table: the suite on each machine, and what is drawn in colour.
function columns(list: Machine[], m: Metric, lit: string[], page: Page): Column<number>[] {
  const on = (r: Machine["result"], i: number, row?: Row) =>
    i ? direct(r, table(r, m.name), steps(page)[i - 1]!.variant, row) : undefined;
  const many = list.length > 1;
  return [
    { head: "step", text: (i) => (i ? `${i} ${steps(page)[i - 1]!.variant}` : page.first.base) },
    ...list.flatMap((x): Column<number>[] => [
      {
        head: (many ? x.name + ", " : "") + label(m.name) + " vs " + x.result.base,
        num: true,
        text: (i) => (i ? line(on(x.result, i)) : "base"),
      },
      {
        head: many ? x.name + ", value" : "value",
        num: true,
        text: (i) => {
          const c = on(x.result, i),
            b = curves(page, x.result, m.name).base;
          return value(m.name, i ? (c?.value ?? NaN) : b, 0.01);
        },
      },
      ...lit.slice(0, colours).flatMap((k): Column<number>[] => {
        const row = rowOf(table(x.result, m.name), k);
        return row
          ? [
              {
                head: (many ? x.name + ", " : "") + row.benchmark.name,
                num: true,
                text: (i) => (i ? line(on(x.result, i, row)) : "base"),
              },
            ]
          : [];
      }),
    ]),
  ];
}

// beside is whether the story stands at the side of the curve, for want of room else below it (arc.css).
const beside = (): boolean => matchMedia("(min-width: 900px), print").matches;

// Curve is the whole suite over all steps, on each machine.
function Curve(props: SectionProps) {
  const { page, state } = props,
    list = machines(page, state),
    m = metric(page, state),
    values = state.v === "value",
    raw = list.map((x) => curves(page, x.result, m?.name));
  const [all, ends] = useMemo(() => {
    const all = values ? raw.map(inValues) : raw,
      span = Math.max(0, ...list.map((x) => spanOfNoise(x.result)));
    return [all, values ? range(all, span) : domain(all, span, state.s)] as const;
  }, [...raw, state.s, values]);
  const lit = useMemo(() => coloured(page, state), [page, state.step, state.b, state.pin]);
  const chain = steps(page),
    asides = chain.flatMap((s) => (s.aside ? [`${s.number} ${s.aside}`] : []));
  if (!m) return <p class="muted">nothing was measured</p>;
  const most = Math.max(0, ...all.map((c) => c.lines.length)),
    geomean = list.some((x) =>
      whole(table(x.result, m.name), x.result.arc?.steps.at(-1)?.variant ?? ""),
    );
  return (
    <Figure
      caption={
        <>
          {label(m.name)} {values ? "at each step" : `against ${page.first.base}`}
          {list.length > 1 && "; read each machine against itself"}
        </>
      }
      name="the whole suite, step by step"
      columns={columns(list, m, lit, page)}
      rows={[...chain.keys(), chain.length]}
    >
      <div class="arcs">
        {list.map((x, i) => (
          <Panel
            {...props}
            machine={x}
            m={m}
            c={all[i]!}
            ends={ends}
            coloured={lit}
            several={page.machines.length > 1}
          />
        ))}
      </div>
      <Pins {...props} lit={lit} />
      <p class="key">
        {geomean && "bold: the suite with its interval · "}
        {most > faint
          ? `bands: the middle 50 and 90 % of ${most} benchmarks, lines: the ${extremes} that moved most`
          : "faint: a benchmark each"}
        {lit.length > colours &&
          ` · in colour: ${colours} of the ${lit.length} that this step is about`}
        {phases(page).length > 0 && " · ★ a phase begins"}
        {chain.some((s) => s.gap) && " · × not measured"}
        {asides.length > 0 && (
          <>
            {" "}
            · <bdi>{asides.join(" · ")}</bdi>
          </>
        )}
        {" · a click on a line pins it"}
      </p>
    </Figure>
  );
}

// Pins are the benchmarks that the reader keeps in colour at every step.
function Pins({ page, state, set, lit }: SectionProps & { lit: string[] }) {
  const kept = pinned(state).filter((k) => lit.includes(k));
  if (!kept.length) return null;
  return (
    <p class="pins">
      {kept.map((k) => {
        const b = page.benchmarks.find((b) => key(b) === k);
        return (
          <span>
            <Chip series={lit.indexOf(k)}>
              <bdi title={k}>{cut(b?.name ?? k, 40)}</bdi>
            </Chip>{" "}
            <button type="button" class="quiet" onClick={() => set({ b: k }, true)}>
              open
            </button>
            <button
              type="button"
              class="quiet"
              aria-label={"unpin " + k}
              onClick={() => set({ pin: turnPin(state, k) }, true)}
            >
              unpin
            </button>
          </span>
        );
      })}
    </p>
  );
}

// View keeps the curve in sight beside what the walk tells. A page that is opened at a step shows both.
function View(props: SectionProps) {
  const { page, state } = props,
    walking = current(page, state) >= 0;
  useEffect(() => {
    if (walking && !state.open && !state.b) document.getElementById("arc")?.scrollIntoView();
  }, []);
  return (
    <div class={"chain" + (walking ? " walking" : "")}>
      <div class="curve">
        {useMemo(
          () => (
            <Curve {...props} />
          ),
          [page, ...(["m", "v", "s", "p", "step", "b", "pin"] as const).map((k) => state[k])],
        )}
      </div>
      <Walk {...props} />
    </div>
  );
}

export const section: Section = {
  id: "arc",
  title: "The whole suite, step by step",
  shown: hasSteps,
  View,
};

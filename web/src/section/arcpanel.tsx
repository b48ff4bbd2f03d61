import { useId, useMemo, useState } from "preact/hooks";
import {
  band,
  Frame,
  linear,
  log,
  nearest,
  relative,
  series,
  shape,
  useWidth,
  type Scale,
} from "../chart";
import { key, spanOfNoise, table, wordsOf } from "../data";
import { halfOf, label, mark, times, tone, value } from "../format";
import { cut } from "../points";
import { colours, current, direct, line, phases, steps, turnPin } from "../steps";
import {
  faint,
  Labels,
  path,
  Phases,
  stepTicks,
  ticks,
  type Lit,
  type PanelProps,
  type Plot,
} from "./arcaxis";

// extremes is how many lines the bands of percentiles leave.
export const extremes = 10;

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

// Panel is one machine's curves, over all steps.
export function Panel(q: PanelProps) {
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

// beside is whether the story stands at the side of the curve, for want of room else below it (arc.css).
const beside = (): boolean => matchMedia("(min-width: 900px), print").matches;

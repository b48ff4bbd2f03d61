// Which variants are worth having when two metrics pull in different directions, and how a race of variants went.
import { useState } from "preact/hooks";
import { Frame, nearest, poly, r1, relative, ratioTicks, shape, type Scale } from "../chart";
import { focus, spanOfNoise, table, whole, wordsOf } from "../data";
import { label, said, value } from "../format";
import { Sides } from "../forest";
import { ends, Sized } from "../plot";
import type { SectionProps, Set } from "../section";
import type { State } from "../state";
import { Told, type Column } from "../table";
import type { Comparison, Machine, Result, SectionWords, Tradeoff } from "../../page";
import { Figure } from "../ui";

// A Point is a variant with its comparisons on both metrics, none of the base, and the words for where it stands.
type Point = Tradeoff["points"][number] & {
  cells: (Comparison | undefined)[];
  place: string;
  front: boolean;
};

const pointsOf = (r: Result): Point[] =>
  (r.tradeoff?.points ?? []).map((p, i) => ({
    ...p,
    cells: r.tradeoff!.metrics.map((m) => whole(table(r, m.name), p.variant)),
    place: wordsOf(r).places?.[i]?.text ?? "",
    front: !!wordsOf(r).places?.[i]?.front,
  }));

const placed = (r: Result): Point[] => pointsOf(r).filter((p) => p.changes.every(Number.isFinite));

// endsOf are those of an interval that have a place on an axis of ratios.
const endsOf = (p: Point, i: 0 | 1): number[] => {
  const at = ends(p.cells[i]?.interval);
  return at[0]! > 0 ? at : [];
};

// told is a point on one metric: "4.71 ms (−2 % [−7, +36])".
const told = (p: Point, i: number, m: string, base: string): string => {
  const s = said(p.cells[i]);
  return (
    value(m, p.values[i]!, 0.01) +
    (p.variant === base ? "" : ` (${[s.change, s.interval].filter(Boolean).join(" ")})`)
  );
};

// asksTradeoff is whether the trade-off is what the study asks for: it stands in the answer's card then.
export const asksTradeoff = (r: Result): boolean =>
  !!r.tradeoff?.points?.length && (r.answer.asks ?? "").startsWith("trade-off");

// Front is the trade-off in the card of a machine's answer.
export const Front = ({ page, state, set, machine }: SectionProps & { machine: Machine }) =>
  asksTradeoff(machine.result) ? (
    <Sized>
      {(width) => (
        <Plane machine={machine} machines={page.machines} width={width} state={state} set={set} />
      )}
    </Sized>
  ) : null;

export const TradeoffPlot = (p: { machines: Machine[]; state: State; set: Set }) => (
  <>
    <h3>Trade-off</h3>
    <Sides machines={p.machines.filter((m) => m.result.tradeoff)}>
      {(m, width) => <Plane {...p} machine={m} width={width} />}
    </Sides>
  </>
);

// Plane is the figure of a machine. All machines have one scale.
function Plane(p: {
  machine: Machine;
  machines: Machine[];
  width: number;
  state: State;
  set: Set;
}) {
  const { machine: m, machines, width, state, set } = p,
    t = m.result.tradeoff!,
    all = machines.flatMap((m) => placed(m.result)),
    span = Math.max(...machines.map((m) => spanOfNoise(m.result)));
  const scale = (i: 0 | 1, from: number, to: number) =>
    relative(
      all.flatMap((p) => [1 + p.changes[i], ...endsOf(p, i)]),
      span,
      from,
      to,
      state.s,
    );
  return (
    <Figure
      name={"trade-off on " + m.name}
      columns={columns(t, m.result)}
      rows={pointsOf(m.result)}
      caption={
        <>
          {label(t.metrics[0].name)} against {label(t.metrics[1].name)}, relative to{" "}
          <bdi>{m.result.base}</bdi>, with intervals; filled: on the front
        </>
      }
    >
      <Scatter
        t={t}
        points={placed(m.result)}
        r={m.result}
        width={Math.min(width, 860)}
        scale={scale}
        state={state}
        set={set}
      />
    </Figure>
  );
}

function columns(t: Tradeoff, r: Result): Column<Point>[] {
  const two = t.metrics.flatMap((m, i): Column<Point>[] => [
    { head: label(m.name), text: (p) => value(m.name, p.values[i]!, 0.01), num: true },
    {
      head: "change",
      text: (p) => (p.variant === r.base ? "base" : said(p.cells[i]).change),
      num: true,
    },
    { head: "interval", text: (p) => said(p.cells[i]).interval, num: true },
  ]);
  return [
    { head: "variant", text: (p) => p.variant },
    ...two,
    { head: "place", text: (p) => p.place },
  ];
}

const box = { top: 20, right: 24, bottom: 40, left: 62 };

function Scatter(p: {
  t: Tradeoff;
  points: Point[];
  r: Result;
  width: number;
  scale: (i: 0 | 1, from: number, to: number) => Scale;
  state: State;
  set: Set;
}) {
  const { t, points, r, width, scale, state, set } = p;
  const [over, setOver] = useState(-1),
    height = Math.min(380, Math.max(240, width * 0.4));
  const x = scale(0, box.left, width - box.right),
    y = scale(1, height - box.bottom, box.top);
  const px = (p: Point) => x(1 + p.changes[0]),
    py = (p: Point) => y(1 + p.changes[1]);
  const front = points.filter((p) => p.front).sort((a, b) => a.changes[0] - b.changes[0]),
    behind = points.filter((p) => !p.front);
  const find = (mx: number, my: number) =>
    nearest(points.length, (i) => Math.hypot(px(points[i]!) - mx, py(points[i]!) - my), 0);
  const dots = (list: Point[]) => list.map((p) => shape("●", px(p), py(p), 5)).join("");
  const reach = (p: Point): string => {
    const [left, right] = endsOf(p, 0).map(x).map(r1),
      [low, high] = endsOf(p, 1).map(y).map(r1);
    return (
      (right ? `M${left} ${r1(py(p))}H${right}` : "") + (high ? `M${r1(px(p))} ${low}V${high}` : "")
    );
  };
  const base = points.find((p) => p.variant === r.base),
    at = points[over],
    name = focus(r, state),
    chosen = points.find((p) => p.variant === name);
  return (
    <>
      <Frame
        width={width}
        height={height}
        margin={box}
        title={`Trade-off of ${label(t.metrics[0].name)} and ${label(t.metrics[1].name)}`}
        desc={`On the front: ${front.map((p) => p.variant).join(", ")}.`}
        x={{
          scale: x,
          ticks: ratioTicks(x, Math.max(3, width / 110)),
          label: label(t.metrics[0].name) + side(t.metrics[0].better, "← better", "better →"),
        }}
        y={{
          scale: y,
          ticks: ratioTicks(y, 5),
          label: label(t.metrics[1].name) + side(t.metrics[1].better, "↓ better", "↑ better"),
        }}
        onMove={(mx, my) => setOver(find(mx, my))}
        onLeave={() => setOver(-1)}
        onClick={(mx, my) => {
          const p = points[find(mx, my)];
          if (p && p.variant !== r.base) set({ cmp: p.variant });
        }}
      >
        <path
          class="front"
          d={poly(
            front.length,
            (i) => px(front[i]!),
            (i) => py(front[i]!),
          )}
        />
        <path class="reach" d={points.map(reach).join("")} />
        <path class="beaten" d={dots(behind)} />
        <path class="on-front" d={dots(front)} />
        {base && <path class="base-point" d={shape("◆", px(base), py(base), 6)} />}
        {chosen && <path class="chosen" d={shape("●", px(chosen), py(chosen), 9)} />}
        {labels(
          [...new Set([...(chosen ? [chosen] : []), ...front, ...behind])],
          px,
          py,
          width,
        ).map((l) => (
          <text
            class={(l.p.front ? "name" : "name beaten-name") + (l.p === chosen ? " bold" : "")}
            x={l.x}
            y={l.y}
            text-anchor={l.anchor}
          >
            {l.p.variant}
          </text>
        ))}
      </Frame>
      <p class="muted small" aria-live="off">
        {at ? (
          <>
            <bdi>{at.variant}</bdi>:{" "}
            {t.metrics.map((m, i) => told(at, i, m.name, r.base)).join(", ")}, <bdi>{at.place}</bdi>
          </>
        ) : (
          "◆ base; hollow: behind the front; lines: intervals; click one to look at it below"
        )}
      </p>
    </>
  );
}

const side = (better: string | undefined, lower: string, higher: string): string =>
  better === "lower" ? "   " + lower : better === "higher" ? "   " + higher : "";

interface Label {
  p: Point;
  x: number;
  y: number;
  anchor: "start" | "middle" | "end";
}

// labels names the points that have room for it, those on the front first; a pointer finds the others.
function labels(
  points: Point[],
  px: (p: Point) => number,
  py: (p: Point) => number,
  width: number,
): Label[] {
  const out: (Label & { from: number; to: number })[] = [];
  for (const p of points.slice(0, 80)) {
    const long = p.variant.length * 6.6,
      x = px(p),
      y = py(p) + 4;
    const places: Label[] = [
      { p, x: x + 9, y, anchor: "start" },
      { p, x: x - 9, y, anchor: "end" },
      { p, x, y: y - 12, anchor: "middle" },
      { p, x, y: y + 14, anchor: "middle" },
      { p, x: x - 4, y: y + 14, anchor: "start" },
      { p, x: x - 4, y: y - 12, anchor: "start" },
    ];
    for (const l of places) {
      const from = l.anchor === "start" ? l.x : l.anchor === "end" ? l.x - long : l.x - long / 2,
        to = from + long;
      if (
        from < box.left ||
        to > width ||
        out.some((o) => Math.abs(o.y - l.y) < 13 && from < o.to && to > o.from)
      )
        continue;
      if (points.some((o) => px(o) > from - 6 && px(o) < to + 6 && Math.abs(py(o) + 4 - l.y) < 9))
        continue;
      out.push({ ...l, from, to });
      break;
    }
  }
  return out;
}

// RaceTable is how a race went.
export const RaceTable = ({ race, name }: { race: SectionWords; name: string }) => (
  <>
    <h3>
      {race.title} <bdi>{name}</bdi>
    </h3>
    {race.lines?.map((l) => (
      <p>
        <bdi>{l}</bdi>
      </p>
    ))}
    {race.tables?.map((t) => (
      <Told of={t} most={200} />
    ))}
  </>
);

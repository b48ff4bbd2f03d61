// Which variants are worth having when two metrics pull in different directions, and how a race of variants went.
import { useState } from "preact/hooks";
import { Frame, nearest, poly, relative, ratioTicks, shape, type Scale } from "../chart";
import { spanOfNoise } from "../data";
import { change, label, value } from "../format";
import { Sides } from "../forest";
import type { Set } from "../section";
import type { State } from "../state";
import { Told, type Column } from "../table";
import type { Machine, Result, SectionWords, Tradeoff } from "../../page";
import { Figure } from "../ui";

type Point = Tradeoff["points"][number];

const place = (p: Point): string => (p.beaten ? "beaten by " + p.beaten : "on the front");

const placed = (r: Result): Point[] =>
  r.tradeoff?.points.filter((p) => p.changes.every(Number.isFinite)) ?? [];

export function TradeoffPlot(p: { machines: Machine[]; state: State; set: Set }) {
  const { machines, state, set } = p;
  const all = machines.flatMap((m) => placed(m.result)),
    span = Math.max(...machines.map((m) => spanOfNoise(m.result)));
  const scale = (i: 0 | 1, from: number, to: number) =>
    relative(
      all.map((p) => 1 + p.changes[i]),
      span,
      from,
      to,
      state.s,
    );
  return (
    <>
      <h3>Trade-off</h3>
      <Sides machines={machines.filter((m) => m.result.tradeoff)}>
        {(m, width) => {
          const t = m.result.tradeoff!;
          return (
            <Figure
              name={"trade-off on " + m.name}
              columns={columns(t, m.result)}
              rows={t.points}
              caption={
                <>
                  {label(t.metrics[0].name)} against {label(t.metrics[1].name)}, relative to{" "}
                  <bdi>{m.result.base}</bdi>: filled: not dominated
                </>
              }
            >
              <Scatter
                t={{ ...t, points: placed(m.result) }}
                r={m.result}
                width={Math.min(width, 860)}
                scale={scale}
                state={state}
                set={set}
              />
            </Figure>
          );
        }}
      </Sides>
    </>
  );
}

function columns(t: Tradeoff, r: Result): Column<Point>[] {
  const two = t.metrics.flatMap((m, i): Column<Point>[] => [
    { head: label(m.name), text: (p) => value(m.name, p.values[i]!, 0.01), num: true },
    {
      head: "change",
      text: (p) =>
        p.variant === r.base ? "base" : change(p.changes[i]!, 0.01 * (1 + p.changes[i]!)),
      num: true,
    },
  ]);
  return [{ head: "variant", text: (p) => p.variant }, ...two, { head: "place", text: place }];
}

const box = { top: 20, right: 24, bottom: 40, left: 62 };

function Scatter(p: {
  t: Tradeoff;
  r: Result;
  width: number;
  scale: (i: 0 | 1, from: number, to: number) => Scale;
  state: State;
  set: Set;
}) {
  const { t, r, width, scale, state, set } = p;
  const [over, setOver] = useState(-1),
    height = Math.min(380, Math.max(260, width * 0.5));
  const x = scale(0, box.left, width - box.right),
    y = scale(1, height - box.bottom, box.top);
  const px = (p: Point) => x(1 + p.changes[0]),
    py = (p: Point) => y(1 + p.changes[1]);
  const front = t.points.filter((p) => !p.beaten).sort((a, b) => a.changes[0] - b.changes[0]),
    beaten = t.points.filter((p) => p.beaten);
  const find = (mx: number, my: number) =>
    nearest(t.points.length, (i) => Math.hypot(px(t.points[i]!) - mx, py(t.points[i]!) - my), 0);
  const dots = (list: Point[]) => list.map((p) => shape("●", px(p), py(p), 5)).join("");
  const base = t.points.find((p) => p.variant === r.base),
    at = t.points[over],
    chosen = t.points.find((p) => p.variant === state.cmp);
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
          const p = t.points[find(mx, my)];
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
        <path class="beaten" d={dots(beaten)} />
        <path class="on-front" d={dots(front)} />
        {base && <path class="base-point" d={shape("◆", px(base), py(base), 6)} />}
        {chosen && <path class="chosen" d={shape("●", px(chosen), py(chosen), 9)} />}
        {labels([...front, ...beaten], px, py, width).map((l) => (
          <text
            class={l.p.beaten ? "name beaten-name" : "name"}
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
            {t.metrics
              .map(
                (m, i) =>
                  value(m.name, at.values[i]!, 0.01) +
                  (at.variant === r.base
                    ? ""
                    : ` (${change(at.changes[i]!, 0.01 * (1 + at.changes[i]!))})`),
              )
              .join(", ")}
            , {place(at)}
          </>
        ) : (
          "◆ base; hollow: beaten by another variant; click one to look at it below"
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

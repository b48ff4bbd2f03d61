// The collector: how long each phase of a cycle takes, mark time against the live heap, and all its totals.
import { useMemo, useState } from "preact/hooks";
import { Frame, linear, log, poly, shape, ticksAt, type Scale } from "../chart";
import { focus, key, shown } from "../data";
import { group, int, label, tick, value } from "../format";
import { Each, Legend, looksOf, Measured, signOf } from "../measured";
import { across, Plot, Sized, upward } from "../plot";
import { quantile } from "../quantile";
import type { Section, SectionProps } from "../section";
import type { Column } from "../table";
import type { Distribution, GC, Machine, Result } from "../../page";
import { Choice, Figure } from "../ui";

type Shown = { looks: string[]; names: string[]; width: number };
interface Ranges {
  time: [number, number];
  zero: boolean;
  live: number;
  mark: number;
  cpu: number;
}

const time = (v: number): string => value("gc.mark", v, 0.05);
const bytes = (v: number): string => value("gc.live-bytes", v, 0.05);
const fives = [0.1, 0.25, 0.5, 0.75, 0.9];

// rangesOf are those of all machines, so that panels side by side share their axes.
function rangesOf(all: GC[]): Ranges {
  const ends = all
    .flatMap((g) =>
      g.phases.flatMap((p) =>
        p.variants.flatMap((d) => [quantile(d.histogram, 0.1), quantile(d.histogram, 0.9)]),
      ),
    )
    .filter(Number.isFinite);
  const points = all.flatMap((g) => g.heaps.flatMap((h) => h.points)),
    some = ends.filter((v) => v > 0),
    most = (f: (p: (typeof points)[0]) => number) => Math.max(0, ...points.map(f));
  return {
    time: some.length ? [Math.min(...some) / 1.15, Math.max(...some) * 1.15] : [1e-6, 1e-3],
    zero: ends.includes(0),
    live: most((p) => p.live),
    mark: most((p) => p.mark),
    cpu: most((p) => p.mark_cpu),
  };
}

interface PhaseLine {
  name: string;
  d: Distribution;
  look: string;
  y: number;
}

// Phases has a line for each phase and variant: the median, half of the cycles (thick) and four fifths of them (thin).
function Phases({ gc, looks, names, width, range }: Shown & { gc: GC; range: Ranges }) {
  const coloured = names.filter((_, i) => looks[i] !== "rest"),
    pitch = 13,
    left = 126,
    m = { top: 8, right: 22, bottom: 34, left };
  const tall = coloured.length * pitch + 10,
    high = m.top + gc.phases.length * tall + m.bottom;
  const lines = gc.phases.flatMap((p, k) =>
    coloured.flatMap((v, i): PhaseLine[] => {
      const d = p.variants.find((d) => d.variant === v);
      return d?.total
        ? [
            {
              name: p.name,
              d,
              look: looks[names.indexOf(v)]!,
              y: m.top + k * tall + 10 + i * pitch,
            },
          ]
        : [];
    }),
  );
  const from = left + (range.zero ? 26 : 6),
    s = log(...range.time, from, width - m.right),
    x = (v: number) => (v > 0 ? Math.max(from - 6, s(v)) : left + 6);
  const columns: Column<PhaseLine>[] = [
    { head: "phase", text: (l) => label(l.name) },
    { head: "variant", text: (l) => l.d.variant },
    { head: "cycles", num: true, text: (l) => int(l.d.total) },
    ...fives.map((p): Column<PhaseLine> => ({
      head: p === 0.5 ? "median" : "p" + 100 * p,
      num: true,
      text: (l) => time(quantile(l.d.histogram, p)),
    })),
  ];
  const at = (l: PhaseLine, p: number) => x(quantile(l.d.histogram, p)),
    span = (l: PhaseLine, p: number) => `M${at(l, p)} ${l.y}H${at(l, 1 - p)}`;
  const of = (look: string, f: (l: PhaseLine) => string) =>
    lines
      .filter((l) => l.look === look)
      .map(f)
      .join("");
  const what = "Time per cycle, by phase";
  return (
    <Figure caption={what} name={what} columns={columns} rows={lines}>
      <Frame
        width={width}
        height={high}
        margin={m}
        title={what}
        desc={lines
          .map(
            (l) => `${label(l.name)}, ${l.d.variant}: median ${time(quantile(l.d.histogram, 0.5))}`,
          )
          .join("; ")}
        x={{
          scale: s,
          ticks: ticksAt(s.ticks(width / 90), (t) => tick("gc.mark", t)),
          label: "time per cycle",
        }}
      >
        {range.zero && (
          <text class="tick" x={left + 6} y={high - m.bottom + 15} text-anchor="middle">
            0
          </text>
        )}
        {gc.phases.map((p, k) => (
          <text x={left - 10} y={m.top + k * tall + tall / 2 + 4} text-anchor="end">
            {label(p.name)}
          </text>
        ))}
        <path
          class="grid"
          d={gc.phases.map((_, k) => `M0 ${m.top + k * tall}H${width - m.right}`).join("")}
        />
        {[...new Set(lines.map((l) => l.look))].map((look) => (
          <g class={look}>
            <path class="line" d={of(look, (l) => span(l, 0.1))} />
            <path class="thick" d={of(look, (l) => span(l, 0.25))} />
            <path class="dot" d={of(look, (l) => shape(signOf(look), at(l, 0.5), l.y))} />
          </g>
        ))}
      </Frame>
      <p class="read">marks: median of all cycles; thick: half of them, thin: p10 to p90</p>
    </Figure>
  );
}

interface HeapLine {
  variant: string;
  live: number;
  mark: number;
  mark_cpu: number;
  cycles: number;
}

// Heaps is mark time against the live heap; a mark is larger the more cycles it stands for.
function Heaps({ gc, looks, names, width, range }: Shown & { gc: GC; range: Ranges }) {
  const [of, setOf] = useState<"mark" | "mark_cpu">("mark");
  const x = linear(0, range.live * 1.05, ...across(width)),
    y = linear(0, 1.08 * (of === "mark" ? range.mark : range.cpu), ...upward);
  const heaps = names.map((v) =>
    (gc.heaps.find((h) => h.variant === v)?.points ?? []).filter(
      (p) => p.live > 0 && Number.isFinite(p[of]),
    ),
  );
  const rows: HeapLine[] = heaps.flatMap((ps, i) => ps.map((p) => ({ variant: names[i]!, ...p }))),
    most = Math.max(...rows.map((r) => r.cycles));
  const look = (i: number) => looks[names.indexOf(rows[i]!.variant)]!;
  const columns: Column<HeapLine>[] = [
    { head: "variant", text: (r) => r.variant },
    { head: "live heap", num: true, text: (r) => bytes(r.live) },
    { head: "mark, wall", num: true, text: (r) => time(r.mark) },
    { head: "mark, CPU", num: true, text: (r) => time(r.mark_cpu) },
    { head: "cycles", num: true, text: (r) => int(r.cycles) },
  ];
  return (
    <>
      <Plot
        width={width}
        what={"Mark time against live heap, " + (of === "mark" ? "wall" : "CPU")}
        columns={columns}
        rows={rows}
        desc={heaps
          .map(
            (ps, i) =>
              `${names[i]}: ${ps.length} sizes of heap` +
              (ps.length ? `, from ${bytes(ps[0]!.live)} to ${bytes(ps.at(-1)!.live)}` : ""),
          )
          .join("; ")}
        x={{
          scale: x,
          ticks: ticksAt(round(x), (t) => tick("gc.live-bytes", t)),
          label: "live heap",
        }}
        y={{ scale: y, ticks: ticksAt(y.ticks(4), (t) => tick("gc.mark", t)) }}
        where={(i) => (look(i) === "rest" ? Infinity : x(rows[i]!.live))}
        tell={(i) => tellHeap(rows[i]!, look(i))}
        idle="the larger a mark, the more cycles had a heap of that size"
      >
        {heaps.map((ps, i) => (
          <g class={looks[i]}>
            <path
              class={`line thin ${looks[i]}`}
              d={poly(
                ps.length,
                (j) => x(ps[j]!.live),
                (j) => y(ps[j]![of]),
              )}
            />
            {looks[i] !== "rest" && (
              <path
                class="dot soft"
                d={ps
                  .map((p) =>
                    shape(
                      signOf(looks[i]!),
                      x(p.live),
                      y(p[of]),
                      2 + 5 * Math.sqrt(p.cycles / most),
                    ),
                  )
                  .join("")}
              />
            )}
          </g>
        ))}
      </Plot>
      <Choice
        name={"heap-" + key(gc.benchmark)}
        label="time"
        value={of}
        options={[
          { value: "mark", text: "wall" },
          { value: "mark_cpu", text: "CPU" },
        ]}
        onChange={(v) => setOf(v as "mark")}
      />
    </>
  );
}

// round are round sizes in powers of two.
function round(s: Scale): number[] {
  const end = s.domain()[1]!,
    step = 2 ** Math.ceil(Math.log2(end / 4.5));
  return end > 0 ? [0, 1, 2, 3, 4].map((i) => i * step).filter((t) => t <= end) : [];
}

const tellHeap = (r: HeapLine, look: string) => (
  <>
    <span class={look}>
      {signOf(look)} <bdi>{r.variant}</bdi>
    </span>
    : <b>{bytes(r.live)}</b> live, mark <b>{time(r.mark)}</b> wall, <b>{time(r.mark_cpu)}</b> CPU;{" "}
    {int(r.cycles)} cycles
  </>
);

function Collector(p: {
  result: Result;
  gc: GC | undefined;
  name: string;
  focus: string;
  range: Ranges;
}) {
  const { result, gc, name, focus, range } = p;
  const names = gc ? gc.heaps.map((h) => h.variant) : [],
    looks = looksOf(names, focus);
  return (
    <>
      {gc && <Legend names={names} looks={looks} />}
      {gc && (
        <div class="charts wide">
          {gc.phases.some((p) => p.variants.some((d) => d.total > 0)) && (
            <Sized>{(width) => <Phases {...{ gc, looks, names, width, range }} />}</Sized>
          )}
          {range.live > 0 && (
            <Sized>{(width) => <Heaps {...{ gc, looks, names, width, range }} />}</Sized>
          )}
        </div>
      )}
      <Measured
        result={result}
        of="of the collector"
        benchmark={name}
        wanted={isGC}
        focus={focus}
      />
      {gc && (
        <p class="muted">
          All cycles but forced ones,{" "}
          {gc.inside
            ? "traced inside the measured trials, for all variants alike"
            : "traced in trials of their own"}
          . A share's change is relative, not in points.
        </p>
      )}
    </>
  );
}

const isGC = (metric: string): boolean => group(metric) === "gc";
const find = (m: Machine, name: string): GC | undefined =>
  m.result.gcs?.find((g) => key(g.benchmark) === name);

// benchmarksOf are those with pictures, then those that only have figures.
function benchmarksOf(machines: Machine[]): string[] {
  const drawn = machines.flatMap((m) => (m.result.gcs ?? []).map((g) => key(g.benchmark)));
  const rows = machines.flatMap((m) =>
    m.result.tables
      .filter((t) => isGC(t.metric.name))
      .flatMap((t) => t.rows.map((r) => key(r.benchmark))),
  );
  return [...drawn, ...rows];
}

function View({ page, state }: SectionProps) {
  const machines = shown(page, state),
    all = useMemo(() => benchmarksOf(machines), [page, state.p]);
  return (
    <Each
      names={all}
      open={state.b}
      machines={machines}
      none="Nothing of the collector was recorded on this machine."
    >
      {(name) => {
        const range = rangesOf(machines.flatMap((m) => find(m, name) ?? []));
        return (m) => (
          <Collector
            result={m.result}
            gc={find(m, name)}
            name={name}
            focus={focus(m.result, state)}
            range={range}
          />
        );
      }}
    </Each>
  );
}

export const section: Section = {
  id: "gc",
  title: "Garbage collector",
  follows: ["p", "cmp", "b"],
  shown: (page) =>
    page.machines.some(
      (m) =>
        m.result.gcs?.length || m.result.tables.some((t) => isGC(t.metric.name) && t.rows.length),
    ),
  View,
};

// How good was the measuring: the same code against itself, the blocks in the order of time, and the machine.
import { useMemo } from "preact/hooks";
import { Frame, poly, ratioTicks, relative, shape } from "../chart";
import {
  deciding,
  focus,
  key,
  metric,
  row,
  cell,
  shown,
  spanOfNoise,
  table,
  whole,
  wordsOf,
  type Page,
} from "../data";
import { compared, Sides } from "../forest";
import { differs, label, margin as percents, mark, plusMinus } from "../format";
import { ends, RunChart, Sized } from "../plot";
import { cut } from "../points";
import type { Section, SectionProps } from "../section";
import type { State } from "../state";
import type { Column } from "../table";
import type { Comparison, Machine, Result, Series } from "../../page";
import { Figure, Known, Warnings } from "../ui";
import "./noise.css";

const sides = (c: Comparison): number[] => [1 + c.change, ...ends(c.interval)];

// named is the number of benchmarks up to which the strip has a line with a name for each.
const named = 30;

// Strip is the control against the base, benchmark by benchmark, sorted by change: three paths, however many there are.
function Strip({ result: r, ratios, width }: { result: Result; ratios: number[]; width: number }) {
  const cells = useMemo(
      () => (r.noise.cells ?? []).filter((c) => c.change > -1).sort((a, b) => a.change - b.change),
      [r],
    ),
    few = cells.length <= named,
    pitch = few ? 20 : Math.max(0.05, Math.min(6, 300 / cells.length));
  const m = {
      top: 10,
      right: 22,
      bottom: 34,
      left: few ? Math.round(Math.min(240, width * 0.34)) : 16,
    },
    high = m.top + cells.length * pitch + m.bottom;
  const x = relative(ratios, spanOfNoise(r), m.left, width - m.right),
    y = (i: number) => m.top + (i + 0.5) * pitch,
    least = r.rule.min_effect;
  const one = new Set(cells.map((c) => c.benchmark.package)).size < 2,
    name = ({ benchmark: b }: Comparison) => cut(one ? b.name : key(b), Math.floor(m.left / 7.4));
  const columns: Column<Comparison>[] = [
    { head: "benchmark", text: (c) => key(c.benchmark) },
    ...compared(
      (c: Comparison) => ({ c, m: { name: "", min_effect: least } }),
      (h) => (h === "verdict" ? "would be called" : h),
    ),
  ];
  const dot = (c: Comparison) => (differs(c.verdict) ? (mark(c) as "▲") : "●"),
    what = "The same code against itself";
  const marks = useMemo(() => {
    const of = (kind: number, f: (c: Comparison, i: number) => string) =>
      cells.map((c, i) => (kindOf(c) === kind ? f(c, i) : "")).join("");
    return ["same", "open", "false"].map((name, kind) => (
      <g class={name}>
        <path
          class="line"
          style={{
            strokeWidth: Math.min(1.6, Math.max(0.5, pitch)),
            opacity: few || kind === 2 ? 1 : 0.3,
          }}
          d={of(kind, (c, i) =>
            c.interval
              ? `M${x(1 + c.interval.lo).toFixed(1)} ${y(i).toFixed(1)}H${x(1 + c.interval.hi).toFixed(1)}`
              : "",
          )}
        />
        <path
          class="dot"
          d={of(kind, (c, i) => (few || kind === 2 ? shape(dot(c), x(1 + c.change), y(i)) : ""))}
        />
      </g>
    ));
  }, [cells, ratios, width]);
  return (
    <Figure caption={what} name={what} columns={columns} rows={cells}>
      <Frame
        width={width}
        height={high}
        margin={m}
        title={what}
        desc={`${cells.length} benchmarks, ${r.noise.false || 0} of them called different; noise floor ${plusMinus(r.noise.floor)}`}
        x={{
          scale: x,
          ticks: ratioTicks(x, Math.max(2, Math.floor((width - m.left) / 95))),
          label: "change of the control",
        }}
      >
        <rect
          class="zone"
          x={x(1 - least)}
          width={Math.max(0, x(1 + least) - x(1 - least))}
          y={m.top}
          height={high - m.top - m.bottom}
        />
        <path class="one" d={`M${x(1)} ${m.top}V${high - m.bottom}`} />
        {few &&
          cells.map((c, i) => (
            <text class="name" x={m.left - 8} y={y(i) + 4} text-anchor="end">
              {name(c)}
              <title>{key(c.benchmark)}</title>
            </text>
          ))}
        {marks}
        {!few && <path class="line" d={poly(cells.length, (i) => x(1 + cells[i]!.change), y)} />}
        <path
          class="at"
          d={[1 - least, 1 + least].map((v) => `M${x(v)} ${m.top}V${high - m.bottom}`).join("")}
        />
      </Frame>
      <p class="read">
        {few ? "" : "line: the changes, sorted; "}shaded: ±{percents(least)}, the minimum effect
        {cells.some((c) => differs(c.verdict))
          ? "; coloured: called different, although it is the same code"
          : ""}
      </p>
    </Figure>
  );
}

const kindOf = (c: Comparison): number => (differs(c.verdict) ? 2 : c.verdict === "same" ? 0 : 1);

// A Run is what the run chart shows: the blocks of one variant, and what the record says of them.
interface Run {
  series: Series;
  comparison: Comparison | undefined;
  what: string;
}

// runOf is the benchmark that is open, else the geomean; of the metric chosen, else the first that has series.
function runOf(page: Page, machine: Machine, state: State): Run | undefined {
  const r = machine.result,
    at = page.machines.indexOf(machine),
    variant = focus(r, state);
  const mine = page.series.filter(
      (s) => s.machine === at && s.variant === variant && s.ln.length > 0,
    ),
    chosen = metric(page, state)?.name;
  const name = [chosen, deciding(r)?.metric.name, mine[0]?.metric].find((m) =>
      mine.some((s) => s.metric === m),
    ),
    those = mine.filter((s) => s.metric === name);
  const series =
    those.find((s) => state.b && key(s.benchmark) === state.b) ??
    those.find((s) => key(s.benchmark) === "") ??
    those[0];
  if (!series) return undefined;
  const t = table(r, name),
    of = key(series.benchmark),
    found = of ? row(t, of) : undefined;
  return {
    series,
    what: `${label(series.metric)} in each block, ${variant} vs ${r.base}: ${of || (wordsOf(r).suite[name ?? ""] ?? "geomean")}`,
    comparison: of ? found && cell(found, variant) : whole(t, variant),
  };
}

// The warnings about the machine that have a part in the noise.
const ofMachine = [
  "noisy",
  "virtual",
  "governor",
  "battery",
  "busy",
  "load",
  "pressure",
  "steal",
  "turbo",
  "cpu-limit",
  "few-cpus",
  "slow-links",
  "one-binary",
];

function View({ page, state }: SectionProps) {
  const machines = shown(page, state),
    runs = machines.map((m) => runOf(page, m, state)),
    some = machines.flatMap((m) => m.result.noise.cells ?? []);
  const control = useMemo(() => some.flatMap(sides), [page, state.p]),
    blocks = runs.flatMap((r) =>
      r
        ? [...r.series.ln.map(Math.exp), ...(r.comparison?.interval ? sides(r.comparison) : [])]
        : [],
    );
  return (
    <div class="measured">
      <Sides machines={machines}>
        {(m) => {
          const r = m.result,
            run = runs[machines.indexOf(m)],
            share = wordsOf(r).layouts?.[focus(r, state)];
          return (
            <>
              <Known class="known" list={wordsOf(r).noise} />
              <div class="charts wide">
                {r.noise.cells?.length ? (
                  <Sized>{(width) => <Strip result={r} ratios={control} width={width} />}</Sized>
                ) : (
                  <p class="muted">
                    No control was measured, so the same code was not compared with itself.
                  </p>
                )}
                {run ? (
                  <Sized>
                    {(width) => (
                      <RunChart
                        series={run.series}
                        c={run.comparison}
                        result={r}
                        ratios={blocks}
                        kind={state.s}
                        width={width}
                        what={run.what}
                      />
                    )}
                  </Sized>
                ) : (
                  <p class="muted">This page has no values by block.</p>
                )}
              </div>
              {share && <p>{share}</p>}
              <Known class="known" list={wordsOf(r).conditions} />
              <Warnings list={(r.warnings ?? []).filter((w) => ofMachine.includes(w.code))} />
            </>
          );
        }}
      </Sides>
    </div>
  );
}

export const section: Section = {
  id: "noise",
  title: "Noise",
  follows: ["m", "s", "p", "cmp", "b"],
  shown: () => true,
  View,
};

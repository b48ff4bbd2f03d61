// One benchmark in full, in place under its row: every variant, every metric, every block.
import { linear, poly, ratioTicks, relative, shape, ticksAt } from "../chart";
import { Copy, Quiet } from "../button";
import { goTo } from "../header";
import { key, others, row, spanOfNoise, table } from "../data";
import { baseOf, compared, px, told, uncertainty } from "../forest";
import { aside, change, label, mark, none, note, tone, value, word } from "../format";
import type { Line, Side } from "../lines";
import {
  across,
  blockColumns,
  blocksOf,
  ends,
  level,
  Plot,
  RunChart,
  Sized,
  upright,
  upward,
} from "../plot";
import { command } from "../points";
import type { SectionProps } from "../section";
import type { State } from "../state";
import { DataTable, type Column } from "../table";
import type { Comparison, Metric, Result, Row, Series, Table } from "../../page";

type Props = SectionProps & { line: Line; sides: Side[]; width: number };

export function Detail(p: Props) {
  const { line, sides, state, set } = p;
  return (
    <div style={{ width: px(Math.max(200, p.width)) }}>
      <p class="muted">
        <bdi style={{ overflowWrap: "anywhere" }}>{line.key}</bdi>
      </p>
      {sides.map((s, i) => (
        <One key={s.machine.name} {...p} side={s} i={i} />
      ))}
      <div class="bar">
        <Quiet onClick={() => set({ b: "" }, true)}>close</Quiet>
        {leads(line, sides).map(([id, text]) => (
          <Quiet onClick={() => goTo(id, set, { b: state.b })}>{text}</Quiet>
        ))}
      </div>
    </div>
  );
}

// leads are the sections that have more about the benchmark.
function leads(line: Line, sides: Side[]): [string, string][] {
  const has = (f: (r: Result) => { benchmark: { package?: string; name: string } }[] | undefined) =>
    sides.some((s) => f(s.result)?.some((x) => key(x.benchmark) === line.key));
  const out: [string, string][] = [];
  if (has((r) => r.explanations)) out.push(["why", "why it changed"]);
  if (has((r) => r.latencies)) out.push(["latency", "its latencies"]);
  if (has((r) => r.gcs)) out.push(["gc", "its collector"]);
  return out;
}

function One({ page, state, set, line, sides, side: s, i }: Props & { side: Side; i: number }) {
  const at = line.at[i],
    c = at?.c,
    r = s.result,
    t = table(r, s.metric.name);
  if (!at)
    return (
      <p class="muted">
        <bdi>{s.machine.name}</bdi>: not measured
      </p>
    );
  const machine = page.machines.indexOf(s.machine);
  const series = page.series.find(
    (x) =>
      x.machine === machine &&
      x.metric === s.metric.name &&
      x.variant === s.as &&
      key(x.benchmark) === line.key,
  );
  const blocks = series?.ln.length ? series : undefined,
    charts = !!blocks || !!(r.arc && t);
  const rows = valuesOf(r, at.row),
    metrics = metricsOf(r, line.key, s.as),
    twins = page.benchmarks.filter((b) => b.name === line.benchmark.name).length;
  const explain = command("explain", r.run || "RUN", twins > 1 ? line.key : line.benchmark.name);
  const of = line.key + (sides.length > 1 ? " on " + s.machine.name : "");
  return (
    <>
      {sides.length > 1 && (
        <h3 class="on-machine">
          <bdi>{s.machine.name}</bdi>
        </h3>
      )}
      {c && (
        <p class="sentence">
          <b class={tone(c.verdict)}>
            {mark(c)} {word(c)}
          </b>{" "}
          {sentence(c, s.metric)}
        </p>
      )}
      <div class={charts ? "both" : ""}>
        <div>
          <h3>{label(s.metric.name)}, by variant</h3>
          <DataTable
            name={"values of " + of}
            columns={valueColumns(r, at.row, s.metric)}
            rows={rows}
            most={40}
          />
          {metrics.length > 1 && (
            <>
              <h3>
                all metrics, <bdi>{s.variant}</bdi>
              </h3>
              <DataTable name={"metrics of " + of} columns={metricColumns(r, s)} rows={metrics} />
            </>
          )}
        </div>
        {charts && (
          <Sized>
            {(width) => (
              <>
                {blocks && (
                  <RunChart
                    series={blocks}
                    result={r}
                    c={c}
                    kind={state.s}
                    width={width}
                    what="ratio in each block, in time order"
                    title="Run chart"
                  />
                )}
                {blocks && <Shares s={blocks} r={r} kind={state.s} width={width} />}
                {r.arc && t && (
                  <Steps
                    r={r}
                    row={at.row}
                    m={s.metric}
                    kind={state.s}
                    step={state.step}
                    go={(step) => set({ step }, true)}
                    width={width}
                  />
                )}
              </>
            )}
          </Sized>
        )}
      </div>
      {!blocks && page.series.length > 0 && (
        <p class="muted">block by block: not kept for this benchmark and metric</p>
      )}
      {r.run && (
        <p class="bar">
          <code>{explain}</code>
          <Copy line={explain} />
        </p>
      )}
    </>
  );
}

// sentence joins what the record says of a comparison.
function sentence(c: Comparison, m: Metric): string {
  const t = told(c, m, "change");
  return [
    [t.main, t.side].filter(Boolean).join(" "),
    c.n > 0 ? c.n + " blocks" : "",
    note(c),
    aside(c),
  ]
    .filter((x) => x && x !== none)
    .join(" · ");
}

// A Value is a variant's row of the first table; without a comparison it is the base, or the same code as another.
interface Value {
  variant: string;
  c?: Comparison;
  same?: string;
}

function valuesOf(r: Result, row: Row): Value[] {
  const by = new Map(row.cells.map((c) => [c.variant, c]));
  return [
    { variant: r.base },
    ...others(r).map((v) => ({ variant: v.name, c: by.get(v.name), same: v.same_as?.as })),
  ];
}

function valueColumns(r: Result, row: Row, m: Metric): Column<Value>[] {
  const rel = uncertainty(row.cells);
  return [
    { head: "variant", text: (v) => v.variant },
    {
      head: label(m.name),
      text: (v) =>
        v.variant === r.base
          ? baseOf(row, m)
          : v.c && v.c.n > 0
            ? value(m.name, v.c.value, rel)
            : "",
      num: true,
    },
    ...compared((v: Value) => ({
      c: v.c,
      m,
      missing: v.variant === r.base ? "base" : v.same ? "≡ same code as " + v.same : "not measured",
    })),
  ];
}

interface Measure {
  t: Table;
  row: Row;
  c?: Comparison;
}

function metricsOf(r: Result, name: string, variant: string): Measure[] {
  return r.tables.flatMap((t) => {
    const x = row(t, name);
    return x ? [{ t, row: x, c: x.cells.find((c) => c.variant === variant) }] : [];
  });
}

const metricColumns = (r: Result, s: Side): Column<Measure>[] => [
  { head: "metric", text: (x) => label(x.t.metric.name) },
  { head: r.base, text: (x) => baseOf(x.row, x.t.metric), num: true },
  {
    head: s.variant,
    text: (x) =>
      x.c && x.c.n > 0 ? value(x.t.metric.name, x.c.value, uncertainty(x.row.cells)) : none,
    num: true,
  },
  ...compared((x: Measure) => ({ c: x.c, m: x.t.metric, missing: none })),
];

interface ChartProps {
  r: Result;
  kind: State["s"];
  width: number;
}

// Shares is the distribution of the blocks' ratios: the share that is at most so much.
function Shares({ s, r, kind, width }: ChartProps & { s: Series }) {
  const blocks = blocksOf(s).sort((a, b) => a.ln - b.ln),
    n = blocks.length,
    ratio = (i: number) => Math.exp(blocks[i]!.ln);
  const x = relative(
      blocks.map((_, i) => ratio(i)),
      spanOfNoise(r),
      ...across(width),
      kind,
    ),
    y = linear(0, 1, ...upward);
  const d =
    `M${x(x.domain()[0]!)} ${y(0)}` +
    blocks.map((_, i) => `H${x(ratio(i)).toFixed(1)}V${y((i + 1) / n).toFixed(1)}`).join("") +
    `H${across(width)[1]}`;
  return (
    <Plot
      width={width}
      what="how the blocks' ratios are distributed"
      title="Distribution of the blocks' ratios"
      desc={`The share of ${n} blocks whose ratio is at most so much.`}
      columns={blockColumns(0.01)}
      rows={blocks}
      x={{ scale: x, ticks: ratioTicks(x, Math.max(2, width / 100)) }}
      y={{ scale: y, ticks: ticksAt([0, 0.25, 0.5, 0.75, 1], (p) => 100 * p + " %") }}
      where={(i) => x(ratio(i))}
      tell={(i) => (
        <>
          {`${Math.round((100 * (i + 1)) / n)} % of the blocks: at most `}
          <b>{change(ratio(i) - 1, 0.01)}</b>
        </>
      )}
      idle=""
    >
      <path class="one" d={upright(x(1))} />
      <path class="steps-line" d={d} />
    </Plot>
  );
}

interface Step {
  n: number;
  name: string;
  c?: Comparison;
}

// Steps is the benchmark over all steps of the arc, against the base.
function Steps(p: ChartProps & { row: Row; m: Metric; step: string; go: (step: string) => void }) {
  const { r, row, m, kind, step, go, width } = p;
  const by = new Map(row.cells.map((c) => [c.variant, c]));
  const steps: Step[] = [
    { n: 0, name: r.base },
    ...r.arc!.steps.map((s) => ({
      n: s.number,
      name: s.variant,
      c: by.get(s.same_as?.as ?? s.variant),
    })),
  ];
  const at = (i: number) => (i === 0 ? 1 : steps[i]!.c ? 1 + steps[i]!.c!.change : NaN),
    last = steps.at(-1)!.n || 1;
  const x = linear(0, last, ...across(width)),
    y = relative(
      steps.flatMap((s, i) => [at(i), ...ends(s.c?.interval)]),
      spanOfNoise(r),
      ...upward,
      kind,
    ),
    px = (i: number) => x(steps[i]!.n);
  const now = steps.findIndex((s) => String(s.n) === step),
    columns: Column<Step>[] = [
      { head: "step", text: (s) => String(s.n), num: true },
      { head: "name", text: (s) => s.name },
      ...compared((s: Step) => ({ c: s.c, m, missing: s.n ? none : "base" })),
    ];
  return (
    <Plot
      width={width}
      what="over all steps, against the base"
      title="The benchmark over all steps"
      desc="Its ratio to the base at each step, with interval."
      columns={columns}
      rows={steps}
      x={{
        scale: x,
        ticks: ticksAt(x.ticks(Math.min(last, 8)).filter(Number.isInteger)),
        label: "step",
      }}
      y={{ scale: y, ticks: ratioTicks(y) }}
      where={px}
      onClick={(i) => go(String(steps[i]!.n))}
      idle=""
      tell={(i) => {
        const s = steps[i]!,
          t = told(s.c, m, "change");
        return (
          <>
            {s.n} <bdi>{s.name}</bdi>: <b>{s.n ? t.main : "base"}</b> {t.side}
          </>
        );
      }}
    >
      <path class="one" d={level(width, y(1))} />
      <path
        class="median"
        d={steps
          .map((s, i) => {
            const [lo, hi] = ends(s.c?.interval);
            return lo! > 0 ? `M${px(i)} ${y(lo!)}V${y(hi!)}` : "";
          })
          .join("")}
        opacity={0.45}
      />
      <path class="steps-line" d={poly(steps.length, px, (i) => y(at(i)))} />
      {now >= 0 && Number.isFinite(at(now)) && (
        <path class="at-step" d={shape("◆", px(now), y(at(now)), 5)} />
      )}
    </Plot>
  );
}

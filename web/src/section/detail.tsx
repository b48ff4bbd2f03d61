// One benchmark in full, in place under its row: every variant, every metric, every block.
import { asChange, Frame, linear, poly, ratioTicks, relative, shape, useWidth } from "../chart";
import { copy } from "../copy";
import { key, others, row, spanOfNoise, table } from "../data";
import { baseOf, px, told, uncertainty } from "../forest";
import { label, mark, none, note, ratio, tone, value, word } from "../format";
import type { Line, Side } from "../lines";
import type { SectionProps } from "../section";
import { DataTable, type Column } from "../table";
import type { Comparison, Interval, Metric, Result, Row, Series, Table } from "../types";
import { Figure } from "../ui";

type Props = SectionProps & { line: Line; sides: Side[]; width: number };

export function Detail(p: Props) {
  const { line, sides, state, set } = p;
  return (
    <div style={{ width: px(Math.max(200, p.width)) }}>
      <p class="muted"><bdi style={{ overflowWrap: "anywhere" }}>{line.key}</bdi></p>
      {sides.map((s, i) => <One key={s.machine.name} {...p} side={s} i={i} />)}
      <div class="bar">
        <button type="button" class="quiet" onClick={() => set({ b: "" }, true)}>close</button>
        {leads(line, sides).map(([id, text]) => <button type="button" class="quiet" onClick={() => { set({ open: id, b: state.b }, true); document.getElementById(id)?.scrollIntoView(); }}>{text}</button>)}
      </div>
    </div>
  );
}

// leads are the sections that have more about the benchmark.
function leads(line: Line, sides: Side[]): [string, string][] {
  const has = (f: (r: Result) => { benchmark: { package?: string; name: string } }[] | undefined) => sides.some((s) => f(s.result)?.some((x) => key(x.benchmark) === line.key));
  const out: [string, string][] = [];
  if (has((r) => r.explanations)) out.push(["why", "why it changed"]);
  if (has((r) => r.latencies)) out.push(["latency", "its latencies"]);
  if (has((r) => r.gcs)) out.push(["gc", "its collector"]);
  return out;
}

function One({ page, state, set, line, sides, side: s, i }: Props & { side: Side; i: number }) {
  const at = line.at[i], c = at?.c, r = s.result, t = table(r, s.metric.name);
  if (!at) return <p class="muted"><bdi>{s.machine.name}</bdi>: not measured</p>;
  const machine = page.machines.indexOf(s.machine);
  const series = page.series.find((x) => x.machine === machine && x.metric === s.metric.name && x.variant === s.as && key(x.benchmark) === line.key);
  const blocks = series?.ln.length ? series : undefined, charts = !!blocks || !!(r.arc && t);
  const rows = valuesOf(r, at.row), metrics = metricsOf(r, line.key, s.as), twins = page.benchmarks.filter((b) => b.name === line.benchmark.name).length;
  const explain = `assay explain ${r.run || "RUN"} ${quote(twins > 1 ? line.key : line.benchmark.name)}`;
  return (
    <>
      {sides.length > 1 && <h3 class="on-machine"><bdi>{s.machine.name}</bdi></h3>}
      {c && <p class="sentence"><b class={tone(c.verdict)}>{mark(c)} {word(c.verdict)}</b> {sentence(c, at.row, s.metric)}</p>}
      <div class={charts ? "both" : ""}>
        <div>
          <h3>{label(s.metric.name)}, by variant</h3>
          <DataTable name={"values of " + line.key} columns={valueColumns(r, at.row, s.metric)} rows={rows} most={40} />
          {metrics.length > 1 && <><h3>all metrics, <bdi>{s.variant}</bdi></h3><DataTable name={"metrics of " + line.key} columns={metricColumns(r, s)} rows={metrics} /></>}
        </div>
        {charts && <div>
          {blocks && <><Run s={blocks} r={r} c={c} kind={state.s} /><Shares s={blocks} r={r} kind={state.s} /></>}
          {r.arc && t && <Steps r={r} row={at.row} m={s.metric} kind={state.s} step={state.step} go={(step) => set({ step }, true)} />}
        </div>}
      </div>
      {!blocks && page.series.length > 0 && <p class="muted">block by block: not kept for this benchmark and metric</p>}
      {r.run && <p class="bar"><code>{explain}</code><button type="button" class="quiet" onClick={() => copy(explain)}>copy</button></p>}
    </>
  );
}

// sentence joins what the record says of a comparison.
function sentence(c: Comparison, row: Row, m: Metric): string {
  const t = told(c, row.base, m, "change"), r = c.interval || c.exact ? ratio(c.change, m) : "";
  return [[t.main, t.side].filter(Boolean).join(" "), r, c.n > 0 ? c.n + " blocks" : "", note(c, m), c.layout_share ? `${Math.round(100 * c.layout_share)} % of the variance lies between layouts` : ""]
    .filter((x) => x && x !== none).join(" · ");
}

// A Value is a variant's row of the first table; without a comparison it is the base, or the same code as another.
interface Value { variant: string; c?: Comparison; same?: string }

function valuesOf(r: Result, row: Row): Value[] {
  const by = new Map(row.cells.map((c) => [c.variant, c]));
  return [{ variant: r.base }, ...others(r).map((v) => ({ variant: v.name, c: by.get(v.name), same: v.same_as?.as }))];
}

function valueColumns(r: Result, row: Row, m: Metric): Column<Value>[] {
  const rel = uncertainty(row.cells), tell = (v: Value) => told(v.c, row.base, m, "change");
  return [
    { head: "variant", text: (v) => v.variant, show: (v) => <bdi>{v.variant}</bdi> },
    { head: label(m.name), text: (v) => (v.variant === r.base ? baseOf(row, m) : v.c && v.c.n > 0 ? value(m.name, v.c.value, rel) : ""), num: true },
    { head: "change", text: (v) => (v.c ? tell(v).main : ""), num: true, class: (v) => (v.c ? tone(v.c.verdict) : "") },
    { head: "interval", text: (v) => (v.c ? tell(v).side : ""), num: true },
    { head: "verdict", text: (v) => (v.c ? mark(v.c) + " " + word(v.c.verdict) : v.variant === r.base ? "base" : v.same ? "≡ same code" : "not measured"), class: (v) => (v.c ? tone(v.c.verdict) : "muted") },
    { head: "note", text: (v) => (v.c ? note(v.c, m) : v.same ? "as " + v.same : "") },
  ];
}

interface Measure { t: Table; row: Row; c?: Comparison }

function metricsOf(r: Result, name: string, variant: string): Measure[] {
  return r.tables.flatMap((t) => {
    const x = row(t, name);
    return x ? [{ t, row: x, c: x.cells.find((c) => c.variant === variant) }] : [];
  });
}

function metricColumns(r: Result, s: Side): Column<Measure>[] {
  const tell = (x: Measure) => told(x.c, x.row.base, x.t.metric, "change");
  return [
    { head: "metric", text: (x) => label(x.t.metric.name) },
    { head: r.base, text: (x) => baseOf(x.row, x.t.metric), num: true },
    { head: s.variant, text: (x) => (x.c && x.c.n > 0 ? value(x.t.metric.name, x.c.value, uncertainty(x.row.cells)) : none), num: true },
    { head: "change", text: (x) => tell(x).main, num: true, class: (x) => tone(x.c?.verdict ?? "") },
    { head: "interval", text: (x) => tell(x).side, num: true },
    { head: "verdict", text: (x) => (x.c ? mark(x.c) + " " + word(x.c.verdict) : none), class: (x) => tone(x.c?.verdict ?? "") },
  ];
}

const box = { top: 12, right: 14, bottom: 36, left: 62 }, tall = 190;

// A Block is one of a series: number, change, and how long after the first it began.
interface Block { block: number; ratio: number; start: number }

function blocksOf(s: Series): Block[] {
  return s.block.map((block, i) => ({ block, ratio: Math.exp(s.ln[i] ?? NaN), start: s.start[i] ?? i })).filter((b) => Number.isFinite(b.ratio)).sort((a, b) => a.start - b.start);
}

const blockColumns: Column<Block>[] = [
  { head: "block", text: (b) => String(b.block) },
  { head: "after", text: (b) => b.start.toFixed(1) + " s", num: true },
  { head: "change", text: (b) => asChange(b.ratio, 0.01), num: true },
];

const ends = (i: Interval | undefined): number[] => (i ? [1 + i.lo, 1 + i.hi] : []);

// Run is the run chart: each block's ratio in time order.
function Run({ s, r, c, kind }: { s: Series; r: Result; c?: Comparison; kind: "log" | "lin" }) {
  const [ref, width] = useWidth<HTMLDivElement>(420), blocks = blocksOf(s), n = blocks.length;
  const x = linear(0, n + 1, box.left, width - box.right), y = relative([...blocks.map((b) => b.ratio), ...ends(c?.interval)], spanOfNoise(r), tall - box.bottom, box.top, kind);
  const across = (at: number) => `M${box.left} ${y(at)}H${width - box.right}`, middle = c && (c.interval || c.exact) ? 1 + c.change : undefined, [lo, hi] = ends(c?.interval);
  return (
    <div ref={ref}><Figure name="blocks" caption="ratio in each block, in time order" columns={blockColumns} rows={blocks}>
      <Frame width={width} height={tall} margin={box} title="Run chart" desc={`The ratio of ${n} blocks in the order in which they ran.`}
        x={{ scale: x, ticks: x.ticks(6).filter((t) => t > 0 && Number.isInteger(t)).map((at) => ({ at, text: String(at) })), label: "block, in time order" }} y={{ scale: y, ticks: ratioTicks(y, 5) }}>
        {lo !== undefined && lo > 0 && <rect class="within" x={box.left} y={y(hi!)} width={width - box.left - box.right} height={Math.max(0, y(lo) - y(hi!))} />}
        <path class="zero" d={across(1)} />
        {middle !== undefined && middle > 0 && <path class="median" d={across(middle)} />}
        <path class="run-dots" d={blocks.map((b, i) => shape("●", x(i + 1), y(b.ratio), n > 150 ? 2 : 3)).join("")} />
      </Frame>
    </Figure></div>
  );
}

// Shares is the distribution of the blocks' ratios: the share that is at most so much.
function Shares({ s, r, kind }: { s: Series; r: Result; kind: "log" | "lin" }) {
  const [ref, width] = useWidth<HTMLDivElement>(420), blocks = blocksOf(s).sort((a, b) => a.ratio - b.ratio), n = blocks.length;
  const x = relative(blocks.map((b) => b.ratio), spanOfNoise(r), box.left, width - box.right, kind), y = linear(0, 1, tall - box.bottom, box.top);
  const d = `M${x(x.domain()[0]!)} ${y(0)}` + blocks.map((b, i) => `H${x(b.ratio).toFixed(1)}V${y((i + 1) / n).toFixed(1)}`).join("") + `H${width - box.right}`;
  return (
    <div ref={ref}><Figure name="distribution" caption="how the blocks' ratios are distributed" columns={blockColumns} rows={blocks}>
      <Frame width={width} height={tall} margin={box} title="Distribution of the blocks' ratios" desc={`The share of ${n} blocks whose ratio is at most so much.`}
        x={{ scale: x, ticks: ratioTicks(x, Math.max(2, width / 100)) }} y={{ scale: y, ticks: [0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, text: 100 * at + " %" })) }}>
        <path class="zero" d={`M${x(1)} ${box.top}V${tall - box.bottom}`} />
        <path class="steps-line" d={d} />
      </Frame>
    </Figure></div>
  );
}

interface Step { n: number; name: string; c?: Comparison }

// Steps is the benchmark over all steps of the arc, against the base.
function Steps({ r, row, m, kind, step, go }: { r: Result; row: Row; m: Metric; kind: "log" | "lin"; step: string; go: (step: string) => void }) {
  const [ref, width] = useWidth<HTMLDivElement>(420), by = new Map(row.cells.map((c) => [c.variant, c]));
  const steps: Step[] = [{ n: 0, name: r.base }, ...r.arc!.steps.map((s) => ({ n: s.number, name: s.variant, c: by.get(s.same_as?.as ?? s.variant) }))];
  const at = (i: number) => (i === 0 ? 1 : steps[i]!.c ? 1 + steps[i]!.c!.change : NaN), last = steps.at(-1)!.n || 1;
  const x = linear(0, last, box.left, width - box.right), y = relative(steps.flatMap((s, i) => [at(i), ...ends(s.c?.interval)]), spanOfNoise(r), tall - box.bottom, box.top, kind);
  const now = steps.findIndex((s) => String(s.n) === step);
  const columns: Column<Step>[] = [
    { head: "step", text: (s) => String(s.n), num: true }, { head: "name", text: (s) => s.name, show: (s) => <bdi>{s.name}</bdi> },
    { head: "change", text: (s) => (s.c ? told(s.c, row.base, m, "change").main : s.n ? none : "base"), num: true }, { head: "interval", text: (s) => told(s.c, row.base, m, "change").side, num: true },
  ];
  return (
    <div ref={ref}><Figure name="steps" caption="over all steps, against the base" columns={columns} rows={steps}>
      <Frame width={width} height={tall} margin={box} title="The benchmark over all steps" desc="Its ratio to the base at each step, with interval."
        x={{ scale: x, ticks: x.ticks(Math.min(last, 8)).filter(Number.isInteger).map((t) => ({ at: t, text: String(t) })), label: "step" }} y={{ scale: y, ticks: ratioTicks(y, 5) }}
        onClick={(px) => go(String(Math.max(0, Math.min(last, Math.round(x.invert(px))))))}>
        <path class="zero" d={`M${box.left} ${y(1)}H${width - box.right}`} />
        <path class="median" d={steps.map((s) => (s.c?.interval && s.c.interval.lo > -1 ? `M${x(s.n)} ${y(1 + s.c.interval.lo)}V${y(1 + s.c.interval.hi)}` : "")).join("")} opacity={0.45} />
        <path class="steps-line" d={poly(steps.length, (i) => x(steps[i]!.n), (i) => y(at(i)))} />
        {now >= 0 && Number.isFinite(at(now)) && <path class="at-step" d={shape("◆", x(steps[now]!.n), y(at(now)), 5)} />}
      </Frame>
    </Figure></div>
  );
}

// quote makes a word of the shell of a name.
const quote = (s: string): string => (/^[\w./=:,@%+-]+$/.test(s) ? s : "'" + s.replace(/'/g, "'\\''") + "'");

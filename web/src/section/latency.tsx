// Latencies of services: how they are distributed, every quantile of it, and how each quantile moved.
import { band, linear, log, poly, ratioTicks, relative, ticksAt, type Scale } from "../chart";
import { focus, key, shown, spanOfNoise } from "../data";
import { change, group, halfOf, int, interval, margin as percents, tick, value } from "../format";
import { Each, Legend, looksOf, Measured, signOf } from "../measured";
import { across, level, Plot as Chart, Reach, Sized, upward } from "../plot";
import { bins, curve, minBeyond, percentile, quantile, rankAt, topOf } from "../quantile";
import type { Section, SectionProps } from "../section";
import type { Column } from "../table";
import type { Distribution, Latency, Machine, Result, Shift } from "../../page";

// A Plot is what the charts of one benchmark on one machine have in common. Its range is that of all machines.
interface Plot {
  looks: string[];
  list: Distribution[];
  range: Range;
  result: Result;
  width: number;
}
interface Range {
  lo: number;
  hi: number;
  top: number;
  share: number;
  few: boolean;
  lin: boolean;
  ratios: number[];
}

const bars = 48;
const time = (v: number, rel = 0.02): string => value("latency.p50", v, rel);
const percent = (s: number): string =>
  (s > 0 && s < 0.0005 ? "< 0.1" : Number((100 * s).toFixed(s < 0.1 ? 1 : 0))) + " %";
const scaleOf = (lin: boolean) => (lin ? linear : log);
const unitOf = (lin: boolean) => (lin ? (x: number) => x : Math.log);

// rangeOf spans all machines, but for the slowest requests, which would leave no room for all others.
function rangeOf(all: Latency[], lin: boolean): Range {
  const list = all.flatMap((l) => l.variants).filter((d) => d.total > 0),
    hs = list.map((d) => d.histogram),
    first = hs.flatMap((h) => h.values.find((v) => v > 0) ?? []),
    top = topOf(list);
  const lo = (first.length ? Math.min(...first) : 1e-3) * 0.95,
    last = top > 0.5 ? 1 - (1 - top) / (lin ? 1 : 10) : 1;
  const hi = Math.max(Math.max(...hs.map((h) => quantile(h, last))) * 1.05, lo * 1.2);
  const share = Math.max(...hs.flatMap((h) => bins(h, unitOf(lin), lo, hi, bars)));
  const ratios = all.flatMap((l) =>
    (l.shifts ?? []).flatMap((s) =>
      [s.change, s.lo ?? [], s.hi ?? []].flat().map((c) => 1 + (c ?? NaN)),
    ),
  );
  return { lo, hi, top, share, lin, few: list.some((d) => d.total < 200), ratios };
}

const timeTicks = (s: Scale) => ticksAt(s.ticks(4), (t) => tick("latency.p50", t));

// Spread is the histogram, or with few requests the distribution function.
function Spread(p: Plot) {
  const { lo, hi, lin, few } = p.range,
    x = scaleOf(lin)(lo, hi, ...across(p.width)),
    y = linear(0, few ? 1 : p.range.share * 1.05, ...upward);
  const edge = (b: number) => (lin ? lo + ((hi - lo) * b) / bars : lo * (hi / lo) ** (b / bars));
  const shares = p.list.map(({ histogram: h }) =>
    Array.from(few ? { length: bars } : bins(h, unitOf(lin), lo, hi, bars), (s, b) =>
      few ? rankAt(h, edge(b + 1)) : (s as number),
    ),
  );
  const beyond = Math.round(
      p.list.reduce((n, d) => n + d.total * (1 - rankAt(d.histogram, hi)), 0),
    ),
    total = p.list.reduce((n, d) => n + d.total, 0);
  const outline = (_: Distribution, i: number) =>
    poly(
      2 * bars + 2,
      (j) => x(edge(Math.min(bars, j >> 1))),
      (j) => y(shares[i]![(j - 1) >> 1] ?? (few && j ? shares[i]!.at(-1)! : 0)),
    );
  return (
    <Chart
      width={p.width}
      what={few ? "Share of requests up to a latency" : "Share of requests by latency"}
      desc={p.list
        .map((d) => `${d.variant}: ${d.total} requests, median ${time(quantile(d.histogram, 0.5))}`)
        .join("; ")}
      columns={byVariant(
        few ? "up to" : "from",
        (b) => time(edge(few ? b + 1 : b)),
        p.list,
        (_, b, i) => percent(shares[i]![b]!),
      )}
      rows={[...Array(bars).keys()]}
      x={{ scale: x, ticks: timeTicks(x), label: "latency" }}
      y={{ scale: y, ticks: ticksAt(y.ticks(4), percent) }}
      where={(b) => x(edge(b + 0.5))}
      tell={(b) => (
        <>
          {few ? "up to" : time(edge(b)) + " to"} {time(edge(b + 1))}:{" "}
          <Values p={p} of={(_, i) => percent(shares[i]![b]!)} />
        </>
      )}
      idle={`${int(total)} requests in ${p.list.reduce((n, d) => n + d.runs, 0)} runs${beyond > 0 ? `; the slowest ${beyond} are beyond ${time(hi)}` : ""}`}
    >
      {paths(p, outline)}
    </Chart>
  );
}

// paths draws one line a variant: the base and the one in focus last, above the others.
function paths(p: Plot, path: (d: Distribution, i: number) => string) {
  const order = p.list
    .map((_, i) => i)
    .sort((a, b) => Number(p.looks[b] === "rest") - Number(p.looks[a] === "rest"));
  return order.map((i) => <path class={"line " + p.looks[i]} d={path(p.list[i]!, i)} />);
}

function Values({ p, of }: { p: Plot; of: (d: Distribution, i: number) => string }) {
  return (
    <>
      {p.list.map(
        (d, i) =>
          p.looks[i] !== "rest" && (
            <span class={p.looks[i]}>
              {signOf(p.looks[i]!)} <b>{of(d, i)}</b>{" "}
            </span>
          ),
      )}
    </>
  );
}

const byVariant = (
  head: string,
  text: (x: number) => string,
  list: Distribution[],
  of: (d: Distribution, x: number, i: number) => string,
): Column<number>[] => [
  { head, text },
  ...list.map((d, i) => ({ head: d.variant, num: true, text: (x: number) => of(d, x, i) })),
];

// The axis of quantiles is 1/(1-p) on a logarithm, as HdrHistogram draws it: each nine has as much room.
const ranks = [0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9999, 0.99999, 0.999999];
const nines = (p: number): number => 1 / (1 - p);
const rankTicks = (top: number) =>
  ticksAt(
    ranks
      .filter(
        (p) => p <= top + 1e-9 && (top < 0.9 || (!/[257]/.test(String(p).slice(3)) && p !== 0.25)),
      )
      .map(nines),
    (x) => Number((100 - 100 / x).toFixed(4)) + " %",
  );

function Quantiles(p: Plot) {
  const { top, lin, lo } = p.range,
    x = log(1, nines(top), ...across(p.width)),
    y = scaleOf(lin)(
      lin ? 0 : lo,
      Math.max(...p.list.map((d) => quantile(d.histogram, top))) * 1.03,
      ...upward,
    );
  const rows = ranks.filter((r) => r > 0 && r <= top + 1e-9),
    at = (d: Distribution, r: number) => time(quantile(d.histogram, r));
  const line = (d: Distribution) => {
    const h = d.histogram,
      c = [
        { p: 0, v: h.values[0]! },
        ...curve(h).filter((c) => c.p <= top),
        { p: top, v: quantile(h, top) },
      ];
    return poly(
      c.length,
      (i) => x(nines(c[i]!.p)),
      (i) => y(c[i]!.v),
    );
  };
  const fine = Array.from({ length: 100 }, (_, i) => 1 - (1 - top) ** (i / 99));
  return (
    <Chart
      width={p.width}
      what="Latency by quantile"
      desc={p.list
        .map((d) => `${d.variant}: ${rows.map((r) => percentile(r) + " " + at(d, r)).join(", ")}`)
        .join("; ")}
      columns={byVariant("quantile", percentile, p.list, at)}
      rows={rows}
      x={{ scale: x, ticks: rankTicks(top), label: "quantile" }}
      y={{ scale: y, ticks: timeTicks(y) }}
      n={100}
      where={(i) => x(nines(fine[i]!))}
      tell={(i) => (
        <>
          {percentile(Number(fine[i]!.toFixed(fine[i]! > 0.99 ? 4 : 3)))}:{" "}
          <Values p={p} of={(d) => at(d, fine[i]!)} />
        </>
      )}
      idle={`up to ${percentile(Math.floor(1000 * top) / 1000)}: beyond it lie fewer than ${minBeyond} requests of a run`}
    >
      {paths(p, line)}
    </Chart>
  );
}

function Shifts(p: Plot & { shifts: Shift[]; focus: string }) {
  const s = p.shifts.find((s) => s.variant === p.focus) ?? p.shifts[0]!,
    x = log(1, nines(Math.max(...p.shifts.map((s) => s.p.at(-1)!))), ...across(p.width));
  const y = relative(p.range.ratios, spanOfNoise(p.result), ...upward),
    least = p.result.rule.min_effect;
  const px = (i: number) => x(nines(s.p[i]!)),
    text = (o: Shift, i: number) => (i < 0 ? "" : shiftAt(o, i));
  return (
    <Chart
      width={p.width}
      what={"Change by quantile, vs " + p.result.base}
      desc={p.shifts.map((s) => `${s.variant}: ${s.text ?? ""}`).join("; ")}
      columns={[
        { head: "quantile", text: percentile },
        ...p.shifts.map((o): Column<number> => ({
          head: o.variant,
          text: (r) => text(o, o.p.indexOf(r)),
        })),
      ]}
      rows={s.p}
      x={{ scale: x, ticks: rankTicks(s.p.at(-1)!), label: "quantile" }}
      y={{ scale: y, ticks: ratioTicks(y) }}
      where={px}
      tell={(i) => (
        <>
          {percentile(s.p[i]!)}:{" "}
          <span class={lookOf(p, s)}>
            {signOf(lookOf(p, s))} <b>{shiftAt(s, i)}</b>
          </span>
        </>
      )}
      idle={
        <>
          {s.lo
            ? `band: all quantiles of ${s.variant} at once, ${Math.round(100 * s.confidence)} %; `
            : ""}
          shaded: ±{percents(least)}, the minimum effect
        </>
      }
    >
      <Reach class="zone" width={p.width} from={y(1 - least)} to={y(1 + least)} />
      <path class="one" d={level(p.width, y(1))} />
      {s.lo && s.hi && (
        <path
          class={"area " + lookOf(p, s)}
          d={band(
            s.p.length,
            px,
            (i) => y(1 + s.lo![i]!),
            (i) => y(1 + s.hi![i]!),
          )}
        />
      )}
      {p.shifts.map((o) => (
        <path
          class={`line ${lookOf(p, o)} ${o === s ? "" : "thin"}`}
          d={poly(
            o.p.length,
            (i) => x(nines(o.p[i]!)),
            (i) => y(1 + (o.change[i] ?? NaN)),
          )}
        />
      ))}
    </Chart>
  );
}

const lookOf = (p: { list: Distribution[]; looks: string[] }, s: Shift): string =>
  p.looks[p.list.findIndex((d) => d.variant === s.variant)] ?? "rest";

function shiftAt(s: Shift, i: number): string {
  const c = s.change[i] ?? NaN,
    v = { lo: s.lo?.[i] ?? NaN, hi: s.hi?.[i] ?? NaN };
  return v.lo <= v.hi ? change(c, halfOf(v)) + " " + interval(v) : change(c, 0.01);
}

// Service is one benchmark on one machine: three charts, what the record finds in them, and the table.
function Service(p: { result: Result; latency: Latency; range: Range; focus: string }) {
  const { result, latency: l, range, focus } = p;
  const list = l.variants.filter((d) => d.total > 0),
    names = list.map((d) => d.variant),
    looks = looksOf(names, focus);
  const plot = { looks, list, range, result },
    shifts = (l.shifts ?? []).filter((s) => s.p.length > 0);
  return (
    <>
      {list.length ? (
        <Legend names={names} looks={looks} />
      ) : (
        <p class="muted">No requests were recorded.</p>
      )}
      <div class="charts">
        {list.length > 0 && <Sized>{(width) => <Spread {...plot} width={width} />}</Sized>}
        {list.length > 0 && range.top > 0.5 && (
          <Sized>{(width) => <Quantiles {...plot} width={width} />}</Sized>
        )}
        {shifts.length > 0 && (
          <Sized>
            {(width) => <Shifts {...plot} shifts={shifts} focus={focus} width={width} />}
          </Sized>
        )}
      </div>
      {shifts.map(
        (s) =>
          s.text && (
            <p class="finding">
              <span class={lookOf(plot, s)}>
                {signOf(lookOf(plot, s))} <bdi>{s.variant}</bdi>
              </span>{" "}
              {s.text}
            </p>
          ),
      )}
      <Measured
        result={result}
        of="of the service"
        benchmark={key(l.benchmark)}
        wanted={ofService}
        focus={focus}
        refused={l.refused}
      />
    </>
  );
}

const ofService = (metric: string): boolean => group(metric) === "service";
const find = (m: Machine, name: string): Latency | undefined =>
  m.result.latencies?.find((l) => key(l.benchmark) === name);

function View({ page, state }: SectionProps) {
  const machines = shown(page, state);
  return (
    <Each
      names={machines.flatMap((m) => (m.result.latencies ?? []).map((l) => key(l.benchmark)))}
      open={state.b}
      machines={machines}
      none="No latencies were recorded on this machine."
    >
      {(name) => {
        const range = rangeOf(
          machines.flatMap((m) => find(m, name) ?? []),
          state.s === "lin",
        );
        return (m) => {
          const l = find(m, name);
          return l ? (
            <Service result={m.result} latency={l} range={range} focus={focus(m.result, state)} />
          ) : (
            <p class="muted">not measured here</p>
          );
        };
      }}
    </Each>
  );
}

export const section: Section = {
  id: "latency",
  title: "Latency",
  follows: ["s", "p", "cmp", "b"],
  shown: (page) => page.machines.some((m) => m.result.latencies?.length),
  View,
};

// Where the time went: the parts of a difference one below the other, each beginning where the last ended, so that one sees them add up.
import { count, int } from "../format";
import { useState } from "preact/hooks";
import type { CPUChange, Explanation, Part, Result } from "../types";
import { Frame, linear, useWidth, type Scale } from "../chart";
import { spanOfNoise } from "../data";
import { Choice, Figure } from "../ui";
import {
  col,
  cut,
  fileLine,
  fn,
  join,
  names,
  num,
  perOp,
  points,
  sane,
  sides,
  span,
} from "../points";

const most = 12,
  others = "others";

interface Bar {
  name: string;
  part: Part;
  from: number;
  whole?: boolean;
}

const ways: [
  keyof CPUChange & ("functions" | "categories" | "owners" | "packages" | "lines"),
  string,
][] = [
  ["functions", "function"],
  ["categories", "kind of work"],
  ["owners", "who asked"],
  ["packages", "package"],
  ["lines", "line"],
];

export function Time({ e, r, id }: { e: Explanation; r: Result; id: string }) {
  const cpu = e.cpu!,
    there = ways.filter(([k]) => cpu[k]?.length),
    [way, setWay] = useState(there[0]?.[0] ?? "functions");
  const bars = barsOf(cpu, way),
    value = perOp(e),
    side = names(e);
  const columns = [
    col("time", (b: Bar) => b.name),
    ...sides(e, (b: Bar, k) => value(b.part[k])),
    num("points", (b: Bar) => points(b.part)),
    num("interval", (b: Bar) => span(b.part.interval)),
  ];
  return (
    <>
      {there.length > 1 && (
        <Choice
          name={"parts-" + id}
          label="by"
          options={there.map(([value, text]) => ({ value, text }))}
          value={way}
          onChange={(v) => setWay(v as typeof way)}
        />
      )}
      <Figure
        name="where the time went"
        columns={columns}
        rows={bars}
        caption={
          <>
            where the time of an operation went, in points: 1 % of the time of{" "}
            <bdi>{side.base}</bdi> each
          </>
        }
      >
        <Waterfall e={e} bars={bars} least={Math.expm1(spanOfNoise(r))} />
      </Figure>
      <p class="muted">
        {count(cpu.blocks, "pair")} of CPU profiles: {int(cpu.base_samples)} samples of{" "}
        <bdi>{side.base}</bdi>, {int(cpu.variant_samples)} of <bdi>{side.variant}</bdi>
        {cpu.n > 0 && "; " + count(cpu.n, "operation") + " a trial"}
      </p>
    </>
  );
}

// barsOf lists the parts, those beyond most summed up, and closes the sum; lines do not add up to anything.
function barsOf(cpu: CPUChange, way: (typeof ways)[number][0]): Bar[] {
  const list = cpu[way] ?? [],
    lines = way === "lines",
    rows = list.filter((p) => p.name !== others),
    rest = rows.slice(most).concat(list.filter((p) => p.name === others));
  const out: Bar[] = [];
  let at = 0;
  const add = (name: string, part: Part) => {
    out.push({ name, part, from: lines ? 0 : at });
    if (sane(part.change)) at += part.change;
  };
  for (const p of rows.slice(0, most))
    add(lines ? join(" ", fileLine(p.file, p.line), fn(p.name)) : fn(p.name), p);
  if (lines) return out;
  if (rest.length) add(others, rest.length === 1 ? rest[0]! : sum(rest));
  add(cpu.not_seen.name || "not seen by the profile", cpu.not_seen);
  out.push({ name: "measured difference", part: cpu.difference, from: 0, whole: true });
  return out;
}

// sum has no interval: the parts hang together.
function sum(list: Part[]): Part {
  const of = (k: "base" | "variant" | "change") => list.reduce((s, p) => s + (p[k] ?? 0), 0);
  return { name: others, base: of("base"), variant: of("variant"), change: of("change") };
}

function domain(bars: Bar[], least: number): [number, number] {
  let lo = -least,
    hi = least;
  for (const { part: p, from } of bars)
    for (const x of [p.change, p.interval?.lo, p.interval?.hi])
      if (sane(x)) {
        lo = Math.min(lo, from + x);
        hi = Math.max(hi, from + x);
      }
  const room = 0.03 * (hi - lo);
  return [lo - room, hi + room];
}

// Waterfall writes names left of the bars and figures right of them, or both above where there is no room.
function Waterfall({ e, bars, least }: { e: Explanation; bars: Bar[]; least: number }) {
  const [ref, width] = useWidth<HTMLDivElement>(),
    value = perOp(e),
    side = names(e);
  const narrow = width < 640,
    values = width > 900,
    row = narrow ? 38 : 24,
    top = values ? 20 : 6;
  const left = narrow ? 4 : Math.min(300, 0.32 * width),
    figures = narrow ? 8 : values ? 350 : 180;
  const margin = { top, right: figures, bottom: 34, left },
    height = top + row * bars.length + 34;
  const [lo, hi] = domain(bars, least),
    x = linear(lo, hi, left, width - figures);
  const y = (i: number) => top + row * i + (narrow ? 22 : 5),
    base = (i: number) => top + row * i + 16;
  const paths = pathsOf(bars, x, y, !narrow);
  const end = width - 4;
  return (
    <div ref={ref}>
      <Frame
        class="why-parts"
        width={width}
        height={height}
        margin={margin}
        title={"Where the time of an operation went, " + e.variant + " against " + e.base}
        desc={finding(bars)}
        x={{
          scale: x,
          ticks: x.ticks(narrow ? 4 : 6).map((at) => ({
            at,
            text: (at > 0 ? "+" : at < 0 ? "−" : "") + Number(Math.abs(100 * at).toPrecision(6)),
          })),
          label: "points",
        }}
      >
        <path class="zero" d={`M${x(0)} ${top}V${height - 34}`} />
        {paths.bars.map(([kind, d]) => (
          <path class={kind} d={d} />
        ))}
        <path class="joint" d={paths.joint} />
        {values && (
          <g class="axis">
            <text x={width - 265} y={12} text-anchor="end">
              {cut(side.base, 12)}
            </text>
            <text x={width - 185} y={12} text-anchor="end">
              {cut(side.variant, 12)}
            </text>
          </g>
        )}
        {bars.map((b, i) => (
          <g class={b.whole ? "strong" : ""}>
            <text class="name" x={4} y={base(i)}>
              {cut(b.name, ((narrow ? width - 170 : left) - 12) / 7.3)}
              <title>{b.name}</title>
            </text>
            {values && (
              <>
                <text x={width - 265} y={base(i)} text-anchor="end">
                  {value(b.part.base)}
                </text>
                <text x={width - 185} y={base(i)} text-anchor="end">
                  {value(b.part.variant)}
                </text>
              </>
            )}
            <text x={end - 115} y={base(i)} text-anchor="end">
              {points(b.part)}
            </text>
            <text class="tick" x={end} y={base(i)} text-anchor="end">
              {span(b.part.interval)}
            </text>
          </g>
        ))}
      </Frame>
    </div>
  );
}

// finding tells the largest part and the whole.
function finding(bars: Bar[]): string {
  const size = (b: Bar) => (sane(b.part.change) ? Math.abs(b.part.change) : 0),
    [first] = bars.filter((b) => !b.whole).sort((a, b) => size(b) - size(a)),
    whole = bars.find((b) => b.whole);
  return (
    (first ? `The largest part is ${first.name}, ${points(first.part)} points` : "No parts") +
    (whole ? `; the measured difference is ${points(whole.part)}.` : ".")
  );
}

// pathsOf has a path a bar, of which there are few: sure and less, sure and more, or not sure; and one of all intervals and joints.
function pathsOf(list: Bar[], x: Scale, y: (i: number) => number, joints: boolean) {
  const bars: [string, string][] = [],
    px = (v: number) => Math.round(10 * x(v)) / 10;
  let joint = "";
  list.forEach(({ part: p, from, whole }, i) => {
    if (!sane(p.change)) return;
    const i95 = span(p.interval) ? p.interval! : undefined,
      to = from + p.change;
    const a = px(Math.min(from, to)),
      w = Math.max(1, px(Math.max(from, to)) - a);
    bars.push([
      i95 && i95.lo <= 0 && i95.hi >= 0 ? "unsure" : p.change < 0 ? "less" : "more",
      `M${a} ${y(i)}h${w}v12h${-w}Z`,
    ]);
    if (i95) joint += `M${px(from + i95.lo)} ${y(i) + 3}v6m0-3H${px(from + i95.hi)}m0-3v6`;
    if (joints && !whole && i + 1 < list.length) joint += `M${px(to)} ${y(i) + 12}V${y(i + 1)}`;
  });
  return { bars, joint };
}

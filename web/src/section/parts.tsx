// Where the time went: the parts of a difference one below the other, each beginning where the last ended, so that one sees them add up.
import { useState } from "preact/hooks";
import type { BarWords as Bar, Explanation, WhyWords } from "../../page";
import { Frame, linear, useWidth, type Scale } from "../chart";
import { Choice, Figure } from "../ui";
import { col, cut, num, sane, sides } from "../points";

// A Placed bar begins where the one above it ends; lines of code do not add up to anything.
interface Placed extends Bar {
  from: number;
  whole: boolean;
}

export function Time(p: { e: Explanation; w: WhyWords; least: number; id: string }) {
  const { e, w, least, id } = p;
  const ways = w.ways!,
    [way, setWay] = useState(ways[0]!.name),
    lines = way === "line";
  let at = 0;
  const list = ways.find((x) => x.name === way)!.bars,
    bars = list.map((b, i): Placed => {
      const whole = !lines && i === list.length - 1,
        from = lines || whole ? 0 : at;
      if (sane(b.change)) at += b.change;
      return { ...b, from, whole };
    });
  const columns = [
    col("time", (b: Bar) => b.name),
    ...sides(w.sides, (b: Bar, k) => b[k]),
    num("points", (b: Bar) => b.points),
    num("interval", (b: Bar) => b.span ?? ""),
  ];
  return (
    <>
      {ways.length > 1 && (
        <Choice
          name={"parts-" + id}
          label="by"
          options={ways.map(({ name }) => ({ value: name, text: name }))}
          value={way}
          onChange={setWay}
        />
      )}
      <Figure
        name="where the time went"
        columns={columns}
        rows={bars}
        caption={
          <>
            where the time of an operation went, in points: 1 % of the time of{" "}
            <bdi>{w.sides[0]}</bdi> each
          </>
        }
      >
        <Waterfall e={e} sides={w.sides} bars={bars} least={least} />
      </Figure>
      <p class="muted">
        <bdi>{w.seen}</bdi>
      </p>
    </>
  );
}

function domain(bars: Placed[], least: number): [number, number] {
  let lo = -least,
    hi = least;
  for (const { change, interval, from } of bars)
    for (const x of [change, interval?.lo, interval?.hi])
      if (sane(x)) {
        lo = Math.min(lo, from + x);
        hi = Math.max(hi, from + x);
      }
  const room = 0.03 * (hi - lo);
  return [lo - room, hi + room];
}

// Waterfall writes names left of the bars and figures right of them, or both above where there is no room.
function Waterfall(p: { e: Explanation; sides: [string, string]; bars: Placed[]; least: number }) {
  const {
    e,
    sides: [one, two],
    bars,
    least,
  } = p;
  const [ref, width] = useWidth<HTMLDivElement>();
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
              {cut(one, 12)}
            </text>
            <text x={width - 185} y={12} text-anchor="end">
              {cut(two, 12)}
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
                  {b.base}
                </text>
                <text x={width - 185} y={base(i)} text-anchor="end">
                  {b.variant}
                </text>
              </>
            )}
            <text x={end - 115} y={base(i)} text-anchor="end">
              {b.points}
            </text>
            <text class="tick" x={end} y={base(i)} text-anchor="end">
              {b.span}
            </text>
          </g>
        ))}
      </Frame>
    </div>
  );
}

// finding tells the largest part and the whole.
function finding(bars: Placed[]): string {
  const size = (b: Bar) => (sane(b.change) ? Math.abs(b.change) : 0),
    [first] = bars.filter((b) => !b.whole).sort((a, b) => size(b) - size(a)),
    whole = bars.find((b) => b.whole);
  return (
    (first ? `The largest part is ${first.name}, ${first.points} points` : "No parts") +
    (whole ? `; the measured difference is ${whole.points}.` : ".")
  );
}

// pathsOf has a path a bar, of which there are few: sure and less, sure and more, or not sure; and one of all intervals and joints.
function pathsOf(list: Placed[], x: Scale, y: (i: number) => number, joints: boolean) {
  const bars: [string, string][] = [],
    px = (v: number) => Math.round(10 * x(v)) / 10;
  let joint = "";
  list.forEach(({ change, interval: i95, from, whole }, i) => {
    if (!sane(change)) return;
    const to = from + change;
    const a = px(Math.min(from, to)),
      w = Math.max(1, px(Math.max(from, to)) - a);
    bars.push([
      i95 && i95.lo <= 0 && i95.hi >= 0 ? "unsure" : change < 0 ? "less" : "more",
      `M${a} ${y(i)}h${w}v12h${-w}Z`,
    ]);
    if (i95) joint += `M${px(from + i95.lo)} ${y(i) + 3}v6m0-3H${px(from + i95.hi)}m0-3v6`;
    if (joints && !whole && i + 1 < list.length) joint += `M${px(to)} ${y(i) + 12}V${y(i + 1)}`;
  });
  return { bars, joint };
}

// All benchmarks by all variants at a glance: a sign and a number in each cell, tinted by how much.
import { useMemo } from "preact/hooks";
import type { Page } from "../data";
import { focus, key, metric, others, shown, table, whole, wordsOf } from "../data";
import { based, baseOf, Columns, Name, narrow, Pad, px, Sides, told, uncertainty } from "../forest";
import { bad, good, int, label, mark, word } from "../format";
import { cut } from "../points";
import type { Section, SectionProps, Set } from "../section";
import type { State } from "../state";
import { Wide, type Column } from "../table";
import type { Comparison, Metric, Result, Row, Table, VariantResult } from "../../page";
import { Figure } from "../ui";
import { printed, usePrinting, useVirtual } from "../virtual";
import "./matrix.css";

// few rows are drawn whole; of more, those in sight.
const few = 200,
  high = 26;

function View({ page, state, set }: SectionProps) {
  const m = metric(page, state),
    machines = shown(page, state);
  if (!m) return null;
  return (
    <Sides
      machines={machines}
      least={Math.max(
        ...machines.map((x) => 320 + others(x.result).length * widthOf(others(x.result))),
      )}
    >
      {(x, width) => {
        const t = table(x.result, m.name),
          variants = others(x.result);
        if (!t || !t.rows.length) return <p class="muted">{label(m.name)} was not measured here</p>;
        return (
          <Figure
            name={"matrix of " + x.name}
            columns={columns(x.result, t, variants)}
            rows={t.rows}
            caption={
              <>
                {label(m.name)},{" "}
                {state.v === "value" ? (
                  "values"
                ) : (
                  <>
                    {state.v} against {based(x.result.base)}
                  </>
                )}
              </>
            }
          >
            <Matrix
              name={
                machines.length > 1
                  ? "benchmarks by variants on " + x.name
                  : "benchmarks by variants"
              }
              r={x.result}
              t={t}
              variants={variants}
              state={state}
              set={set}
              width={width}
            />
            <Legend />
          </Figure>
        );
      }}
    </Sides>
  );
}

function columns(r: Result, t: Table, variants: VariantResult[]): Column<Row>[] {
  const tell = (row: Row, name: string) => {
    const c = row.cells.find((c) => c.variant === name);
    return c
      ? `${mark(c)} ${told(c, t.metric, "change").main}`
      : r.variants.find((v) => v.name === name)?.same_as
        ? "≡"
        : "";
  };
  return [
    {
      head: "benchmark",
      text: (row) => key(row.benchmark),
      show: (row) => <bdi>{cut(key(row.benchmark), 60)}</bdi>,
    },
    { head: r.base, text: (row) => baseOf(row, t.metric), num: true },
    ...variants.map((v): Column<Row> => ({
      head: v.name,
      text: (row) => tell(row, v.name),
      num: true,
    })),
  ];
}

// A Grid is what all rows of the table have in common.
interface Grid {
  r: Result;
  t: Table;
  variants: VariantResult[];
  state: State;
  set: Set;
}

function Matrix(p: Grid & { name: string; width: number }) {
  const { r, t, variants, state, set, width } = p;
  const print = usePrinting(),
    n = t.rows.length,
    v = useVirtual<HTMLDivElement>(
      print ? Math.min(n, printed) : n,
      high,
      { at: -1, height: 0 },
      n <= few || print,
    );
  const cell = widthOf(variants),
    name = width < narrow ? Math.min(130, 0.36 * width) : 220,
    base = width < narrow ? 0 : 86,
    at = focus(r, state);
  const packages = useMemo(() => new Set(t.rows.map((x) => x.benchmark.package)).size > 1, [t]);
  const total = name + base + cell * variants.length,
    zoom = print && total > width ? width / total : 1;
  return (
    <>
      <Wide box={v.box} class="matrix-box" name={p.name}>
        <table class="matrix" aria-rowcount={n + 1} style={{ zoom: String(zoom) }}>
          <Columns w={{ name, base, glyph: 0, change: 0, side: 0, verdict: 0, note: 0 }} />
          <colgroup>
            {variants.map(() => (
              <col style={{ width: px(cell) }} />
            ))}
          </colgroup>
          <thead>
            <tr>
              <th scope="col" class="name">
                benchmark
              </th>
              {base > 0 && (
                <th scope="col" class="num">
                  <bdi>{cut(r.base, 36)}</bdi>
                </th>
              )}
              {variants.map((x) => (
                <th scope="col" class={x.name === at ? "on" : ""}>
                  <button
                    type="button"
                    class="row"
                    title={x.name}
                    aria-pressed={x.name === at}
                    onClick={() => set({ cmp: x.name })}
                  >
                    <bdi>
                      {wordsIn(x.name).map((w) => (
                        <>
                          {w}
                          <wbr />
                        </>
                      ))}
                    </bdi>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Pad height={v.before} columns={2 + variants.length} />
            {t.rows.slice(v.from, v.to).map((row, i) => (
              <Line
                {...p}
                key={key(row.benchmark)}
                i={v.from + i}
                row={row}
                room={name}
                base={base > 0}
                full={packages}
              />
            ))}
            <Pad height={v.after} columns={2 + variants.length} />
            {!!t.geomean?.length && (
              <tr class="geomean" style={{ height: px(high) }}>
                <th scope="row" class="name" title={wordsOf(r).suite[t.metric.name]}>
                  geomean of {t.common ?? t.rows.length}
                </th>
                {base > 0 && <td />}
                {variants.map((x) => (
                  <Cell
                    c={whole(t, x.name)}
                    v={x}
                    m={t.metric}
                    view={state.v}
                    rel={0.01}
                    press={() => set({ cmp: x.name })}
                  />
                ))}
              </tr>
            )}
          </tbody>
        </table>
      </Wide>
      {print && n > printed && <p class="muted">… {int(n - printed)} more in the data file</p>}
    </>
  );
}

// widthOf is the width of the columns of variants: the longest word of their names fits.
const widthOf = (variants: VariantResult[]): number =>
  Math.max(
    84,
    ...variants.map((x) =>
      Math.min(220, 16 + 7.6 * Math.max(...wordsIn(x.name).map((w) => w.trimEnd().length))),
    ),
  );

// wordsIn are the parts of a name between which a heading may be broken.
const wordsIn = (name: string): string[] =>
  cut(name, 60)
    .match(/[^\s/,=+_-]*[\s/,=+_-]*/g)!
    .filter(Boolean);

function Line(p: Grid & { i: number; row: Row; room: number; base: boolean; full: boolean }) {
  const { row, t, set } = p,
    view = p.state.v;
  const k = key(row.benchmark),
    rel = view === "value" ? uncertainty(row.cells) : 0,
    by = new Map(row.cells.map((c) => [c.variant, c]));
  return (
    <tr style={{ height: px(high) }} aria-rowindex={p.i + 2}>
      <th scope="row" class="name">
        <button type="button" class="row" title={k} onClick={() => set({ b: k }, true)}>
          <Name text={p.full ? short(row) : row.benchmark.name} width={p.room} />
        </button>
      </th>
      {p.base && <td>{baseOf(row, t.metric)}</td>}
      {p.variants.map((v) => (
        <Cell
          c={by.get(v.name)}
          v={v}
          m={t.metric}
          view={view}
          rel={rel}
          press={() => set({ cmp: v.name, b: k }, true)}
        />
      ))}
    </tr>
  );
}

// short is a benchmark with the last element of its package, where there are several.
const short = (row: Row): string =>
  [row.benchmark.package?.split("/").at(-1), row.benchmark.name].filter(Boolean).join(".");

function Cell(p: {
  c?: Comparison;
  v: VariantResult;
  m: Metric;
  view: State["v"];
  rel: number;
  press: () => void;
}) {
  const { c, v, press } = p;
  if (!c)
    return (
      <td
        class="plain"
        onClick={press}
        title={v.same_as ? "same code as " + v.same_as.as : "not measured"}
      >
        {v.same_as ? "≡" : "–"}
      </td>
    );
  const t = told(c, p.m, p.view, p.rel),
    text = t.main.replace(" %", "");
  const title = `${v.name}: ${t.main} ${t.side} ${word(c)}`;
  return (
    <td class={tint(c)} title={title} onClick={press}>
      {c.verdict === "same" && p.view !== "value" ? "=" : `${mark(c)} ${text}`}
    </td>
  );
}

// tint is the class of a cell: which way is the verdict's, how dark is how much.
function tint(c: Comparison): string {
  if (c.verdict === "unclear") return "unclear";
  const by = Math.abs(c.change),
    step = by < 0.05 ? 1 : by < 0.2 ? 2 : 3;
  return good(c.verdict) ? "b" + step : bad(c.verdict) ? "w" + step : "plain";
}

const Legend = () => (
  <p class="muted small matrix-legend">
    <span>
      {["b3", "b2", "b1"].map((c, i) => (
        <span class={"legend-cell " + c}>{["> 20 %", "5–20 %", "< 5 %"][i]}</span>
      ))}{" "}
      better
    </span>
    <span>
      {["w1", "w2", "w3"].map((c, i) => (
        <span class={"legend-cell " + c}>{["< 5 %", "5–20 %", "> 20 %"][i]}</span>
      ))}{" "}
      worse
    </span>
    <span>
      <span class="legend-cell unclear">?</span> unclear
    </span>
    <span>= same</span>
    <span>≡ same code as another</span>
    <span>▼ ▲ where the value went, in percent</span>
  </p>
);

const wide = (page: Page): boolean =>
  page.machines.some(
    (m) => others(m.result).length > 1 && m.result.tables.some((t) => t.rows.length > 1),
  );

export const section: Section = {
  id: "matrix",
  title: "Benchmark × variant",
  follows: ["m", "v", "p", "cmp"],
  shown: wide,
  View,
};

// What the sections on services and the collector share: a part for each benchmark, the signs of variants,
// and the table of all that was measured of one.
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Quiet } from "./button";
import type { Machine, Result, Row, Table } from "../page";
import { cell, key } from "./data";
import { series, shapes } from "./chart";
import { Sides, uncertainty } from "./forest";
import { label, mark, none, note, place, said, tone, value, word } from "./format";
import { minBeyond } from "./quantile";
import { DataTable, type Column } from "./table";

// Each shows the first of many benchmarks, the one that is open before all others, and a button for more.
export function Each(p: {
  names: Iterable<string>;
  open: string;
  machines: readonly Machine[];
  none: string;
  children: (name: string) => (m: Machine) => ComponentChildren;
}) {
  const { names, open, machines, none, children } = p;
  const [most, setMost] = useState(4),
    all = [...new Set(names)],
    rest = all.length - most;
  if (all.includes(open)) all.unshift(...all.splice(all.indexOf(open), 1));
  return (
    <div class="measured">
      {!all.length && <p class="muted">{none}</p>}
      {all.slice(0, most).map((name) => (
        <>
          <h3>
            <bdi>{name}</bdi>
          </h3>
          <Sides machines={machines}>{children(name)}</Sides>
        </>
      ))}
      {rest > 0 && (
        <p>
          <Quiet onClick={() => setMost(most + 10)}>
            show {Math.min(10, rest)} more of {all.length} benchmarks
          </Quiet>
        </p>
      )}
    </div>
  );
}

// looksOf are the signs of variants, the base first: a series each, or with more than four one for
// the base and the variant in focus, and the rest grey.
export const looksOf = (names: string[], focus: string): string[] =>
  names.map((n, i) =>
    names.length <= 4 ? series(i) : i === 0 ? series(0) : n === focus ? series(1) : "rest",
  );

const signs: Record<string, string> = Object.fromEntries(shapes.map((s, i) => [series(i), s]));
export const signOf = (look: string): "●" | "■" | "▲" | "◆" => (signs[look] ?? "●") as "●";

export function Legend({ names, looks }: { names: string[]; looks: string[] }) {
  const rest = looks.filter((l) => l === "rest").length;
  return (
    <p class="signs">
      {names.map(
        (n, i) =>
          looks[i] !== "rest" && (
            <span class={looks[i]}>
              {signOf(looks[i]!)} <bdi>{n}</bdi>
            </span>
          ),
      )}
      {rest > 0 && <span class="rest">● {rest} other variants</span>}
    </p>
  );
}

interface Line {
  name: string;
  why?: string;
  table?: Table;
  row?: Row;
}

// Measured is the table of a benchmark's metrics, as the record has them: the base's value, then each variant
// with its change, interval and verdict. With many variants it has the one in focus only.
export function Measured(p: {
  result: Result;
  of: string;
  benchmark: string;
  wanted: (metric: string) => boolean;
  focus: string;
  refused?: { metric: string; seen: number }[];
}) {
  const { result: r, of, benchmark, wanted, focus, refused } = p;
  const lines = useMemo(
    () => linesOf(r, benchmark, wanted, refused ?? []),
    [r, benchmark, refused],
  );
  const names = r.variants
    .map((v) => v.name)
    .filter((v) => v !== r.base && lines.some((l) => l.row && cell(l.row, v)));
  const told = names.length > 5 ? [focus] : names,
    some = columns(r.base, told),
    same = lines.filter((l) => unchanged(l, told)),
    rest = same.length > 1 ? lines.filter((l) => !same.includes(l)) : lines;
  return (
    <>
      {rest.length > 0 && (
        <DataTable name={`measured ${of}: ${benchmark}`} rows={rest} columns={some} />
      )}
      {same.length > 1 && (
        <details>
          <summary>
            {same.length} metrics are exactly the same:{" "}
            <span class="muted">{same.map((l) => label(l.name)).join(", ")}</span>
          </summary>
          <DataTable name={`unchanged ${of}: ${benchmark}`} rows={same} columns={some} />
        </details>
      )}
    </>
  );
}

// unchanged is a line of which all variants have exactly the base's value.
const unchanged = (l: Line, names: string[]): boolean =>
  names.length > 0 &&
  names.every((v) => {
    const c = l.row && cell(l.row, v);
    return !!c?.exact && c.verdict === "same" && c.change === 0;
  });

// linesOf looks through all rows of all tables once.
function linesOf(
  r: Result,
  benchmark: string,
  wanted: (metric: string) => boolean,
  refused: { metric: string; seen: number }[],
): Line[] {
  const lines: Line[] = [];
  for (const t of r.tables) {
    const row = wanted(t.metric.name)
      ? t.rows.find((x) => key(x.benchmark) === benchmark)
      : undefined;
    if (row?.cells.some((c) => c.n > 0)) lines.push({ name: t.metric.name, table: t, row });
  }
  for (const x of refused)
    if (!lines.some((l) => l.name === x.metric))
      lines.push({
        name: x.metric,
        why: `too few: ${minBeyond} requests beyond it needed, ${x.seen} seen`,
      });
  return lines.sort((a, b) => place(a.name) - place(b.name));
}

function columns(base: string, names: string[]): Column<Line>[] {
  return [
    {
      head: "measured",
      text: (l) => label(l.name) + (l.why ? ` (${l.why})` : ""),
      show: (l) => (
        <>
          {label(l.name)}
          {l.why && <small class="muted">{l.why}</small>}
        </>
      ),
    },
    {
      head: base + " (base)",
      text: (l) => (l.row ? value(l.name, l.row.base, uncertainty(l.row.cells)) : none),
    },
    ...names.map((v): Column<Line> => ({
      head: v,
      text: (l) => told(l, v).join(" "),
      show: (l) => (
        <Told parts={told(l, v)} tone={tone((l.row && cell(l.row, v)?.verdict) || "")} />
      ),
    })),
  ];
}

// told is a cell in words: the change with its mark, interval and verdict, and the value below them. What a
// decision costs is told of what is to be decided.
function told(l: Line, variant: string): string[] {
  const c = l.row && cell(l.row, variant);
  if (!c || !l.row || !l.table) return [none];
  if (unchanged(l, [variant])) return ["= same (exact)"];
  const x = said(c),
    more = l.table.decides && note(c);
  return [
    [mark(c), x.change, x.interval, word(c)].filter(Boolean).join(" "),
    [value(l.name, c.value, uncertainty(l.row.cells)), more && "· " + more]
      .filter(Boolean)
      .join(" "),
  ];
}

function Told({ parts: [change, below], tone }: { parts: string[]; tone: string }) {
  return (
    <>
      <span class={tone}>{change}</span>
      {below && <small class="muted">{below}</small>}
    </>
  );
}

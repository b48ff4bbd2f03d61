// Tables of data: plain HTML that can be copied as Markdown or as tab-separated values.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Quiet } from "./button";
import { copy } from "./copy";
import type { CellWords, TableWords } from "../page";

// A Column says how one is told: text is what is copied, show what is seen where that is more.
export interface Column<T> {
  head: string;
  text: (row: T) => string;
  show?: (row: T) => ComponentChildren;
  num?: boolean; // right-aligned figures
  maybe?: boolean; // left out where it is empty in all rows
  class?: (row: T) => string;
}

export function DataTable<T>(p: {
  columns: Column<T>[];
  rows: readonly T[];
  name: string;
  most?: number;
}) {
  const rows = p.most ? p.rows.slice(0, p.most) : p.rows,
    columns = filled(p.columns, p.rows);
  return (
    <Copied class="table" columns={columns} rows={p.rows}>
      <Wide class="scroll" name={p.name}>
        <table>
          <thead>
            <tr>
              {columns.map((c) => (
                <th scope="col" class={c.num ? "num" : ""}>
                  <bdi>{c.head}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((r) => (
              <tr>
                {columns.map((c, i) =>
                  i === 0 ? (
                    <th scope="row" class={c.class?.(r)}>
                      {cellOf(c, r)}
                    </th>
                  ) : (
                    <td class={(c.num ? "num " : "") + (c.class?.(r) ?? "")}>{cellOf(c, r)}</td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      {rows.length < p.rows.length && (
        <p class="muted">… {p.rows.length - rows.length} more in the data</p>
      )}
    </Copied>
  );
}

// Wide is a box that scrolls sideways, with a shadow on each side where there is more (style.css).
export function Wide(p: {
  class: string;
  name: string;
  box?: { current: HTMLDivElement | null };
  children: ComponentChildren;
}) {
  const own = useRef<HTMLDivElement>(null),
    ref = p.box ?? own;
  useEffect(() => {
    const el = ref.current!;
    const look = () => {
      const { scrollLeft: at, clientWidth, scrollWidth } = el;
      el.parentElement!.dataset["more"] =
        (at > 1 ? "l" : "") + (at + clientWidth < scrollWidth - 1 ? "r" : "");
    };
    const o = new ResizeObserver(look);
    for (const x of [el, ...el.children]) o.observe(x);
    el.addEventListener("scroll", look, { passive: true });
    return () => o.disconnect();
  }, []);
  return (
    <div class="sideways">
      <div ref={ref} class={p.class} tabIndex={0} role="group" aria-label={p.name}>
        {p.children}
      </div>
    </div>
  );
}

// Told is a table whose cells the program has made.
export const Told = ({ of: t, most }: { of: TableWords; most?: number }) => (
  <DataTable
    name={t.name}
    rows={t.rows}
    most={most}
    columns={t.head.map(({ text, num }, i): Column<CellWords[]> => ({
      head: text,
      num,
      maybe: true,
      text: (row) => row[i]?.text ?? "",
      class: (row) => row[i]?.class ?? "",
      show: (row) => (
        <>
          <bdi>{row[i]?.text}</bdi>
          {row[i]?.bar && <Bar of={row[i].bar} />}
        </>
      ),
    }))}
  />
);

// Bar is a change as a length, to the left for less and to the right for more.
const Bar = ({ of }: { of: number }) => (
  <i class="bar" aria-hidden="true">
    <b
      class={of < 0 ? "less" : "more"}
      style={{ left: Math.min(50, 50 + 50 * of) + "%", width: 50 * Math.abs(of) + "%" }}
    />
  </i>
);

// filled are the columns that have something to say of any row, where they need not be.
const filled = <T,>(columns: Column<T>[], rows: readonly T[]): Column<T>[] =>
  columns.filter((c) => !c.maybe || rows.some((r) => c.text(r)));

// Copied is what can be copied as a table: by buttons below it, and by the key "c", which asks copies.
export function Copied<T>(p: {
  class: string;
  columns: Column<T>[];
  rows: readonly T[];
  lead?: ComponentChildren;
  children: ComponentChildren;
}) {
  const as = (name: string, text: typeof markdown) => (
    <Quiet onClick={() => copy(text(p.columns, p.rows))}>{name}</Quiet>
  );
  return (
    <div
      class={p.class}
      data-copy
      ref={(el) => {
        if (el) copies.set(el, () => markdown(p.columns, p.rows));
      }}
    >
      {p.children}
      <p class="copy">
        {p.lead}copy as {as("Markdown", markdown)} {as("TSV", tsv)}
      </p>
    </div>
  );
}
export const copies = new WeakMap<Element, () => string>();

// cellOf keeps the writing direction of a stranger's text to itself.
const cellOf = <T,>(c: Column<T>, r: T): ComponentChildren =>
  c.show ? c.show(r) : c.num ? c.text(r) : <bdi>{c.text(r)}</bdi>;

const oneLine = (s: string): string => s.replace(/[\r\n\t]+/g, " ");

export function markdown<T>(columns: Column<T>[], rows: readonly T[]): string {
  const line = (cells: string[]) =>
    "| " + cells.map((c) => oneLine(c).replace(/[\\|`*_<>[\]]/g, "\\$&")).join(" | ") + " |";
  return [
    line(columns.map((c) => c.head)),
    "|" + columns.map((c) => (c.num ? "--:" : ":--")).join("|") + "|",
    ...rows.map((r) => line(columns.map((c) => c.text(r)))),
  ].join("\n");
}

export const tsv = <T,>(columns: Column<T>[], rows: readonly T[]): string =>
  [columns.map((c) => c.head), ...rows.map((r) => columns.map((c) => oneLine(c.text(r))))]
    .map((l) => l.join("\t"))
    .join("\n");

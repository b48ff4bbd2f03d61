// Tables of data: plain HTML that can be copied as Markdown or as tab-separated values.
import type { ComponentChildren } from "preact";
import { copy } from "./copy";

// A Column says how one is told: text is what is copied, show what is seen where that is more.
export interface Column<T> {
  head: string;
  text: (row: T) => string;
  show?: (row: T) => ComponentChildren;
  num?: boolean; // right-aligned figures
  class?: (row: T) => string;
}

export function DataTable<T>(p: { columns: Column<T>[]; rows: readonly T[]; name: string; most?: number }) {
  const rows = p.most ? p.rows.slice(0, p.most) : p.rows;
  return (
    <div class="table" data-copy={markdown(p.columns, rows)}>
      <div class="scroll" tabIndex={0} role="group" aria-label={p.name}>
        <table>
          <thead><tr>{p.columns.map((c) => <th scope="col" class={c.num ? "num" : ""}><bdi>{c.head}</bdi></th>)}</tr></thead>
          <tbody>
            {rows.map((r) => (
              <tr>{p.columns.map((c, i) => i === 0
                ? <th scope="row" class={c.class?.(r)}>{cellOf(c, r)}</th>
                : <td class={(c.num ? "num " : "") + (c.class?.(r) ?? "")}>{cellOf(c, r)}</td>)}</tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length < p.rows.length && <p class="muted">… {p.rows.length - rows.length} more in the data</p>}
      <p class="copy">copy as <button type="button" class="quiet" onClick={() => copy(markdown(p.columns, p.rows))}>Markdown</button>{" "}
        <button type="button" class="quiet" onClick={() => copy(tsv(p.columns, p.rows))}>TSV</button></p>
    </div>
  );
}

// cellOf keeps the writing direction of a stranger's text to itself.
const cellOf = <T,>(c: Column<T>, r: T): ComponentChildren => (c.show ? c.show(r) : c.num ? c.text(r) : <bdi>{c.text(r)}</bdi>);

const oneLine = (s: string): string => s.replace(/[\r\n\t]+/g, " ");

export function markdown<T>(columns: Column<T>[], rows: readonly T[]): string {
  const line = (cells: string[]) => "| " + cells.map((c) => oneLine(c).replace(/[\\|`*_<>[\]]/g, "\\$&")).join(" | ") + " |";
  return [line(columns.map((c) => c.head)), "|" + columns.map((c) => (c.num ? "--:" : ":--")).join("|") + "|", ...rows.map((r) => line(columns.map((c) => c.text(r))))].join("\n");
}

export const tsv = <T,>(columns: Column<T>[], rows: readonly T[]): string =>
  [columns.map((c) => c.head), ...rows.map((r) => columns.map((c) => oneLine(c.text(r))))].map((l) => l.join("\t")).join("\n");

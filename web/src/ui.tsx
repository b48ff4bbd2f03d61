// The few controls and blocks that sections share.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Warning } from "./types";
import { DataTable, type Column } from "./table";

// Choice is a group of radio buttons: one tab stop, arrows move, the browser does both.
export function Choice(p: { name: string; label: string; options: { value: string; text: string }[]; value: string; onChange: (v: string) => void }) {
  return (
    <fieldset class="choice">
      <legend>{p.label}</legend>
      {p.options.map((o) => (
        <label class={o.value === p.value ? "on" : ""}>
          <input type="radio" name={p.name} value={o.value} checked={o.value === p.value} onChange={() => p.onChange(o.value)} />
          <span>{o.text}</span>
        </label>
      ))}
    </fieldset>
  );
}

// Figure is a chart with a caption and, on demand, the same as a table, which is also what a screen reader gets.
export function Figure<T>(p: { caption: ComponentChildren; columns: Column<T>[]; rows: readonly T[]; name: string; children: ComponentChildren }) {
  const [table, setTable] = useState(false);
  return (
    <figure>
      <figcaption>
        <span>{p.caption}</span>
        <button type="button" class="quiet" aria-pressed={table} onClick={() => setTable(!table)}>{table ? "as chart" : "as table"}</button>
      </figcaption>
      {table ? <DataTable columns={p.columns} rows={p.rows} name={p.name} /> : p.children}
    </figure>
  );
}

// Warnings are told with what weakens what, opened in place.
export function Warnings(p: { list: readonly Warning[] }) {
  return (
    <>
      {p.list.map((w) => (
        <details class="warning">
          <summary>⚠ {w.text} <code>[{w.code}]</code></summary>
          {w.facts && <ul>{w.facts.map((f) => <li>{f}</li>)}</ul>}
          {w.try && <p>try: <code>{w.try}</code></p>}
        </details>
      ))}
    </>
  );
}

// Chip names a variant with its series' sign and colour.
export function Chip(p: { series: number; children: ComponentChildren }) {
  return <span class={"chip series-" + (Math.min(p.series, 3) + 1)}>{["●", "■", "▲", "◆"][Math.min(p.series, 3)]} {p.children}</span>;
}

// The few controls and blocks that sections share.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Quiet } from "./button";
import { series, shapes } from "./chart";
import type { FactWords, Warning } from "../page";
import { DataTable, type Column } from "./table";

interface ChoiceProps {
  name: string;
  label: string;
  options: { value: string; text: string }[];
  value: string;
  onChange: (v: string) => void;
}

// Choice is a group of radio buttons: one tab stop, arrows move, the browser does both. What does not fit a line is a menu.
export function Choice(p: ChoiceProps) {
  if (p.options.length > 6 || p.options.reduce((n, o) => n + o.text.length, 0) > 40)
    return <Menu {...p} />;
  return (
    <fieldset class="choice">
      <legend>{p.label}</legend>
      {p.options.map((o) => (
        <label class={o.value === p.value ? "on" : ""}>
          <input
            type="radio"
            name={p.name}
            value={o.value}
            checked={o.value === p.value}
            onChange={() => p.onChange(o.value)}
          />
          <bdi>{o.text}</bdi>
        </label>
      ))}
    </fieldset>
  );
}

function Menu(p: ChoiceProps) {
  return (
    <label class="choice menu">
      <span>{p.label}</span>
      <select name={p.name} value={p.value} onChange={(e) => p.onChange(e.currentTarget.value)}>
        {p.options.map((o) => (
          <option value={o.value} selected={o.value === p.value}>
            {o.text}
          </option>
        ))}
      </select>
    </label>
  );
}

// Figure is a chart with a caption and, on demand, the same as a table, which is also what a screen reader gets.
export function Figure<T>(p: {
  caption: ComponentChildren;
  columns: Column<T>[];
  rows: readonly T[];
  name: string;
  children: ComponentChildren;
}) {
  const [table, setTable] = useState(false);
  return (
    <figure>
      <figcaption>
        <span>{p.caption}</span>
        <Quiet aria-pressed={table} onClick={() => setTable(!table)}>
          {table ? "as chart" : "as table"}
        </Quiet>
      </figcaption>
      {table ? (
        <DataTable columns={p.columns} rows={p.rows} name={p.name} most={400} />
      ) : (
        p.children
      )}
    </figure>
  );
}

// Sentence has words in which no figure, interval or unit is broken between lines.
export const Sentence = ({ text }: { text: string }) => (
  <bdi>
    {text
      .split(/(\[[^\]]{1,24}\](?: %)?|[^\s[]{1,12} %)/)
      .map((t, i) => (i % 2 ? <span class="figure">{t}</span> : t))}
  </bdi>
);

// Warnings are told with what weakens what, opened in place.
export function Warnings(p: { list: readonly Warning[] }) {
  return (
    <>
      {p.list.map((w) => (
        <details class="warning">
          <summary>
            ⚠ <bdi>{w.text}</bdi> <code>[{w.code}]</code>
          </summary>
          <Remedy warning={w} />
        </details>
      ))}
    </>
  );
}

// Remedy is what stands behind a warning, and what would cure it.
export function Remedy({ warning: w }: { warning: Warning }) {
  return (
    <>
      {w.facts && (
        <ul>
          {w.facts.map((f) => (
            <li>
              <bdi>{f}</bdi>
            </li>
          ))}
        </ul>
      )}
      {(w.try || w.advice) && (
        <p>
          try: {w.try && <code>{w.try}</code>} {w.advice}
        </p>
      )}
    </>
  );
}

// Known is a list of facts that the program has put into words.
export const Known = (p: { list: FactWords[]; class?: string; children?: ComponentChildren }) => (
  <dl class={p.class}>
    {p.list.map((f) => (
      <div>
        <dt>{f.name}</dt>
        <dd>
          {f.text.map((t) => (
            <>
              <span class={t.class}>
                <Sentence text={t.text} />
              </span>{" "}
            </>
          ))}
        </dd>
      </div>
    ))}
    {p.children}
  </dl>
);

// On names the machine that something is said of, where there are several.
export const On = ({ name, many }: { name: string; many: boolean }) =>
  many ? (
    <>
      <bdi>{name}</bdi>:{" "}
    </>
  ) : null;

// Chip names a variant with its series' sign and colour.
export function Chip(p: { series: number; children: ComponentChildren }) {
  return (
    <span class={"chip " + series(p.series)}>
      {shapes[Math.min(p.series, 3)]} {p.children}
    </span>
  );
}

// All of the data, to take away, and the lines that measure it again.
import { copy, download } from "../copy";
import { downloadResult, stem } from "../header";
import type { Comparison, File } from "../../page";
import type { Page } from "../data";
import type { Section, SectionProps } from "../section";
import "./data.css";

function View({ page }: SectionProps) {
  const r = page.first;
  return (
    <>
      <div class="downloads">
        <button type="button" onClick={() => downloadResult(page)}>
          result.json
        </button>
        {page.data.files.map((f) => {
          const text = textOf(f, page);
          return (
            <button type="button" onClick={() => download(stem(page) + "-" + f.name, text)}>
              {f.name} <span class="size">{size(text)}</span>
            </button>
          );
        })}
      </div>
      {commands(page).map((c) => (
        <Command {...c} />
      ))}
      <p class="muted ids">
        <bdi>
          {[
            r.study,
            ...page.data.words.ids,
            r.study_hash && "hash " + r.study_hash,
            page.data.build && "assay " + page.data.build,
          ]
            .filter(Boolean)
            .join(" · ")}
        </bdi>
      </p>
    </>
  );
}

// commands are those of the program, and what repeats the run where it is not among them.
function commands(page: Page): { what: string; line: string }[] {
  const list = [...page.data.commands];
  for (const m of page.machines) {
    const line = m.result.command;
    if (line && !list.some((c) => c.line === line)) list.unshift({ what: "measure again", line });
  }
  return list;
}

function Command({ what, line }: { what: string; line: string }) {
  return (
    <div class="command">
      <span class="muted">{what}</span>
      <pre tabIndex={0} aria-label={what}>
        {line}
      </pre>
      <button type="button" aria-label={"copy: " + what} onClick={() => copy(line)}>
        copy
      </button>
    </div>
  );
}

// textOf is the text of a file, with the figures of the comparisons that its lines are about (File in
// internal/page/page.go).
function textOf(f: File, page: Page): string {
  const r = page.machines[(f.figures_of ?? 0) - 1]?.result;
  if (!r) return f.text;
  const all = r.tables.flatMap((t) => [
    ...t.rows.flatMap((x) => x.cells),
    ...(t.geomean ?? []),
    ...(t.steps ?? []).flatMap((s) => [
      ...(s.cells ?? []),
      ...(s.whole && t.geomean?.length ? [s.whole] : []),
    ]),
  ]);
  return f.text
    .split("\n")
    .map((line, i) => (line.includes("\x01") ? line.replace("\x01", figures(all[i - 1]!)) : line))
    .join("\n");
}

// figures are those of a line of CSV, as internal/sheet writes them.
const figures = (c: Comparison): string =>
  [
    number(c.value),
    number(c.change),
    c.interval ? number(c.interval.lo) : "",
    c.interval ? number(c.interval.hi) : "",
    c.verdict,
    c.n,
    c.e ? number(c.e) : "",
  ].join(",");

// number prints a number in full, as Go's strconv does in its format g.
function number(x: number): string {
  const [digits, by] = x.toExponential().split("e"),
    n = Number(by);
  if (x === 0 || (n >= -4 && n < 6)) return String(x);
  return `${digits}e${n < 0 ? "-" : "+"}${String(Math.abs(n)).padStart(2, "0")}`;
}

function size(text: string): string {
  const n = new Blob([text]).size;
  return n < 1000
    ? n + " B"
    : n < 1e6
      ? Math.round(n / 1000) + " kB"
      : (n / 1e6).toFixed(1) + " MB";
}

export const section: Section = { id: "data", title: "Data", follows: [], shown: () => true, View };

// All of the data, to take away, and the lines that measure it again.
import { copy, download } from "../copy";
import { downloadResult, stem } from "../header";
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
        {page.data.files.map((f) => (
          <button type="button" onClick={() => download(stem(page) + "-" + f.name, f.text)}>
            {f.name} <span class="size">{size(f.text)}</span>
          </button>
        ))}
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

function size(text: string): string {
  const n = new Blob([text]).size;
  return n < 1000
    ? n + " B"
    : n < 1e6
      ? Math.round(n / 1000) + " kB"
      : (n / 1e6).toFixed(1) + " MB";
}

export const section: Section = { id: "data", title: "Data", follows: [], shown: () => true, View };

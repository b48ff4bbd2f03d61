import { useEffect, useRef, useState } from "preact/hooks";
import { copy, download } from "./copy";
import type { Page } from "./data";
import { useListener } from "./listen";
import type { Section, Set } from "./section";
import type { State } from "./state";

export interface ShellProps {
  page: Page;
  state: State;
  set: Set;
  sections: Section[];
}

// Header says which study this is, of when, and asks the study's question.
export function Header({ page, state, set }: ShellProps) {
  const r = page.first,
    { title } = page.data.words;
  return (
    <header>
      <h1 title={title}>
        <bdi>{title}</bdi>
      </h1>
      <p class="origin">
        {page.data.words.ids.map((s) => (
          <bdi>{s}</bdi>
        ))}
        <span class="buttons">
          <button type="button" title="light or dark (d)" onClick={() => set(otherTheme(state))}>
            {dark(state) ? "light" : "dark"}
          </button>
          <button
            type="button"
            title="copy the link to what is shown (y)"
            onClick={() => copy(location.href)}
          >
            copy link
          </button>
          <button
            type="button"
            title="download the result as JSON; more at the end of the page"
            onClick={() => downloadResult(page)}
          >
            download
          </button>
          <button
            type="button"
            title="list of keys (?)"
            onClick={() => document.dispatchEvent(new Event("assay-keys"))}
          >
            keys
          </button>
        </span>
      </p>
      {r.question && (
        <p class="question" title={r.question}>
          <bdi>{r.question}</bdi>
        </p>
      )}
    </header>
  );
}

// stem begins the names of downloads: the run, or the study where there are several.
export const stem = (page: Page): string =>
  (page.machines.length === 1 && page.first.run) || page.first.study || "assay";

// downloadResult saves what the page holds: of one machine a result that assay reads, which
// ends with the digest of its text (docs/format.md).
export async function downloadResult(page: Page): Promise<void> {
  const { digest: _, ...one } = page.first as typeof page.first & { digest?: string };
  let text = JSON.stringify(page.machines.length === 1 ? one : page.machines, null, 2);
  if (page.machines.length === 1 && globalThis.crypto?.subtle) {
    const body = text.slice(0, -2),
      sum = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body)));
    text = `${body},\n  "digest": "${Array.from(sum, (b) => b.toString(16).padStart(2, "0")).join("")}"\n}\n`;
  }
  download(stem(page) + "-result.json", text, "application/json");
}

const systemDark = (): boolean => matchMedia("(prefers-color-scheme: dark)").matches;
const dark = (s: State): boolean => (s.t ? s.t === "dark" : systemDark());

// otherTheme turns light into dark; what the system has anyway needs no word in the address.
export function otherTheme(s: State): Partial<State> {
  const t = dark(s) ? "light" : "dark";
  return { t: (t === "dark") === systemDark() ? "" : t };
}

// Contents is the way to each section; it stays at the top and marks the one that is read.
export function Contents({ sections, set }: ShellProps) {
  const [here, setHere] = useState(sections[0]?.id),
    nav = useRef<HTMLElement>(null),
    asked = useRef(0);
  useListener(window, ["scroll"], () => {
    asked.current ||= requestAnimationFrame(() => {
      asked.current = 0;
      setHere(current(sections));
    });
  });
  useEffect(() => {
    const bar = nav.current,
      a = bar?.querySelector<HTMLElement>("[aria-current]");
    if (bar && a) bar.scrollLeft = a.offsetLeft - (bar.clientWidth - a.offsetWidth) / 2;
  }, [here]);
  return (
    <nav ref={nav} class="contents" aria-label="sections">
      {sections.map((s) => (
        <a
          href={"#" + s.id}
          aria-current={s.id === here ? "true" : undefined}
          onClick={(e) => {
            e.preventDefault();
            goTo(s.id, set);
          }}
        >
          {s.title}
        </a>
      ))}
    </nav>
  );
}

// current is the section that stands under the bars at the top.
export function current(sections: Section[]): string | undefined {
  if (scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2)
    return sections.at(-1)?.id;
  return (
    sections.findLast(
      (s) => (document.getElementById(s.id)?.getBoundingClientRect().top ?? Infinity) < 100,
    )?.id ?? sections[0]?.id
  );
}

// goTo puts a section into the address and into view, also where the address has it already.
export function goTo(id: string, set: Set, more: Partial<State> = {}): void {
  set({ open: id, ...more }, true);
  document.getElementById(id)?.scrollIntoView();
}

import { useRef } from "preact/hooks";
import { announce, copy } from "./copy";
import { current, goTo, otherTheme, type ShellProps } from "./header";
import { useListener } from "./listen";
import { chosen, switches } from "./switches";
import { copies } from "./table";

// Where "g" and a letter lead.
const places: Record<string, string> = {
  a: "answer",
  p: "replay",
  v: "variants",
  x: "matrix",
  f: "factors",
  r: "arc",
  s: "steps",
  b: "benchmarks",
  l: "latency",
  c: "gc",
  y: "why",
  n: "noise",
  m: "method",
  d: "data",
};

// Keys listens to the keyboard and lists what it does.
export function Keys(p: ShellProps) {
  const dialog = useRef<HTMLDialogElement>(null),
    g = useRef(-Infinity);
  const list = () => {
    if (!dialog.current?.open) dialog.current?.showModal();
  };
  const press = (e: KeyboardEvent) => {
    if (dialog.current?.open || !meant(e)) return;
    const after = e.timeStamp - g.current < 1500;
    g.current = e.key === "g" && !after ? e.timeStamp : -Infinity;
    const done = after
      ? leap(e.key, p)
      : e.key === "?"
        ? (list(), true)
        : e.key === "g" || act(e.key, p);
    if (done) e.preventDefault();
  };
  useListener(document, ["keydown"], (e) => press(e as KeyboardEvent));
  useListener(document, ["assay-keys"], list);
  return (
    <dialog
      ref={dialog}
      class="keys"
      aria-labelledby="h-keys"
      onClick={(e) => {
        if (e.target === e.currentTarget) dialog.current?.close();
      }}
    >
      <form method="dialog">
        <h2 id="h-keys">
          Keys <button class="quiet">close</button>
        </h2>
        <dl>
          {listed(p).map(([keys, what]) => (
            <div>
              <dt>
                {keys!.split(" ").map((k) => (
                  <kbd>{k}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </form>
    </dialog>
  );
}

// listed are the keys that do something on this page.
function listed({ page, sections }: ShellProps): string[][] {
  const steps = !!page.first.arc,
    go = Object.entries(places)
      .map(([k, id]) => [k, sections.find((s) => s.id === id)] as const)
      .filter(([, s]) => s);
  return [
    ["?", "this list"],
    ...switches(page)
      .filter((s) => s.key)
      .map((s) => [s.key, "next " + s.label]),
    ["/", "filter benchmarks"],
    ["← →", steps ? "previous, next step; in the table of benchmarks: row" : "previous, next row"],
    ["k j", "the same"],
    ...(steps ? [["Home End", "first, last step, while walking"]] : []),
    ["Enter", "open the row's detail"],
    ["Esc", steps ? "close it; leave the walk" : "close it"],
    ["u", "only what is unclear"],
    ["y", "copy the link"],
    ["c", "copy the nearest table as Markdown"],
    ["d", "light or dark"],
    ...go.map(([k, s]) => ["g " + k, "go to " + s!.title]),
  ];
}

// meant tells whether a key is for the page, or for the control that has the focus.
function meant(e: KeyboardEvent): boolean {
  if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return false;
  const t = e.target as HTMLElement;
  if (e.key === "Escape") return true;
  if (t.matches("select, textarea, [contenteditable], input:not([type=radio], [type=checkbox])"))
    return false;
  if (/^(Arrow|Home|End)/.test(e.key))
    return !t.closest("input, .scroll, .matrix-box, [role=slider]");
  return e.key !== "Enter" || !t.closest("a, button, summary, input");
}

// act does what a key says, and tells whether it says anything.
function act(key: string, p: ShellProps): boolean {
  const { state, set } = p,
    way = ({ j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 } as Record<string, number>)[key];
  if (way) return walk(way, p);
  const s = switches(p.page).find((s) => s.key === key);
  if (s) {
    const at = s.options.findIndex((o) => o.value === chosen(s, state)),
      next = s.options[(at + 1) % s.options.length]!;
    set({ [s.name]: next.value });
    announce(s.label + ": " + next.text, true);
    return true;
  }
  switch (key) {
    case "/":
      return filter();
    case "Home":
    case "End":
      return !!state.step && step(key === "Home" ? -Infinity : Infinity, p);
    case "Enter":
      tell("assay-open");
      return true;
    case "Escape":
      return leave(p);
    case "u":
      set({ u: state.u ? "" : "1" });
      return true;
    case "y":
      void copy(location.href);
      return true;
    case "c":
      return copyTable();
    case "d":
      set(otherTheme(state));
      return true;
  }
  return false;
}

const tell = (name: string, detail?: number): boolean =>
  document.dispatchEvent(new CustomEvent(name, { detail }));

function leap(key: string, { sections, set }: ShellProps): boolean {
  const id = places[key];
  if (!id || !sections.some((s) => s.id === id)) return false;
  goTo(id, set);
  return true;
}

// walk goes to the next step; on a page without steps, and in the table of benchmarks, to the next row.
function walk(way: number, p: ShellProps): boolean {
  if (!p.page.first.arc || current(p.sections) === "benchmarks") return tell("assay-row", way);
  return step(way, p);
}

// step 0 is the base; where none is chosen the walk begins there.
function step(way: number, { page, state, set }: ShellProps): boolean {
  const last = page.first.arc?.steps.length ?? 0,
    at = state.step === "" ? -Math.sign(way) : Number(state.step) || 0;
  set({ step: String(Math.max(0, Math.min(last, at + way))) }, true);
  reveal(["arc", "steps"].map((id) => document.getElementById(id)).filter((e) => e !== null));
  return true;
}

// reveal scrolls to the first of some sections unless one of them is seen.
function reveal(sections: HTMLElement[]): void {
  const seen = sections.some((e) => {
    const r = e.getBoundingClientRect();
    return r.top < 0.6 * innerHeight && r.bottom > 0.3 * innerHeight;
  });
  if (!seen) sections[0]?.scrollIntoView();
}

// leave goes out of what is open, the innermost first.
function leave({ state, set }: ShellProps): boolean {
  const el = document.activeElement;
  if (el instanceof HTMLInputElement || el instanceof HTMLSelectElement) el.blur();
  else if (state.b) {
    tell("assay-close");
    set({ b: "" }, true);
  } else if (state.step) set({ step: "" }, true);
  else return false;
  return true;
}

function filter(): boolean {
  const input = document.getElementById("filter") as HTMLInputElement | null;
  input?.scrollIntoView({ block: "center" });
  input?.focus({ preventScroll: true });
  input?.select();
  return !!input;
}

// copyTable copies the table nearest to the middle of what is seen.
function copyTable(): boolean {
  let best: HTMLElement | undefined,
    least = Infinity;
  for (const t of document.querySelectorAll<HTMLElement>("[data-copy]")) {
    const r = t.getBoundingClientRect(),
      mid = innerHeight / 2,
      away = Math.max(r.top - mid, mid - r.bottom, 0);
    if (r.height > 0 && away < least) {
      least = away;
      best = t;
    }
  }
  if (best) void copy(copies.get(best)!());
  return !!best;
}

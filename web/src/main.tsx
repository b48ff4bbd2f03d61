// The report page: reads its data, keeps what the reader has chosen, shows the sections.
import "./style.css"; // before the sections' own
import { Fragment, render } from "preact";
import { useCallback, useEffect, useErrorBoundary, useMemo, useRef, useState } from "preact/hooks";
import { pageOf, NewerSchema, type Page } from "./data";
import { format, parse, remember, type State } from "./state";
import type { Section, SectionProps, Set } from "./section";
import { sections } from "./sections";
import { Keys } from "./keys";
import { Contents, Header, goTo } from "./header";
import { Switches } from "./switches";
import { useListener } from "./listen";
import "./unbroken";
import { keepFigures } from "./ruler";
import { footed } from "./print";
import { usePrinting } from "./virtual";

function App({ page }: { page: Page }) {
  const [state, setState] = useState<State>(() => parse(location.hash));
  const set: Set = useCallback(
    (change, push = false) =>
      setState((s) => {
        const next = { ...s, ...change };
        remember(next, push);
        return next;
      }),
    [],
  );
  useListener(window, ["popstate", "hashchange"], () => setState(parse(location.hash)));
  useEffect(() => {
    const root = document.documentElement;
    if (state.t) root.dataset["theme"] = state.t;
    else delete root.dataset["theme"];
  }, [state.t]);
  useEffect(() => {
    if (state.open) document.getElementById(state.open)?.scrollIntoView();
  }, [state.open]);
  const foot = [
    "assay",
    page.first.study,
    ...page.data.words.ids,
    location.href.slice(0, 120),
  ].join("  ·  ");
  useEffect(() => footed(foot), [foot]);
  const shown = useMemo(() => sections().filter((s) => s.shown(page)), [page]);
  const atOnce =
    page.benchmarks.length < large ||
    (!document.getElementById(shown[0]!.id) && format(state) !== "");
  const sight = atOnce ? [] : shown.map((s, i) => inSight(s.id, i)),
    shell = { page, state, set, sections: shown };
  // The switches stand before the first section that follows them.
  const first = shown.findIndex((s) => s.id === "answer");
  return (
    <>
      <Header {...shell} />
      <Contents {...shell} />
      {shown.map((s, i) => (
        <Fragment key={s.id}>
          <Part section={s} page={page} state={state} set={set} seen={atOnce || sight[i]!} />
          {i === first && <Switches page={page} state={state} set={set} />}
        </Fragment>
      ))}
      <Keys {...shell} />
      <p id="live" role="status" aria-live="polite" />
    </>
  );
}

// Above this many benchmarks a section that is out of sight follows after what is seen was painted.
const large = 500;

// inSight is asked of all sections before any is rendered, as each would have the page laid out anew.
function inSight(id: string, i: number): boolean {
  const r = document.getElementById(id)?.getBoundingClientRect();
  return r ? r.top < innerHeight && r.bottom > 0 : i < 2;
}

// useSeen is the state as a section shows it: at once, or in a later turn; none where it has yet to come.
function useSeen(state: State, seen: boolean): State | undefined {
  const shown = useRef<State | undefined>(undefined),
    [, again] = useState(0);
  if (seen) shown.current = state;
  useEffect(() => {
    if (shown.current === state) return;
    const later = setTimeout(() => {
      shown.current = state;
      again((n) => n + 1);
    });
    return () => clearTimeout(later);
  }, [state]);
  return shown.current;
}

function Part(p: SectionProps & { section: Section; seen: boolean }) {
  const { section: s, page, state, set, seen } = p;
  const [fault] = useErrorBoundary(), // one section's fault is not the end of the page
    printing = usePrinting(),
    now = useSeen(state, seen || printing);
  const view = useMemo(
    () => now && <s.View page={page} state={now} set={set} />,
    [!now, ...(s.follows ? s.follows.map((k) => now?.[k]) : [now])],
  );
  return (
    <section id={s.id} aria-labelledby={"h-" + s.id}>
      <h2 id={"h-" + s.id}>
        {s.title}{" "}
        <a
          class="link"
          href={"#" + s.id}
          aria-label={"link to " + s.title}
          onClick={(e) => {
            e.preventDefault();
            goTo(s.id, set);
          }}
        >
          #
        </a>
      </h2>
      {fault ? (
        <p class="failed" role="alert">
          this section cannot be shown ({String(fault)}); the others are whole, and result.json
          under Data has all of it
        </p>
      ) : (
        view
      )}
    </section>
  );
}

// assayText unpacks the text of an element: the page's loader has it (internal/page/script.go).
declare const assayText: (id: string) => Promise<string>;

async function start() {
  const app = document.getElementById("app")!;
  try {
    const page = pageOf(JSON.parse(await assayText("assay-data")));
    keepFigures(app);
    app.textContent = "";
    render(<App page={page} />, app);
  } catch (e) {
    const p = document.createElement("p");
    p.className = "failed";
    p.setAttribute("role", "alert");
    p.textContent = e instanceof NewerSchema ? e.message : "this page's data cannot be read: " + e;
    app.prepend(p);
  } finally {
    document.getElementById("assay-wait")?.remove(); // the page is loaded now
  }
}

// The bundles after this one add their sections before data is read.
queueMicrotask(start);

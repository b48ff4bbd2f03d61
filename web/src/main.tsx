// The report page: reads its data, keeps what the reader has chosen, shows the sections.
import "./style.css"; // before the sections' own
import { Fragment, render } from "preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { open, NewerSchema, type Page } from "./data";
import { parse, remember, type State } from "./state";
import type { Section, Set } from "./section";
import { sections } from "./sections";
import { Keys } from "./keys";
import { Contents, Header, goTo, identity } from "./header";
import { Switches } from "./switches";
import { printable } from "./print";

function App({ page }: { page: Page }) {
  const [state, setState] = useState<State>(() => parse(location.hash));
  const set: Set = useCallback((change, push = false) => setState((s) => {
    const next = { ...s, ...change };
    remember(next, push);
    return next;
  }), []);
  useEffect(() => {
    const back = () => setState(parse(location.hash));
    addEventListener("popstate", back);
    addEventListener("hashchange", back);
    return () => { removeEventListener("popstate", back); removeEventListener("hashchange", back); };
  }, []);
  useEffect(() => {
    const root = document.documentElement;
    if (state.t) root.dataset["theme"] = state.t; else delete root.dataset["theme"];
  }, [state.t]);
  useEffect(() => { if (state.open) document.getElementById(state.open)?.scrollIntoView(); }, [state.open]);
  const foot = ["assay", page.first.study, ...identity(page), location.href.slice(0, 120)].join("  ·  ");
  useEffect(() => printable(foot), [foot]);
  const shown = useMemo(() => sections().filter((s) => s.shown(page)), [page]);
  const shell = { page, state, set, sections: shown };
  return (
    <>
      <Header {...shell} />
      <Contents {...shell} />
      {shown.map((s) => (
        <Fragment key={s.id}>
          <Part section={s} page={page} state={state} set={set} />
          {s.id === "answer" && <Switches page={page} state={state} set={set} />}
        </Fragment>
      ))}
      <Keys {...shell} />
      <p id="live" role="status" aria-live="polite" />
    </>
  );
}

function Part({ section: s, page, state, set }: { section: Section; page: Page; state: State; set: Set }) {
  return (
    <section id={s.id} aria-labelledby={"h-" + s.id}>
      <h2 id={"h-" + s.id}>{s.title} <a class="link" href={"#" + s.id} aria-label={"link to " + s.title} onClick={(e) => { e.preventDefault(); goTo(s.id, set); }}>#</a></h2>
      <s.View page={page} state={state} set={set} />
    </section>
  );
}

async function start() {
  const app = document.getElementById("app")!, data = document.getElementById("assay-data")!;
  try {
    const page = await open(data.textContent!);
    app.textContent = "";
    render(<App page={page} />, app);
  } catch (e) {
    const p = document.createElement("p");
    p.className = "failed";
    p.setAttribute("role", "alert");
    p.textContent = e instanceof NewerSchema ? e.message : "this page's data cannot be read: " + e;
    app.prepend(p);
  }
}

// The bundles after this one add their sections before data is read.
queueMicrotask(start);

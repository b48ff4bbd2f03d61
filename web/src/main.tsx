// The report page: reads its data, keeps what the reader has chosen, shows the sections.
import { render } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { open, NewerSchema, type Page } from "./data";
import { parse, remember, type State } from "./state";
import type { Section, Set } from "./section";
import { sections } from "./sections";
import { Keys } from "./keys";
import { Header } from "./header";
import "./style.css";

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
  const shown = sections.filter((s) => s.shown(page));
  return (
    <>
      <Header page={page} state={state} set={set} sections={shown} />
      {shown.map((s) => <Part section={s} page={page} state={state} set={set} />)}
      <Keys page={page} state={state} set={set} sections={shown} />
      <p id="live" role="status" aria-live="polite" />
    </>
  );
}

function Part({ section: s, page, state, set }: { section: Section; page: Page; state: State; set: Set }) {
  return (
    <section id={s.id} aria-labelledby={"h-" + s.id}>
      <h2 id={"h-" + s.id}>{s.title} <a class="link" href={"#" + s.id} aria-label={"link to " + s.title} onClick={(e) => { e.preventDefault(); set({ open: s.id }, true); }}>#</a></h2>
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

void start();

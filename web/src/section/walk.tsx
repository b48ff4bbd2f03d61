import { useEffect, useMemo, useRef } from "preact/hooks";
import { Copy, Quiet } from "../button";
import { announce } from "../copy";
import { goTo } from "../header";
import { key, metric, row, table, unique, wordsOf } from "../data";
import { count, label, note, value } from "../format";
import { Markdown } from "../markdown";
import type { SectionProps, Set as SetState } from "../section";
import { defaults, parse, type State } from "../state";
import {
  coloured,
  colours,
  current,
  curves,
  direct,
  fromPrevious,
  line,
  machines,
  phases,
  pinned,
  stepChange,
  stepOf,
  steps,
  told,
  turnPin,
} from "../steps";
import { DataTable, type Column } from "../table";
import type { Machine, StepResult } from "../../page";
import { Chip, On } from "../ui";
import { usePrinting } from "../virtual";
import { Delta } from "./steps";
import "./walk.css";

// Benchmarks that a step's table and its list of missing ones have at most.
const maxRows = 12,
  maxNames = 40;

// keysOf are the choices that a step's view makes: not the step itself, the theme or the place on the page.
// A benchmark is pinned, as opening its row would lead away from the curve.
function keysOf(view: string | undefined): Partial<State> {
  const all = parse(view ?? "") as unknown as Record<string, string>,
    out: Record<string, string> = {};
  for (const [, k] of (view ?? "").matchAll(/(?:^|[#&])([a-z]+)=/g))
    if (Object.hasOwn(defaults, k!) && !["step", "t", "open"].includes(k!))
      out[k === "b" ? "pin" : k!] = all[k!]!;
  return out as Partial<State>;
}

// useView applies the view of the step that the walk comes to, and puts back what the reader had chosen
// when it goes on, but for what was chosen since. A page that is opened at a step is left as its address says.
function useView(s: StepResult | undefined, state: State, set: SetState): void {
  const before = useRef<{ at: string; was: Partial<State>; now: Partial<State> }>({
    at: state.step,
    was: {},
    now: keysOf(s?.view),
  });
  useEffect(() => {
    const { at, was, now } = before.current;
    if (at === state.step) return;
    const next: Partial<Record<keyof State, string>> = {},
      had: Partial<Record<keyof State, string>> = {},
      view = keysOf(s?.view);
    for (const k of Object.keys(was) as (keyof State)[]) if (state[k] === now[k]) next[k] = was[k];
    for (const k of Object.keys(view) as (keyof State)[]) {
      had[k] = next[k] ?? state[k];
      next[k] = view[k];
    }
    before.current = { at: state.step, was: had as Partial<State>, now: view };
    if (Object.keys(next).length) set(next as Partial<State>);
  }, [state.step]);
}

// Walk leads through the steps: what each did, why, and what it kept.
export function Walk(props: SectionProps) {
  const { page, state, set } = props,
    chain = steps(page),
    now = current(page, state),
    s = chain[now - 1];
  useView(s, state, set);
  const told = useRef(state.step);
  useEffect(() => {
    if (told.current === state.step) return;
    told.current = state.step;
    announce(
      s
        ? `step ${now} of ${chain.length}, ${s.variant}: ${s.text}`
        : now === 0
          ? `base, ${page.first.base}`
          : "walkthrough left",
    );
  }, [state.step]);
  if (usePrinting())
    return (
      <div id="walk">
        {chain.map((x) => (
          <div class="walk">
            <Step {...props} s={x} />
          </div>
        ))}
      </div>
    );
  const last = chain.length;
  const to = (sign: string, what: string, n: number, disabled: boolean) => (
    <button
      type="button"
      aria-label={what}
      disabled={disabled}
      onClick={() => set({ step: String(n) }, true)}
    >
      {sign}
    </button>
  );
  return (
    <div id="walk" class="walk">
      <div class="bar-of-steps" role="group" aria-label="walkthrough">
        {to("⇤", "to the base", 0, now <= 0)}
        {to("←", "previous step", now - 1, now <= 0)}
        <span class="count">
          {Math.max(now, 0)} / {last}
        </span>
        {to("→", "next step", Math.max(now, 0) + 1, now >= last)}
        {to("⇥", "last step", last, now >= last)}
        {now < 0 ? (
          <span class="muted">
            step through what was changed: <kbd>→</kbd> <kbd>←</kbd> or <kbd>j</kbd> <kbd>k</kbd>
          </span>
        ) : (
          <button type="button" class="leave" onClick={() => set({ step: "" }, true)}>
            leave <kbd>Esc</kbd>
          </button>
        )}
      </div>
      {s ? <Step {...props} s={s} /> : <Base {...props} />}
    </div>
  );
}

// Base is where the walk begins: the story of the chain, and what all steps are read against.
function Base({ page, state }: SectionProps) {
  const list = machines(page, state),
    intro = page.first.report?.intro;
  return (
    <>
      {intro && (
        <div class="story">
          <Markdown text={intro} />
        </div>
      )}
      <h3>
        <bdi>{page.first.base}</bdi> {page.first.base !== "base" && <span class="aside">base</span>}
      </h3>
      {list.map((x) => (
        <p>
          <On many={list.length > 1} name={x.name} />
          {told(page, state).map((m) => {
            const v = curves(page, x.result, m.name).base;
            return v > 0 ? (
              <span>
                {label(m.name)} {value(m.name, v, 0.01)} ·{" "}
              </span>
            ) : null;
          })}
          {count(page.benchmarks.length, "benchmark")}
        </p>
      ))}
    </>
  );
}

function Step(props: SectionProps & { s: StepResult }) {
  const { page, state, s } = props,
    list = machines(page, state),
    many = list.length > 1,
    phase = phases(page).find((p) => p.from <= s.number && s.number <= p.to);
  const own = list.flatMap((x) => {
    const o = stepOf(x.result, s.variant);
    return o ? [{ name: x.name, s: o }] : [];
  });
  const texts = new Set(own.map((o) => o.s.text));
  return (
    <>
      <h3>
        {s.number} <bdi>{s.variant}</bdi>
        {s.aside && <span class="aside"> {s.aside}</span>}
      </h3>
      <p class="muted">
        {phase && (
          <>
            ★{phase.id} <bdi>{phase.name}</bdi> ·{" "}
          </>
        )}
        {s.commit && (
          <>
            commit <code>{s.commit.slice(0, 10)}</code> ·{" "}
          </>
        )}
        against <bdi>{s.previous}</bdi>
      </p>
      <Leads {...props} list={list} />
      <div>
        <div class="story">
          {s.story && <Markdown text={s.story} />}
          {own
            .filter((o, i) => (!s.story || o.s.gap) && (texts.size > 1 || !i))
            .map((o) => (
              <p>
                <On many={texts.size > 1} name={o.name} />
                <bdi>{o.s.text}</bdi>
              </p>
            ))}
          {own.map((o) =>
            o.s.gap?.facts?.length ? <pre class="scroll">{o.s.gap.facts.join("\n")}</pre> : null,
          )}
          <Gates own={own} many={many} n={s.number} />
          <Missing own={own} many={many} />
        </div>
        <div>
          <Changes {...props} list={list} />
          <Benchmarks {...props} list={list} state={state} />
        </div>
      </div>
    </>
  );
}

// Leads are the ways from a step to its change of code, to what explains it, and to its gates.
function Leads({ s, set, list }: SectionProps & { s: StepResult; list: Machine[] }) {
  const all = list.map((x) => ({ r: x.result, w: wordsOf(x.result).steps?.[s.variant] })),
    w = all.find(({ w }) => w?.diff || w?.diff_link || w?.explain)?.w,
    gates = all.find(({ w }) => w?.gates)?.w?.gates;
  const why = unique(
    all.flatMap(({ r, w }) => (r.explanations ?? []).filter((e) => e.variant === w?.measured)),
    (e) => key(e.benchmark),
  );
  const line = (what: string, text: string) => (
    <li>
      {what} <code>{text}</code> <Copy line={text} />
    </li>
  );
  return (
    <ul class="leads">
      {w?.diff_link && (
        <li>
          <a href={w.diff_link} rel="noopener noreferrer" target="_blank">
            diff
          </a>
        </li>
      )}
      {w?.diff && line("diff", w.diff)}
      {why.map((e) => (
        <li>
          <Quiet onClick={() => goTo("why", set, { b: key(e.benchmark) })}>
            why <bdi>{e.benchmark.name}</bdi>
          </Quiet>
        </li>
      ))}
      {!why.length && w?.explain && line("why", w.explain)}
      {gates && (
        <li>
          <Quiet
            onClick={() =>
              document.getElementById("gates-" + s.number)?.scrollIntoView({ block: "nearest" })
            }
          >
            gates
          </Quiet>{" "}
          <span class={gates.includes("fails") ? "worse" : "muted"}>{gates}</span>
        </li>
      )}
    </ul>
  );
}

// Changes has a line a machine and metric: against the previous step and against the base.
function Changes({ page, state, s, list }: SectionProps & { s: StepResult; list: Machine[] }) {
  const rows = list.flatMap((x) =>
    told(page, state).map((m) => ({ x, m, t: table(x.result, m.name) })),
  );
  const before = (r: (typeof rows)[0]) => fromPrevious(r.t, s.variant),
    base = (r: (typeof rows)[0]) => direct(r.x.result, r.t, s.variant);
  const words = (r: (typeof rows)[0]) => {
    const c = before(r);
    return stepChange(r.t, s.variant)?.text || (c && note(c)) || "";
  };
  const columns: Column<(typeof rows)[0]>[] = [
    { head: "whole suite", text: (r) => label(r.m.name) },
    {
      head: "against " + s.previous,
      num: true,
      text: (r) => line(before(r)),
      show: (r) => <Delta c={before(r)} whole />,
    },
    {
      head: "against " + page.first.base,
      num: true,
      text: (r) => line(base(r)),
      show: (r) => <Delta c={base(r)} whole />,
    },
    ...(rows.some(words) ? [{ head: "remark", text: words, class: () => "muted" }] : []),
  ];
  if (s.previous === page.first.base) columns.splice(2, 1); // the same as against the step before
  if (list.length > 1) columns.unshift(onMachine());
  if (!rows.length) return null;
  return <DataTable columns={columns} rows={rows} name={"changes of step " + s.number} />;
}

// about are the benchmarks of a step's table: those that it is about, then those that it moved most.
function about(list: Machine[], s: StepResult, lit: readonly string[]): string[] {
  const movers = list.flatMap((x) =>
    (stepOf(x.result, s.variant)?.movers ?? []).map((c) => key(c.benchmark)),
  );
  return [...new Set([...lit.slice(0, maxRows), ...movers])];
}

function Benchmarks({
  page,
  state,
  set,
  s,
  list,
}: SectionProps & { s: StepResult; list: Machine[] }) {
  const lit = useMemo(
      () => coloured(page, { ...state, step: String(s.number) }),
      [page, s, state.b, state.pin],
    ),
    m = metric(page, state);
  const names = useMemo(() => new Map(page.benchmarks.map((b) => [key(b), b])), [page]),
    first = page.metrics[0];
  const rows = about(list, s, lit)
    .filter((k) => names.has(k))
    .flatMap((k) => list.map((x) => ({ k, x, own: m && row(table(x.result, m.name), k) })));
  if (!rows.length || !m || !first) return null;
  type One = (typeof rows)[0];
  const name = (r: One) => names.get(r.k)?.name ?? r.k,
    end = (r: One) => r.own && direct(r.x.result, table(r.x.result, m.name), s.variant, r.own);
  const columns: Column<One>[] = [
    {
      head: "benchmark",
      text: name,
      show: (r) => (
        <Name
          name={name(r)}
          at={lit.indexOf(r.k)}
          on={pinned(state).includes(r.k)}
          press={() => set({ pin: turnPin(state, r.k) }, true)}
        />
      ),
    },
    ...(list.length > 1 ? [onMachine<One>()] : []),
    ...(first === m ? [m] : [first, m]).map((m): Column<One> => {
      const of = (r: One) => fromPrevious(table(r.x.result, m.name), s.variant, r.k);
      return {
        head: `${label(m.name)} against ${s.previous}`,
        num: true,
        text: (r) => line(of(r)),
        show: (r) => <Delta c={of(r)} />,
      };
    }),
    {
      head: `${label(m.name)} against ${page.first.base}`,
      num: true,
      text: (r) => line(end(r)),
      show: (r) => <Delta c={end(r)} />,
    },
  ];
  if (s.previous === page.first.base) columns.pop();
  return (
    <>
      <h4>
        {lit.length
          ? "Benchmarks that it is about, and those that it moved most"
          : "Benchmarks that it moved most"}
      </h4>
      <DataTable columns={columns} rows={rows} name={"benchmarks of step " + s.number} />
      {lit.length > maxRows && <p class="muted">it is about {lit.length - maxRows} more</p>}
    </>
  );
}

const onMachine = <T extends { x: Machine }>(): Column<T> => ({
  head: "machine",
  text: (r) => r.x.name,
});

// Name is a benchmark, with its colour in the curve. It is pinned there by a click.
function Name(p: { name: string; at: number; on: boolean; press: () => void }) {
  const b = (
    <button
      type="button"
      class="row"
      aria-pressed={p.on}
      title={`${p.name}: ${p.on ? "unpin" : "pin in the curve"}`}
      onClick={p.press}
    >
      <bdi class="clip">{p.name}</bdi>
    </button>
  );
  return p.at >= 0 && p.at < colours ? <Chip series={p.at}>{b}</Chip> : b;
}

type Own = { name: string; s: StepResult };

// Gates are those of the first machine, and of the others where they say something else.
function Gates({ own, many, n }: { own: Own[]; many: boolean; n: number }) {
  const list = unique(
    own.flatMap((o) => (o.s.gates ?? []).map((g) => ({ o, g }))),
    ({ g }) => JSON.stringify([g.gate, g.status, g.text, g.evidence]),
  );
  if (!list.length) return null;
  const held = list.filter(({ g }) => g.status === "held"),
    rest = list.filter(({ g }) => g.status !== "held");
  return (
    <>
      <h4 id={"gates-" + n}>Gates</h4>
      <ul class="gates">
        {rest.map(({ o, g }) => (
          <li>
            <span class={g.status === "failed" ? "worse" : "muted"}>
              {g.status === "failed" ? "▲ failed" : "? unknown"}
            </span>{" "}
            {g.gate}
            {g.against && (
              <>
                {" "}
                against <bdi>{g.against}</bdi>
              </>
            )}
            {many && o !== own[0] && (
              <>
                {" "}
                (<bdi>{o.name}</bdi>)
              </>
            )}
            : <bdi>{g.text}</bdi>
            {g.evidence?.length ? (
              <details open={g.evidence.length < 6}>
                <summary>{count(g.evidence.length, "proof")}</summary>
                <ul>
                  {g.evidence.slice(0, maxNames).map((e) => (
                    <li>
                      <code>{e}</code>
                    </li>
                  ))}
                </ul>
              </details>
            ) : null}
          </li>
        ))}
        {held.length > 0 && (
          <li>
            <details>
              <summary>
                <span class="better">held</span>{" "}
                {[...new Set(held.map(({ g }) => g.gate))].join(", ")}
              </summary>
              <ul>
                {held.map(({ g }) => (
                  <li>
                    {g.gate}: <bdi>{g.text}</bdi>
                  </li>
                ))}
              </ul>
            </details>
          </li>
        )}
      </ul>
    </>
  );
}

function Missing({ own, many }: { own: Own[]; many: boolean }) {
  return (
    <>
      {own.map(({ name, s }) =>
        s.missing?.length ? (
          <p class="muted">
            <On many={many} name={name} />
            {count(s.missing.length, "benchmark")} of the base missing here:{" "}
            <bdi>
              {s.missing
                .slice(0, maxNames)
                .map((b) => b.name)
                .join(", ")}
            </bdi>
            {s.missing.length > maxNames && ", …"}
          </p>
        ) : null,
      )}
    </>
  );
}

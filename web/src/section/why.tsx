// Why a variant differs: a block an explanation, the causes first, then what they rest on.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Section, SectionProps } from "../section";
import type { Cause, Explanation, Machine, Result } from "../types";
import { key, shown } from "../data";
import {
  change,
  count,
  duration,
  halfOf,
  interval,
  mark,
  note,
  said,
  tone,
  value,
  word,
} from "../format";
import { copy } from "../copy";
import { Warnings } from "../ui";
import { usePrinting } from "../virtual";
import { command, fn, join, place, points, sane, span, whole } from "../points";
import { Time } from "./parts";
import { Flame } from "./flame";
import { Code } from "./listing";
import { Allocs, Collector } from "./alloc";
import "./why.css";

// Up to so many explanations are there in full for print and search; of more, those that are opened.
const few = 6;

function View({ page, state }: SectionProps) {
  const machines = shown(page, state).filter((m) => m.result.explanations?.length);
  const asked = machines.some((m) =>
    m.result.explanations!.some((e) => key(e.benchmark) === state.b),
  )
    ? state.b
    : "";
  return (
    <div class="why">
      {machines.map((m, i) => (
        <>
          {page.machines.length > 1 && (
            <p class="machine">
              <b>{m.name}</b>
            </p>
          )}
          {m.result.explanations!.map((e, j) => (
            <Block
              m={m}
              e={e}
              id={i + "-" + j}
              first={asked ? key(e.benchmark) === asked : j === 0}
              linked={asked !== "" && state.open === "why"}
            />
          ))}
        </>
      ))}
    </div>
  );
}

function Block({
  m,
  e,
  id,
  first,
  linked,
}: {
  m: Machine;
  e: Explanation;
  id: string;
  first: boolean;
  linked: boolean;
}) {
  const [open, setOpen] = useState(first),
    printing = usePrinting(),
    ref = useRef<HTMLDetailsElement>(null),
    r = m.result;
  useEffect(() => {
    if (first) setOpen(true);
  }, [first]);
  // After the page has gone to the section, which it does in the same turn.
  useEffect(() => {
    if (first && linked) setTimeout(() => ref.current?.scrollIntoView());
  }, [first && linked]);
  return (
    <details
      class="explanation"
      ref={ref}
      open={open}
      onToggle={(t) => {
        if (t.target === t.currentTarget) setOpen(t.currentTarget.open);
      }}
    >
      <summary>
        <h3>
          <bdi>{e.benchmark.name}</bdi>
        </h3>{" "}
        <span>
          <bdi>{e.variant}</bdi> against <bdi>{e.base}</bdi>
        </span>{" "}
        <Measured e={e} />
      </summary>
      {(open || r.explanations!.length <= few || printing) && <Body e={e} r={r} id={id} />}
    </details>
  );
}

function Measured({ e }: { e: Explanation }) {
  const c = e.comparison,
    f = said(c),
    more = note(c);
  if (!e.metric) return null;
  return (
    <span class="measured">
      {value(e.metric, e.base_value, 0.01)} → {value(e.metric, c.value, 0.01)}{" "}
      <b class={tone(c.verdict)}>
        {mark(c)} {f.change}
      </b>{" "}
      {f.interval} {word(c.verdict)}
      {more && <span class="muted">, {more}</span>}
    </span>
  );
}

function Body({ e, r, id }: { e: Explanation; r: Result; id: string }) {
  const n = e.comparison.n;
  return (
    <div class="body">
      {e.text?.map((t, i) => (
        <p class={i === 0 ? "because" : ""}>
          <bdi>{t}</bdi>
        </p>
      ))}
      {same(e) && <p>{same(e)}</p>}
      <Causes e={e} />
      {e.cpu && (
        <Part title="time">
          <Time e={e} r={r} id={id} />
          {e.cpu.flame && <Flame e={e} />}
        </Part>
      )}
      {e.allocs && (
        <Part title="allocations">
          <Allocs e={e} />
        </Part>
      )}
      {e.gc?.rows?.length ? (
        <Part title="collector">
          <Collector e={e} />
        </Part>
      ) : null}
      {e.code && (
        <Part title="code">
          <Code e={e} />
        </Part>
      )}
      {e.layout && (
        <Part title="layout">
          <p>
            <bdi>{e.layout.text}</bdi>
          </p>
          <p class="muted">{layout(e, r)}</p>
        </Part>
      )}
      <Warnings list={e.warnings ?? []} />
      <Commands e={e} r={r} />
      <p class="muted">
        {join(
          " · ",
          e.metric ? e.metric : "",
          n > 0 ? count(n, "block") + ", interleaved" : "",
          r.run ? "run " + r.run : "",
          (e.spent_ns ?? 0) >= 1e6
            ? duration(e.spent_ns! / 1e9) + " of trials for this, in no verdict"
            : "",
        )}
      </p>
    </div>
  );
}

const Part = (p: { title: string; children: ComponentChildren }) => (
  <div class="part">
    <h4>{p.title}</h4>
    {p.children}
  </div>
);

// same tells that the code is the same where no section about the code does.
const same = (e: Explanation): string =>
  e.code
    ? ""
    : e.same_code
      ? "all functions are the same"
      : e.same_hot
        ? "the functions that matter here are the same in both"
        : "";

function Causes({ e }: { e: Explanation }) {
  const list = e.causes ?? [],
    known = list.some((c) => c.part && sane(c.part.change));
  if (!list.length || (list.length === 1 && nothing(list[0]!) && e.text?.length)) return null;
  return (
    <div class="part">
      <h4>{known ? "causes, in points of " + whole(e) : "causes"}</h4>
      <ol class="causes">
        {list.map((c) => (
          <CauseItem c={c} />
        ))}
      </ol>
    </div>
  );
}

// nothing is a cause that says no more than that none was found, which the text above it does.
const nothing = (c: Cause): boolean =>
  (c.kind === "layout" || c.kind === "unknown") && !c.part && !c.function && !c.evidence?.length;

function CauseItem({ c }: { c: Cause }) {
  const part = c.part && sane(c.part.change) ? c.part : undefined,
    name = part?.name && !(c.function ?? "").endsWith(part.name) ? fn(part.name) : "";
  const proof = c.evidence ?? [],
    where = place(c.function, c.file, c.line);
  return (
    <li>
      <bdi>{c.text}</bdi>
      <p>
        {part && (
          <>
            <b>{points(part)}</b> {span(part.interval)}
            {name && (
              <>
                {" "}
                in <bdi>{name}</bdi>
              </>
            )}
          </>
        )}
        {part && where && "  ·  "}
        <code>
          <bdi>{where}</bdi>
        </code>
      </p>
      {proof.length > 0 && (
        <details>
          <summary>{count(proof.length, "line")} of evidence</summary>
          <ul>
            {proof.map((t) => (
              <li>
                <bdi>{t}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function layout(e: Explanation, r: Result): string {
  const l = e.layout!,
    c = l.comparison,
    i = c.interval;
  return join(
    "; ",
    count(l.layouts, "layout") +
      (i && span(i) ? `: ${change(c.change, halfOf(i))} ${interval(i)} ${word(c.verdict)}` : ""),
    l.share && l.share > 0 && Number.isFinite(l.share)
      ? (100 * l.share).toFixed(0) + " % of the variance lies between layouts"
      : "",
    l.run && l.run !== r.run ? "run " + l.run : "",
    l.survives ? "the difference survives linking anew" : "",
  );
}

function Commands({ e, r }: { e: Explanation; r: Result }) {
  const list = [
    ["cpu profiles", e.cpu?.command],
    ["allocations", e.allocs?.command],
    ["again", again(e, r)],
  ].filter((c): c is [string, string] => !!c[1]);
  return (
    <ul class="commands">
      {list.map(([what, line]) => (
        <li>
          <span class="muted">{what}</span> <code>{line}</code>{" "}
          <button
            type="button"
            class="quiet"
            aria-label={"copy the command: " + what}
            onClick={() => copy(line)}
          >
            copy
          </button>
        </li>
      ))}
    </ul>
  );
}

// again is the command that prints the explanation, as the program itself tells it.
function again(e: Explanation, r: Result): string {
  if (!r.run) return r.command ?? "";
  const twice = r.tables.some((t) =>
    t.rows.some(
      (x) => x.benchmark.name === e.benchmark.name && x.benchmark.package !== e.benchmark.package,
    ),
  );
  const several = r.variants.filter((v) => v.name !== r.base && !v.same_as).length > 1;
  return command(
    "explain",
    r.run,
    twice ? key(e.benchmark) : e.benchmark.name,
    ...(several ? ["--variant", e.variant] : []),
  );
}

export const section: Section = {
  id: "why",
  title: "Why",
  follows: ["p", "b", "open"],
  shown: (p) => p.machines.some((m) => m.result.explanations?.length),
  View,
};

import { useEffect, useMemo } from "preact/hooks";
import { Quiet } from "../button";
import { key, metric, row as rowOf, spanOfNoise, table, whole, type Page } from "../data";
import { label, value } from "../format";
import { cut } from "../points";
import type { Section, SectionProps } from "../section";
import {
  coloured,
  colours,
  current,
  curves,
  direct,
  hasSteps,
  line,
  machines,
  phases,
  pinned,
  steps,
  turnPin,
} from "../steps";
import type { Column } from "../table";
import type { Machine, Metric, Row } from "../../page";
import { Chip, Figure } from "../ui";
import { domain, faint, inValues, range } from "./arcaxis";
import { extremes, Panel } from "./arcpanel";
import { Walk } from "./walk";
import "./arc.css";

// columns are those of the same as a table: the suite on each machine, and what is drawn in colour.
function columns(list: Machine[], m: Metric, lit: string[], page: Page): Column<number>[] {
  const on = (r: Machine["result"], i: number, row?: Row) =>
    i ? direct(r, table(r, m.name), steps(page)[i - 1]!.variant, row) : undefined;
  const many = list.length > 1;
  return [
    { head: "step", text: (i) => (i ? `${i} ${steps(page)[i - 1]!.variant}` : page.first.base) },
    ...list.flatMap((x): Column<number>[] => [
      {
        head: (many ? x.name + ", " : "") + label(m.name) + " vs " + x.result.base,
        num: true,
        text: (i) => (i ? line(on(x.result, i)) : "base"),
      },
      {
        head: many ? x.name + ", value" : "value",
        num: true,
        text: (i) => {
          const c = on(x.result, i),
            b = curves(page, x.result, m.name).base;
          return value(m.name, i ? (c?.value ?? NaN) : b, 0.01);
        },
      },
      ...lit.slice(0, colours).flatMap((k): Column<number>[] => {
        const row = rowOf(table(x.result, m.name), k);
        return row
          ? [
              {
                head: (many ? x.name + ", " : "") + row.benchmark.name,
                num: true,
                text: (i) => (i ? line(on(x.result, i, row)) : "base"),
              },
            ]
          : [];
      }),
    ]),
  ];
}

// Curve is the whole suite over all steps, on each machine.
function Curve(props: SectionProps) {
  const { page, state } = props,
    list = machines(page, state),
    m = metric(page, state),
    values = state.v === "value",
    raw = list.map((x) => curves(page, x.result, m?.name));
  const [all, ends] = useMemo(() => {
    const all = values ? raw.map(inValues) : raw,
      span = Math.max(0, ...list.map((x) => spanOfNoise(x.result)));
    return [all, values ? range(all, span) : domain(all, span, state.s)] as const;
  }, [...raw, state.s, values]);
  const lit = useMemo(() => coloured(page, state), [page, state.step, state.b, state.pin]);
  const chain = steps(page),
    asides = chain.flatMap((s) => (s.aside ? [`${s.number} ${s.aside}`] : []));
  if (!m) return <p class="muted">nothing was measured</p>;
  const most = Math.max(0, ...all.map((c) => c.lines.length)),
    geomean = list.some((x) =>
      whole(table(x.result, m.name), x.result.arc?.steps.at(-1)?.variant ?? ""),
    );
  return (
    <Figure
      caption={
        <>
          {label(m.name)} {values ? "at each step" : `against ${page.first.base}`}
          {list.length > 1 && "; read each machine against itself"}
        </>
      }
      name="the whole suite, step by step"
      columns={columns(list, m, lit, page)}
      rows={[...chain.keys(), chain.length]}
    >
      <div class="arcs">
        {list.map((x, i) => (
          <Panel
            {...props}
            machine={x}
            m={m}
            c={all[i]!}
            ends={ends}
            coloured={lit}
            several={page.machines.length > 1}
          />
        ))}
      </div>
      <Pins {...props} lit={lit} />
      <p class="key">
        {geomean && "bold: the suite with its interval · "}
        {most > faint
          ? `bands: the middle 50 and 90 % of ${most} benchmarks, lines: the ${extremes} that moved most`
          : "faint: a benchmark each"}
        {lit.length > colours &&
          ` · in colour: ${colours} of the ${lit.length} that this step is about`}
        {phases(page).length > 0 && " · ★ a phase begins"}
        {chain.some((s) => s.gap) && " · × not measured"}
        {asides.length > 0 && (
          <>
            {" "}
            · <bdi>{asides.join(" · ")}</bdi>
          </>
        )}
        {" · a click on a line pins it"}
      </p>
    </Figure>
  );
}

// Pins are the benchmarks that the reader keeps in colour at every step.
function Pins({ page, state, set, lit }: SectionProps & { lit: string[] }) {
  const kept = pinned(state).filter((k) => lit.includes(k));
  if (!kept.length) return null;
  return (
    <p class="pins">
      {kept.map((k) => {
        const b = page.benchmarks.find((b) => key(b) === k);
        return (
          <span>
            <Chip series={lit.indexOf(k)}>
              <bdi title={k}>{cut(b?.name ?? k, 40)}</bdi>
            </Chip>{" "}
            <Quiet onClick={() => set({ b: k }, true)}>open</Quiet>
            <Quiet aria-label={"unpin " + k} onClick={() => set({ pin: turnPin(state, k) }, true)}>
              unpin
            </Quiet>
          </span>
        );
      })}
    </p>
  );
}

// View keeps the curve in sight beside what the walk tells. A page that is opened at a step shows both.
function View(props: SectionProps) {
  const { page, state } = props,
    walking = current(page, state) >= 0;
  useEffect(() => {
    if (walking && !state.open && !state.b) document.getElementById("arc")?.scrollIntoView();
  }, []);
  return (
    <div class={"chain" + (walking ? " walking" : "")}>
      <div class="curve">
        {useMemo(
          () => (
            <Curve {...props} />
          ),
          [page, ...(["m", "v", "s", "p", "step", "b", "pin"] as const).map((k) => state[k])],
        )}
      </div>
      <Walk {...props} />
    </div>
  );
}

export const section: Section = {
  id: "arc",
  title: "The whole suite, step by step",
  shown: hasSteps,
  leads: hasSteps,
  View,
};

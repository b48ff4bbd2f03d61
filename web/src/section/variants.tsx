import type { Page } from "../data";
import {
  deciding,
  focus,
  key,
  metric,
  others,
  shown,
  spanOfNoise,
  table,
  whole,
  wordsOf,
} from "../data";
import { based, compared, Forest, scaleOf, Sides, type Line } from "../forest";
import { label, none, said } from "../format";
import { cut } from "../points";
import type { Section, SectionProps, Set } from "../section";
import type { State } from "../state";
import type { Column } from "../table";
import type { Metric, Result, VariantResult } from "../../page";
import { Figure } from "../ui";
import { asksTradeoff, Front, RaceTable, TradeoffPlot } from "./tradeoff";
import "./variants.css";

// most is the number of variants drawn; a table has them all.
const most = 200;

function View({ page, state, set }: SectionProps) {
  const m = metric(page, state),
    machines = shown(page, state);
  if (!m) return <p class="muted">nothing was measured</p>;
  const lines = new Map(machines.map((x) => [x, linesOf(x.result, m, state, set)]));
  const span = Math.max(...machines.map((x) => spanOfNoise(x.result)));
  const all = machines.flatMap((x) => lines.get(x)!.map((l) => l.c));
  return (
    <>
      <Sides machines={machines}>
        {(x, width) => (
          <Figure
            name={"variants on " + x.name}
            caption={caption(x.result, m)}
            columns={columns(m, state)}
            rows={lines.get(x)!}
          >
            <Forest
              head="variant"
              name="variants"
              lines={lines.get(x)!.slice(0, most)}
              metric={m}
              view={state.v}
              width={width}
              noted
              oneBase
              scale={(w) => scaleOf(all, span, w, state.s)}
            />
            {lines.get(x)!.length > most && (
              <p class="muted">… {lines.get(x)!.length - most} more, all of them as a table</p>
            )}
          </Figure>
        )}
      </Sides>
      {machines.some((x) => x.result.tradeoff?.points?.length && !asksTradeoff(x.result)) && (
        <TradeoffPlot machines={machines} state={state} set={set} />
      )}
      {machines.map(
        (x) =>
          wordsOf(x.result).race && (
            <RaceTable race={wordsOf(x.result).race!} name={machines.length > 1 ? x.name : ""} />
          ),
      )}
    </>
  );
}

const caption = (r: Result, m: Metric) => (
  <>
    {label(m.name)}, <bdi>{wordsOf(r).suite[m.name]}</bdi>, against {based(r.base)}
  </>
);

// linesOf has the base first, then every variant in the order of the study.
function linesOf(r: Result, m: Metric, state: State, set: Set): Line[] {
  const t = table(r, m.name),
    at = focus(r, state),
    only = t?.rows.length === 1 ? t.rows[0] : undefined;
  const cells = only?.cells ?? t?.geomean ?? [],
    counted = deciding(r)?.metric.name === m.name;
  const lines: Line[] = [{ key: r.base, label: r.base, missing: "base", under: typed(r, r.base) }];
  for (const v of others(r)) {
    const c = v.same_as ? undefined : whole(t, v.name);
    lines.push({
      key: v.name,
      label: v.name,
      c,
      cells,
      on: v.name === at,
      open: () => set({ cmp: v.name }),
      missing: v.same_as ? "≡ same code" : none,
      under: v.same_as ? (
        <span>
          same code as <bdi>{v.same_as.as}</bdi>
        </span>
      ) : counted ? (
        <Counts v={v} text={wordsOf(r).counts[v.name] ?? ""} set={set} />
      ) : undefined,
    });
  }
  return lines;
}

// typed is how one types a variant whose name does not say it.
function typed(r: Result, name: string): string | undefined {
  const words = r.variants.find((v) => v.name === name)?.words?.join(" ");
  return words && words !== name ? words : undefined;
}

function Counts({ v, text, set }: { v: VariantResult; text: string; set: Set }) {
  return (
    <>
      <span>
        {text}
        {text && v.worst && " ·\u00a0"}
      </span>
      {v.worst && (
        <>
          <span>worst:</span>
          <button
            type="button"
            class="quiet worst"
            onClick={() => set({ cmp: v.name, b: key(v.worst!.benchmark) }, true)}
          >
            <bdi title={v.worst.benchmark.name}>{cut(v.worst.benchmark.name, 24)}</bdi>{" "}
            {said(v.worst).change}
          </button>
        </>
      )}
    </>
  );
}

const columns = (m: Metric, state: State): Column<Line>[] => [
  { head: "variant", text: (l) => l.label },
  ...compared((l: Line) => ({ ...l, m }), undefined, state.v),
];

const several = (page: Page): boolean =>
  page.machines.some((m) => others(m.result).length > 1 || m.result.tradeoff || m.result.race);

export const section: Section = {
  id: "variants",
  title: "Variants",
  follows: ["m", "v", "s", "p", "cmp"],
  shown: several,
  View,
  Figure: Front,
};

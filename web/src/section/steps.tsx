import { spanOfNoise, table, wordsOf } from "../data";
import { halfOf, interval, label, change, mark, said, tone } from "../format";
import { firstSentence, Inline } from "../markdown";
import { ends } from "../plot";
import type { Section, SectionProps } from "../section";
import {
  current,
  end,
  fromPrevious,
  hasSteps,
  machines,
  phases,
  ratioOf,
  stepChange,
  stepOf,
  steps,
  told,
} from "../steps";
import { DataTable, type Column } from "../table";
import type { Comparison, Compound, Machine, Metric, StepResult } from "../../page";
import { On } from "../ui";
import "./steps.css";

// grey is what is said in grey: no change is claimed.
const grey = (c: Comparison): boolean =>
  c.verdict === "same" || c.verdict === "unclear" || c.verdict === "";

// Delta is a change with its mark and its interval; grey where none is claimed.
export function Delta({ c, whole }: { c: Comparison | undefined; whole?: boolean }) {
  const s = said(c);
  if (!c) return <span class="muted">–</span>;
  return (
    <span class={grey(c) ? "muted" : tone(c.verdict)}>
      <span>
        {s.change} {mark(c)}
      </span>{" "}
      <span>{s.interval !== "(exact)" || whole ? s.interval : ""}</span>
    </span>
  );
}

const wide = 84;

// far is the ratio beyond which an end of an interval does not widen the scale: its line leaves the bar.
const far = 256;

// Bar is a change as a length, on a logarithm, with its interval as a line across. All bars of a metric
// have one scale, which is so wide that the longest of a step fits.
function Bar({ c, most }: { c: Comparison | undefined; most: number }) {
  const r = ratioOf(c);
  if (!c || !(r > 0)) return <svg class="bar" width={wide} height={12} aria-hidden="true" />;
  const x = (ratio: number) => {
    const part = Math.log(Math.max(ratio, 1e-9)) / most;
    return wide / 2 + (Math.max(-1, Math.min(1, part)) * (wide - 2)) / 2;
  };
  const i = c.interval;
  return (
    <svg
      class={"bar " + (grey(c) ? "unclear" : tone(c.verdict))}
      width={wide}
      height={12}
      aria-hidden="true"
    >
      <path class="zero" d={`M${wide / 2} 0V12`} />
      <path class="body" d={`M${wide / 2} 3H${x(r).toFixed(1)}V9H${wide / 2}Z`} />
      {i && <path class="ends" d={`M${x(1 + i.lo).toFixed(1)} 6H${x(1 + i.hi).toFixed(1)}`} />}
    </svg>
  );
}

// A line of the table: a step, or the total (no step).
type Line = { step?: StepResult };

// scale is the logarithm that the longest bar of a step has, the same on all machines. The bar of the total
// ends at the edge where it is longer: it would make those of the steps too short to tell apart.
function scale(list: Machine[], steps: StepResult[], m: Metric): number {
  let most = Math.max(...list.map((x) => spanOfNoise(x.result)));
  for (const x of list) {
    const t = table(x.result, m.name);
    for (const c of steps.map((s) => fromPrevious(t, s.variant))) {
      for (const r of [ratioOf(c), ...ends(c?.interval).filter((r) => r > 1 / far && r < far)])
        if (r > 0) most = Math.max(most, Math.abs(Math.log(r)));
    }
  }
  return most;
}

// delta is the column of a metric on a machine.
function delta(x: Machine, m: Metric, many: boolean, most: number): Column<Line> {
  const t = table(x.result, m.name),
    of = (l: Line) => (l.step ? fromPrevious(t, l.step.variant) : end(x.result, t));
  const text = (l: Line) =>
    (l.step &&
      (stepOf(x.result, l.step.variant)?.gap?.reason || stepChange(t, l.step.variant)?.text)) ||
    "";
  return {
    head: `Δ ${m.name === "sec/op" ? "time" : m.name === "allocs/op" ? "allocs" : label(m.name)}${many ? ", " + x.name : ""}`,
    num: true,
    class: () => (many ? "many" : ""),
    text: (l) => {
      const c = of(l),
        s = said(c);
      return [s.change, c?.interval ? s.interval : "", c && mark(c), text(l)]
        .filter(Boolean)
        .join(" ");
    },
    show: (l) => {
      const c = of(l),
        words = text(l);
      return (
        <>
          <Delta c={c} />
          <Bar c={c} most={most} />
          {words && <span class="words">{words}</span>}
        </>
      );
    },
  };
}

// what is what a step does: the first sentence of its story, else what the record says of it.
const what = (s: StepResult): string =>
  [s.gap ? s.text : s.story ? firstSentence(s.story) : s.text, s.aside && `(${s.aside})`]
    .filter(Boolean)
    .join(" ");

function View({ page, state, set }: SectionProps) {
  const list = machines(page, state),
    chain = steps(page),
    now = current(page, state),
    many = list.length > 1;
  const starts = new Map(phases(page).map((p) => [p.from, p.id])),
    lines: Line[] = [...chain.map((step) => ({ step })), {}];
  const here = (l: Line, more = "") =>
    [more, l.step ? (l.step.number === now ? "now" : "") : "total"].filter(Boolean).join(" ");
  const go = (n: number) => set({ step: String(n) }, true);
  const column = (c: Column<Line>): Column<Line> => ({ ...c, class: (l) => here(l, c.class?.(l)) });
  const gates = (s: StepResult) => {
    const texts = list.map((x) => wordsOf(x.result).steps?.[s.variant]?.gates ?? "");
    return new Set(texts).size < 2
      ? (texts[0] ?? "")
      : list.map((x, i) => `${x.name}: ${texts[i] || "–"}`).join("; ");
  };
  const columns: Column<Line>[] = [
    {
      head: "step",
      text: (l) =>
        l.step
          ? `${l.step.number}${starts.has(l.step.number) ? " ★" + starts.get(l.step.number) : ""}`
          : "total",
      show: (l) =>
        l.step ? (
          <>
            {l.step.number} {starts.has(l.step.number) && <b>★{starts.get(l.step.number)}</b>}
          </>
        ) : (
          "total"
        ),
    },
    {
      head: "optimization",
      text: (l) => l.step?.variant ?? "",
      show: (l) =>
        l.step ? (
          <button
            type="button"
            class="quiet name"
            aria-current={l.step.number === now ? "step" : undefined}
            onClick={(e) => {
              e.stopPropagation();
              go(l.step!.number);
            }}
          >
            <bdi>{l.step.variant}</bdi>
          </button>
        ) : (
          ""
        ),
    },
    {
      head: "what it does",
      class: () => "what",
      text: (l) =>
        l.step ? what(l.step) : `${chain.at(-1)?.variant ?? ""} against ${page.first.base}`,
      show: (l) => (
        <bdi>
          <Inline
            text={
              l.step ? what(l.step) : `${chain.at(-1)?.variant ?? ""} against ${page.first.base}`
            }
          />
        </bdi>
      ),
    },
    ...told(page, state).flatMap((m) => {
      const most = scale(list, chain, m);
      return list.map((x) => delta(x, m, many, most));
    }),
  ];
  if (chain.some((s) => s.gates?.length))
    columns.push({
      head: "gates",
      text: (l) => (l.step ? gates(l.step) : ""),
      show: (l) => {
        const g = l.step ? gates(l.step) : "";
        return <span class={g.includes("fails") ? "failed-gate" : "muted"}>{g}</span>;
      },
    });
  return (
    <div
      class="steps"
      onClick={(e) => {
        const row = (e.target as Element).closest("tbody tr") as HTMLTableRowElement | null,
          l = row && lines[row.sectionRowIndex];
        if (l?.step && !getSelection()?.toString()) go(l.step.number);
      }}
    >
      <p class="muted">
        each step against the one before; the last line is the last step against {page.first.base}
      </p>
      <DataTable columns={columns.map(column)} rows={lines} name="steps" most={500} />
      {list.map((x) =>
        x.result.arc?.compound?.map((c) => (
          <Check
            c={c}
            m={page.metrics.find((m) => m.name === c.metric)}
            name={many ? x.name : ""}
          />
        )),
      )}
    </div>
  );
}

// Check sets the product of the steps against the change from end to end.
function Check({ c, m, name }: { c: Compound; m: Metric | undefined; name: string }) {
  if (!m) return null;
  const direct = said(c.direct);
  return (
    <p>
      <On many={!!name} name={name} />
      {label(m.name)}, all steps multiplied: {change(c.product, halfOf(c.interval))}{" "}
      {interval(c.interval)}; measured directly: {direct.change} {direct.interval}.{" "}
      {c.agree ? "The two agree." : <strong class="worse">▲ The two do not agree.</strong>}
    </p>
  );
}

export const section: Section = {
  id: "steps",
  title: "Steps",
  follows: ["m", "p", "step"],
  shown: hasSteps,
  View,
};

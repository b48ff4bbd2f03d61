import { Quiet } from "../button";
import type { Page } from "../data";
import { metric, shown, spanOfNoise, table, wordsOf } from "../data";
import { compared, Forest, scaleOf, Sides, type Line } from "../forest";
import { label } from "../format";
import type { Section, SectionProps } from "../section";
import type { Column } from "../table";
import type { Effect, Metric, Result } from "../../page";
import { Figure } from "../ui";

function View({ page, state, set }: SectionProps) {
  const m = metric(page, state),
    machines = shown(page, state),
    having = machines.filter((x) => table(x.result, m?.name)?.effects?.length);
  if (!m || !having.length) return <Elsewhere page={page} set={set} />;
  const effects = (r: Result) => table(r, m.name)!.effects!,
    span = Math.max(...having.map((x) => spanOfNoise(x.result)));
  const all = having.flatMap((x) => effects(x.result).map((e) => e.whole));
  return (
    <Sides machines={having}>
      {(x, width) => {
        const lines = effects(x.result).map((e, i) =>
          lineOf(e, i, wordsOf(x.result).effects![m.name]![i]!),
        );
        return (
          <Figure
            name={"effects on " + x.name}
            caption={<>effect of each switch on {label(m.name)}, whole suite</>}
            columns={columns(m)}
            rows={lines}
          >
            <Forest
              head="switch"
              name="effects of switches"
              lines={lines}
              metric={m}
              view={state.v === "value" ? "change" : state.v}
              width={width}
              noted
              scale={(w) => scaleOf(all, span, w, state.s)}
            />
          </Figure>
        );
      }}
    </Sides>
  );
}

// Elsewhere says where the effects are: only tables that decide have them.
function Elsewhere({ page, set }: Pick<SectionProps, "page" | "set">) {
  const there = page.metrics.filter((m) =>
    page.machines.some((x) => table(x.result, m.name)?.effects?.length),
  );
  return (
    <p class="muted">
      Effects are known of{" "}
      {there.map((m, i) => (
        <>
          {i > 0 && ", "}
          <Quiet onClick={() => set({ m: m.name })}>{label(m.name)}</Quiet>
        </>
      ))}
      : only metrics that decide have them.
    </p>
  );
}

const lineOf = (e: Effect, i: number, [group, label]: [string, string]): Line => ({
  key: String(i),
  label,
  c: e.whole,
  group,
  under: e.whole.verdict === "same code" ? e.whole.reason : undefined,
});

const columns = (m: Metric): Column<Line>[] => [
  { head: "switch", text: (l) => l.label },
  { head: "what", text: (l) => l.group ?? "" },
  ...compared((l: Line) => ({ c: l.c, m })),
];

// oneFactor: all effects are of one switch and nothing was held; then the variants say the same.
const oneFactor = (all: Effect[]): boolean =>
  all.every(
    (e) =>
      e.switches.length === 1 && !e.held && e.switches[0]?.factor === all[0]?.switches[0]?.factor,
  );

const known = (page: Page): boolean =>
  page.machines.some((m) =>
    m.result.tables.some((t) => t.effects?.length && !oneFactor(t.effects)),
  );

export const section: Section = {
  id: "factors",
  title: "Factors",
  follows: ["m", "v", "s", "p"],
  shown: known,
  View,
};

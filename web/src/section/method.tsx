import { Markdown } from "../markdown";
import { facts } from "../platform";
import { duration, int, label, margin } from "../format";
import type { Page } from "../data";
import type { Section, SectionProps } from "../section";
import { DataTable, type Column } from "../table";
import type { Result, Rule, Spent, VariantResult } from "../types";
import "./method.css";

function View({ page }: SectionProps) {
  const r = page.first,
    report = r.report,
    caveats = report?.caveats ?? [];
  return (
    <div class="method">
      <div>
        {report?.intro && (
          <div class="prose">
            <Markdown text={report.intro} />
          </div>
        )}
        {caveats.length > 0 && (
          <>
            <h3>Caveats</h3>
            <ul class="prose">
              {caveats.map((c) => (
                <li>
                  <Markdown text={c} />
                </li>
              ))}
            </ul>
          </>
        )}
        <h3>How it was measured</h3>
        <ul class="prose">
          {told(page).map((t) => (
            <li>
              <bdi>{t}</bdi>
            </li>
          ))}
        </ul>
        <h3>Variants</h3>
        <DataTable name="variants and how they are set" columns={columns(r)} rows={r.variants} />
      </div>
      <div>
        <h3>{page.machines.length > 1 ? "Machines" : "Machine"}</h3>
        <Machines page={page} />
      </div>
    </div>
  );
}

// told are the facts that make the method: what the program says of the plan, then the figures of the record.
function told(page: Page): string[] {
  const list = page.machines.flatMap((m) =>
    spent(m.result.spent).map((t) => (page.machines.length > 1 ? m.name + ": " : "") + t),
  );
  return [
    ...(page.data.method?.length ? page.data.method : plain(page.first)),
    ...list,
    ...rule(page.first.rule),
  ];
}

// plain is what holds of every run, for a result that came without its plan.
const plain = (r: Result): string[] =>
  r.spent.blocks
    ? [
        "in each block the variants run back to back, every trial in a fresh process, in an order drawn anew",
        "no observation was removed",
      ]
    : [];

const stops: Record<string, string> = {
  decided: "everything was decided",
  budget: "the budget was spent",
  blocks: "the number of blocks was reached",
  interrupted: "it was interrupted",
  "nothing left": "nothing was left to measure",
  "same code": "the variants are the same code",
};

function spent(s: Spent): string[] {
  if (!s.blocks) return [];
  const stop = stops[s.stop] ?? s.stop;
  return [
    `spent: ${int(s.blocks)} blocks, ${int(s.trials)} trials, ${duration(s.time_ns / 1e9)}${stop ? "; it ended because " + stop : ""}`,
  ];
}

function rule(r: Rule): string[] {
  const metrics = r.metrics ?? [],
    claims =
      r.claims > 1
        ? `; of the claims over all ${r.claims} comparisons 5 % are false at most (e-BH)`
        : "";
  return [
    `rule: ${metrics.length ? metrics.map(label).join(", ") + (metrics.length > 1 ? " decide; " : " decides; ") : ""}the smallest change that counts is ${margin(r.min_effect)}, intervals are of ${margin(r.confidence)}, nothing is decided before ${r.min_blocks} blocks${claims}`,
    ...(r.gate ? [`gate: a proved slowdown of more than ${margin(r.gate)} fails`] : []),
    ...(r.scope
      ? [
          `layout: the verdicts are ${r.scope}, and no statement about the code apart from its placement`,
        ]
      : []),
  ];
}

function columns(r: Result): Column<VariantResult>[] {
  const all: Column<VariantResult>[] = [
    { head: "variant", text: (v) => v.name },
    {
      head: "set",
      text: (v) => (v.words ?? []).join(" "),
      show: (v) => <code>{(v.words ?? []).join(" ")}</code>,
    },
    { head: "toolchain", text: (v) => v.go_version ?? "" },
    {
      head: "commit",
      text: (v) => (v.commit ?? "").slice(0, 12),
      show: (v) => <code title={v.commit}>{(v.commit ?? "").slice(0, 12)}</code>,
    },
    {
      head: "profile",
      text: (v) =>
        v.profile
          ? `${v.profile.path}, ${v.profile.samples} samples, ${Math.round(100 * v.profile.match)} % match`
          : "",
    },
    {
      head: "note",
      text: (v) =>
        v.name === r.base
          ? "base"
          : v.same_as
            ? "≡ same code as " + v.same_as.as + (v.same_as.control ? ", used as control" : "")
            : "",
    },
  ];
  return all.filter((c, i) => i === 0 || r.variants.some((v) => c.text(v)));
}

function Machines({ page }: { page: Page }) {
  const each = page.machines.map((m) => new Map(facts(m.result.platform))),
    names = [...new Set(each.flatMap((m) => [...m.keys()]))];
  if (!names.length) return <p class="muted">not known: the results were read from files</p>;
  const columns: Column<string>[] = [
    { head: "fact", text: (n) => n },
    ...page.machines.map((m, i) => ({
      head: page.machines.length > 1 ? m.name : "value",
      text: (n: string) => each[i]!.get(n) ?? "–",
    })),
  ];
  return <DataTable name="facts about the machines" columns={columns} rows={names} />;
}

export const section: Section = {
  id: "method",
  title: "Method and caveats",
  follows: [],
  shown: () => true,
  View,
};

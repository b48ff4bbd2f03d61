// The card that answers: which variant, how sure, how much, except where, on what machine.
// Every word of it is the record's.
import type { ComponentChildren } from "preact";
import { deciding, others, shown, whole, key } from "../data";
import { bad, change, good, label, margin, mark, plusMinus, said, tone, word } from "../format";
import { platform } from "../platform";
import type { Section, SectionProps } from "../section";
import type { Comparison, Machine, Noise, Result, VariantResult } from "../types";
import { Remedy, Warnings } from "../ui";
import "./answer.css";

function View({ page, state }: SectionProps) {
  return (
    <>
      <Warnings list={page.warnings} />
      <div class="answers">
        {shown(page, state).map((m) => (
          <Card key={m.name} machine={m} named={page.machines.length > 1} />
        ))}
      </div>
    </>
  );
}

function Card({ machine, named }: { machine: Machine; named: boolean }) {
  const r = machine.result,
    a = r.answer,
    v = told(r);
  return (
    <article
      class={
        "answer " +
        (good(a.verdict) ? "for" : bad(a.verdict) ? "against" : "") +
        (a.decided ? "" : " open")
      }
    >
      <div>
        {named && (
          <h3>
            <bdi>{machine.name}</bdi>
          </h3>
        )}
        <div class="text">
          {a.text.map((t) => (
            <p>
              <bdi>{t}</bdi>
            </p>
          ))}
        </div>
        {!a.decided && <strong class="tag">NOT DECIDED</strong>}
        {a.gate && (
          <strong class={"tag " + a.gate}>
            gate {a.gate}
            {r.rule.gate ? ": " + margin(r.rule.gate) : ""}
          </strong>
        )}
      </div>
      <dl>
        <Fact name="how sure">{[a.basis, r.rule.scope].filter(Boolean).join(" · ")}</Fact>
        <Fact name="how much">{v && amounts(r, v)}</Fact>
        <Fact name={v?.worst ? "except" : "benchmarks"}>{v && except(r, v)}</Fact>
        <Fact name="measured">
          {[...platform(r.platform), toolchain(r)].filter(Boolean).join(" · ")}
        </Fact>
        <Fact name="noise">{noise(r.noise)}</Fact>
        {!!r.warnings?.length && (
          <Fact name="warnings">
            <details class="warning">
              <summary>
                ⚠ {r.warnings.length}:{" "}
                {r.warnings.map((w, i) => (
                  <>
                    {i > 0 && ", "}
                    <code>{w.code}</code>
                  </>
                ))}
              </summary>
              {r.warnings.map((w) => (
                <div>
                  <p>
                    ⚠ <bdi>{w.text}</bdi> <code>[{w.code}]</code>
                  </p>
                  <Remedy warning={w} />
                </div>
              ))}
            </details>
          </Fact>
        )}
      </dl>
    </article>
  );
}

const Fact = (p: { name: string; children: ComponentChildren }) =>
  p.children ? (
    <div>
      <dt>{p.name}</dt>
      <dd>
        <bdi>{p.children}</bdi>
      </dd>
    </div>
  ) : null;

// told is the variant whose figures the card gives: the one to use, the last step, else the best by its value.
function told(r: Result): VariantResult | undefined {
  const list = others(r).filter((v) => !v.same_as),
    t = deciding(r);
  const used = list.find((v) => v.name === r.answer.use);
  if (used || r.arc) return used ?? list.at(-1);
  const up = t?.metric.better === "higher" ? -1 : 1,
    at = (v: VariantResult) => up * (whole(t, v.name)?.change ?? up * 1e9);
  return list.sort((a, b) => at(a) - at(b))[0];
}

// amounts are the changes over the whole suite, of each metric that decides.
function amounts(r: Result, v: VariantResult): ComponentChildren {
  const list = r.tables.filter((t) => t.decides && whole(t, v.name)).slice(0, 4);
  if (!list.length) return null;
  return (
    <>
      <bdi title={v.name}>{v.name}</bdi> against <bdi title={r.base}>{r.base}</bdi>:{" "}
      {list.map((t, i) => (
        <>
          {i > 0 && " · "}
          <Amount name={label(t.metric.name)} c={whole(t, v.name)!} />
        </>
      ))}
    </>
  );
}

function Amount({ name, c }: { name?: string; c: Comparison }) {
  const told = said(c);
  return (
    <span class="amount">
      {name}{" "}
      <span class={tone(c.verdict)}>
        {mark(c)} {told.change}
      </span>{" "}
      {told.interval} {word(c.verdict)}
    </span>
  );
}

// except is the largest change for the worse, and how the benchmarks are counted.
function except(r: Result, v: VariantResult): ComponentChildren {
  const t = deciding(r),
    [better, worse] = t?.metric.name.match(/sec\/op$|^latency/)
      ? ["faster", "slower"]
      : ["better", "worse"];
  const counts = [
    [v.worse, worse],
    [v.unclear, "unclear"],
    [v.same, "same"],
    [v.better, better],
  ]
    .filter(([n]) => n)
    .map((c) => c.join(" "))
    .join(" · ");
  if (!v.worst) return counts;
  return (
    <>
      <bdi title={key(v.worst.benchmark)}>{v.worst.benchmark.name}</bdi> <Amount c={v.worst} />
      {counts && " · " + counts}
    </>
  );
}

function noise(n: Noise): string {
  if (!n.control) return "not known: no control ran";
  if (!n.floor && n.change) return change(n.change, 0.01) + " so far (A/A)";
  if (!n.floor) return "not known yet (A/A)";
  const wrong = n.false
    ? `, ${n.false} of ${Math.max(n.cells?.length ?? 0, n.false)} called different`
    : "";
  return plusMinus(n.floor) + " (A/A" + wrong + ")";
}

// toolchain is that of all variants, "" where it is not one.
function toolchain(r: Result): string {
  const all = new Set(r.variants.map((v) => v.go_version).filter(Boolean));
  return all.size === 1 ? [...all][0]! : "";
}

export const section: Section = {
  id: "answer",
  title: "Answer",
  follows: ["p"],
  shown: () => true,
  View,
};

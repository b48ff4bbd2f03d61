// The card that answers: which variant, how sure, how much, except where, on what machine.
// Every word of it is the record's.
import { shown, wordsOf } from "../data";
import { Markdown } from "../markdown";
import { Ruler } from "../ruler";
import { bad, good, margin } from "../format";
import type { Section, SectionProps } from "../section";
import { sections } from "../sections";
import type { Machine, OverWords } from "../../page";
import { Told } from "../table";
import { Known, Remedy, Sentence, Warnings } from "../ui";
import "./answer.css";

function View(props: SectionProps) {
  const { page, state } = props;
  const ruled = page.machines.filter((m) => wordsOf(m.result).large);
  return (
    <>
      <Warnings list={page.warnings} />
      {page.data.words.over && <Over of={page.data.words.over} />}
      <div class={"answers" + (page.data.words.over ? " several" : "")}>
        {shown(page, state).map((m) => (
          <Card
            {...props}
            key={m.name}
            machine={m}
            named={page.machines.length > 1}
            figure={ruled.indexOf(m)}
          />
        ))}
      </div>
      {page.first.report?.intro && !page.first.arc && (
        <div class="prose">
          <Markdown text={page.first.report.intro} />
        </div>
      )}
    </>
  );
}

// Over is the answer over all machines, and what each of them shows of every variant.
const Over = ({ of: o }: { of: OverWords }) => (
  <article
    class={
      "answer over " +
      (o.class?.includes("better") ? "for" : o.class?.includes("worse") ? "against" : "") +
      (o.open ? " open" : "")
    }
  >
    <div>
      <h3>{o.name}</h3>
      <div class="text">
        {o.text.map((t) => (
          <p>
            <Sentence text={t} />
          </p>
        ))}
      </div>
      <p class="muted">
        <Sentence text={o.basis} />
      </p>
    </div>
    <div>
      <Told of={o.table} />
    </div>
  </article>
);

function Card(p: SectionProps & { machine: Machine; named: boolean; figure: number }) {
  const { page, state, set, machine, named } = p,
    r = machine.result,
    a = r.answer,
    { large, open } = wordsOf(r),
    over = page.data.words.over,
    list = sections().filter((s) => s.shown(page)),
    led = !over && list.some((s) => s.leads?.(page));
  const warnings = r.warnings ?? [],
    codes = warnings.map((w) => w.code);
  const known = (
    <Known list={wordsOf(r).answer}>
      {!!warnings.length && (
        <div>
          <dt>warnings</dt>
          <dd>
            <details class="warning">
              <summary>
                ⚠ {warnings.length}:{" "}
                {[...new Set(codes)].map((code, i) => {
                  const n = codes.filter((c) => c === code).length;
                  return (
                    <>
                      {i > 0 && ", "}
                      {n > 1 && `${n} × `}
                      <code>{code}</code>
                    </>
                  );
                })}
              </summary>
              {warnings.map((w) => (
                <div>
                  <p>
                    ⚠ <bdi>{w.text}</bdi> <code>[{w.code}]</code>
                  </p>
                  <Remedy warning={w} />
                </div>
              ))}
            </details>
          </dd>
        </div>
      )}
    </Known>
  );
  return (
    <article
      class={
        "answer " +
        (good(a.verdict) ? "for" : bad(a.verdict) ? "against" : "") +
        (open ? " open" : "")
      }
    >
      <div>
        {named && (
          <h3>
            <bdi>{machine.name}</bdi>
          </h3>
        )}
        {large && (
          <p class={"large " + (large.class ?? "")}>
            {large.text} <span class="of">{large.of}</span>
          </p>
        )}
        <div class="text">
          {a.text.map((t) => (
            <p>
              <Sentence text={t} />
            </p>
          ))}
        </div>
        {open && <strong class="tag">{open.toUpperCase()}</strong>}
        {a.gate && (
          <strong class={"tag " + a.gate}>
            gate {a.gate}
            {r.rule.gate ? ": " + margin(r.rule.gate) : ""}
          </strong>
        )}
        {large && list.map((s) => s.Handle && <s.Handle {...{ page, state, set, machine }} />)}
      </div>
      {large && !led && (
        <div class="figures">
          {list.map((s) => s.Figure && <s.Figure {...{ page, state, set, machine }} />)}
          <Ruler at={p.figure} />
        </div>
      )}
      {over || led ? (
        <details class="more" open={led && innerWidth >= 860}>
          <summary>{over?.more ?? "how sure, how much, on what machine"}</summary>
          {known}
        </details>
      ) : (
        known
      )}
    </article>
  );
}

export const section: Section = {
  id: "answer",
  title: "Answer",
  follows: ["p", "n", "me", "wo", "cmp", "s"],
  shown: () => true,
  View,
};

import { Markdown } from "../markdown";
import { wordsOf } from "../data";
import type { Section, SectionProps } from "../section";
import { Told } from "../table";
import "./method.css";

function View({ page }: SectionProps) {
  const r = page.first,
    caveats = r.report?.caveats ?? [];
  return (
    <div class="method">
      <div>
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
          {(page.data.method ?? []).map((t) => (
            <li>
              <bdi>{t}</bdi>
            </li>
          ))}
        </ul>
        <h3>Variants</h3>
        <Told of={wordsOf(r).variants} />
      </div>
      <div>
        <h3>{page.machines.length > 1 ? "Machines" : "Machine"}</h3>
        {page.data.words.facts.rows.length ? (
          <Told of={page.data.words.facts} />
        ) : (
          <p class="muted">unknown: the results were read from files</p>
        )}
      </div>
    </div>
  );
}

export const section: Section = {
  id: "method",
  title: "Method and caveats",
  follows: [],
  shown: () => true,
  View,
};

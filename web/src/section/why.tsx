// Why a variant differs: a block an explanation, the causes first, then what they rest on.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Section, SectionProps } from "../section";
import type { Explanation, Machine, WhyWords } from "../../page";
import { key, shown, spanOfNoise, wordsOf } from "../data";
import { count, mark, note, said, tone, word } from "../format";
import { Copy } from "../button";
import { Warnings } from "../ui";
import { usePrinting } from "../virtual";
import { Told } from "../table";
import { Time } from "./parts";
import { Flame } from "./flame";
import { Func } from "./listing";
import "./why.css";

// Up to so many explanations are there in full for print and search; of more, those that are opened.
const few = 6;

function View({ page, state, set }: SectionProps) {
  const machines = shown(page, state).filter((m) => m.result.explanations?.length);
  const asked = machines.some((m) =>
    m.result.explanations!.some((e) => key(e.benchmark) === state.b),
  )
    ? state.b
    : "";
  const [, zoomed, frame] = /^(\d+-\d+)-(\d+)$/.exec(state.z) ?? [];
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
              w={wordsOf(m.result).why![j]!}
              id={i + "-" + j}
              first={asked ? key(e.benchmark) === asked : j === 0}
              linked={asked !== "" && state.open === "why" && !zoomed}
              zoom={zoomed === i + "-" + j ? Number(frame) : 0}
              setZoom={(n) => set({ z: n ? `${i}-${j}-${n}` : "" }, true)}
            />
          ))}
        </>
      ))}
    </div>
  );
}

// A Zoom is the frame that the flame graph shows in full width; 0 is all.
interface Zoom {
  zoom: number;
  setZoom: (frame: number) => void;
}

function Block(
  p: Zoom & {
    m: Machine;
    e: Explanation;
    w: WhyWords;
    id: string;
    first: boolean;
    linked: boolean;
  },
) {
  const { m, e, w, id, first, linked, zoom, setZoom } = p;
  const [open, setOpen] = useState(first || zoom > 0),
    printing = usePrinting(),
    ref = useRef<HTMLDetailsElement>(null),
    r = m.result;
  useEffect(() => {
    if (first) setOpen(true);
  }, [first]);
  // After the page has gone to the section, which it does in the same turn.
  useEffect(() => {
    if (first && linked)
      requestAnimationFrame(() => setTimeout(() => ref.current?.scrollIntoView()));
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
        <Measured e={e} values={w.values} />
      </summary>
      {(open || r.explanations!.length <= few || printing) && (
        <Body
          e={e}
          w={w}
          least={Math.expm1(spanOfNoise(r))}
          id={id}
          zoom={zoom}
          setZoom={setZoom}
        />
      )}
    </details>
  );
}

function Measured({ e, values }: { e: Explanation; values: string | undefined }) {
  const c = e.comparison,
    f = said(c),
    more = note(c);
  if (!values) return null;
  return (
    <span class="measured">
      {values}{" "}
      <b class={tone(c.verdict)}>
        {mark(c)} {f.change}
      </b>{" "}
      {f.interval} {word(c)}
      {more && <span class="muted">, {more}</span>}
    </span>
  );
}

function Body(p: Zoom & { e: Explanation; w: WhyWords; least: number; id: string }) {
  const { e, w, least, id, zoom, setZoom } = p;
  return (
    <div class="body">
      {e.text?.map((t, i) => (
        <p class={i === 0 ? "because" : ""}>
          <bdi>{t}</bdi>
        </p>
      ))}
      {w.same && <p>{w.same}</p>}
      {w.causes && <Causes e={e} w={w} />}
      {w.ways && (
        <Part title="time">
          <Time e={e} w={w} least={least} id={id} />
          {e.cpu?.flame && (
            <Flame e={e} sides={w.sides} root={e.cpu.flame} zoom={zoom} setZoom={setZoom} />
          )}
        </Part>
      )}
      {w.sections?.map((s) => (
        <Part title={s.title}>
          {s.lines?.map((l) => (
            <p>
              <bdi>{l}</bdi>
            </p>
          ))}
          {s.tables?.map((t) => (
            <Told of={t} most={40} />
          ))}
          {s.title === "code" &&
            w.funcs?.map((f, i) => (
              <Func w={w} f={f} list={e.code?.functions?.[i]?.listing ?? []} open={i === 0} />
            ))}
          {s.note && <p class="muted">{s.note}</p>}
        </Part>
      ))}
      <Warnings list={e.warnings ?? []} />
      <Commands list={w.commands ?? []} />
      <p class="muted">{w.foot}</p>
    </div>
  );
}

const Part = (p: { title: string; children: ComponentChildren }) => (
  <div class="part">
    <h4>{p.title}</h4>
    {p.children}
  </div>
);

const Causes = ({ e, w }: { e: Explanation; w: WhyWords }) => (
  <div class="part">
    <h4>{w.title}</h4>
    <ol class="causes">
      {e.causes?.map(({ text, evidence = [] }, i) => (
        <li>
          <bdi>{text}</bdi>
          <p>
            {w.causes?.[i]?.share && <b>{w.causes[i].share}</b>}
            {w.causes?.[i]?.share && w.causes[i].place && "  ·  "}
            <code>
              <bdi>{w.causes?.[i]?.place}</bdi>
            </code>
          </p>
          {evidence.length > 0 && (
            <details>
              <summary>{count(evidence.length, "line")} of evidence</summary>
              <ul>
                {evidence.map((t) => (
                  <li>
                    <bdi>{t}</bdi>
                  </li>
                ))}
              </ul>
            </details>
          )}
        </li>
      ))}
    </ol>
  </div>
);

const Commands = ({ list }: { list: { what: string; line: string }[] }) => (
  <ul class="commands">
    {list.map(({ what, line }) => (
      <li>
        <span class="muted">{what}</span> <code>{line}</code> <Copy what={what} line={line} />
      </li>
    ))}
  </ul>
);

export const section: Section = {
  id: "why",
  title: "Why",
  follows: ["p", "b", "open", "z"],
  shown: (p) => p.machines.some((m) => m.result.explanations?.length),
  View,
};

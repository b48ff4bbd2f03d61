// How the run came to its answer, block by block, and what would change it: other minimum effects, or one
// benchmark less. All verdicts and sentences are the record's: this moves marks between them.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { band, linear, poly, ratioTicks, relative, ticksAt } from "../chart";
import { focus, shown, spanOfNoise, type Page } from "../data";
import { label, tone } from "../format";
import { move as moveMarks } from "../marks";
import { across, level, Plot, Reach, Sized, upright, upward } from "../plot";
import type { Section, SectionProps, Set as Choose } from "../section";
import type { State } from "../state";
import { DataTable, type Column } from "../table";
import { On, Sentence } from "../ui";
import type { LookHeadWords, LookWords, Machine, Replay } from "../../page";
import "./replay.css";

// The choices of the address that a look is at: blocks, or conditions.
type Kind = "n" | "me" | "wo";
type Place = Pick<State, Kind>;
const whole: Place = { n: "", me: "", wo: "" };

const withKey = (list: LookWords[] | undefined, key: string): LookWords | undefined =>
  list?.find((l) => l.key === key);

// lookOf is what a machine's run says there: its last frame of no more blocks, or the same conditions.
function lookOf(r: Replay, s: Place): LookWords | undefined {
  return (
    (!s.n &&
      (withKey(r.both, s.me + " " + s.wo) ??
        withKey(r.margins, s.me) ??
        withKey(r.without, s.wo))) ||
    (s.n && r.frames.findLast((l) => Number(l.key) <= Number(s.n))) ||
    r.frames.at(-1)
  );
}

const replayOf = (page: Page, m: Machine): Replay | undefined =>
  page.data.replays?.find((r) => page.machines[r.machine] === m);

// While one drags, the place is here and not in the address yet: a browser takes few changes of that in a second.
let dragged: Place | undefined;
const watchers = new Set<() => void>();

function drag(to: Place | undefined): void {
  dragged = to;
  watchers.forEach((w) => w());
}

// usePlace is the place that is dragged to, else that of the address.
function usePlace(state: State): Place {
  const [, again] = useState(0);
  useLayoutEffect(() => {
    const watch = () => again((n) => n + 1);
    watchers.add(watch);
    return () => void watchers.delete(watch);
  }, []);
  useLayoutEffect(() => {
    if (dragged) drag(undefined);
  }, [state.n, state.me, state.wo]);
  return dragged ?? state;
}

// Blocks is the slider over the frames of a machine.
function Blocks(p: {
  replay: Replay;
  place: Place;
  set: Choose;
  label: string;
  children?: ComponentChildren;
}) {
  const { frames } = p.replay,
    last = frames.length - 1,
    look = lookOf(p.replay, p.place)!,
    at = frames.indexOf(look),
    value = at < 0 ? last : at;
  const of = (i: number): Place => ({ ...whole, n: i < last ? frames[i]!.key : "" });
  return (
    <Slider
      label={p.label}
      n={frames.length}
      value={value}
      text={look.label}
      move={(i) => drag(of(i))}
      keep={(i) => keep(p.set, of(i))}
    >
      {p.children}
    </Slider>
  );
}

// keep puts a place into the address.
function keep(set: Choose, to: Place): void {
  set(to);
  drag(undefined);
}

// Handle moves the answer itself: its number and its sentence are those of the look.
function Handle({ page, state, set, machine }: SectionProps & { machine: Machine }) {
  const place = usePlace(state),
    r = replayOf(page, machine),
    look = r && lookOf(r, place);
  if (!r || !look) return null;
  const { large } = look;
  return (
    <>
      {look !== r.frames.at(-1) && (
        <div class="then">
          {large && (
            <p class={"large " + (large.class ?? "")}>
              {large.text} <span class="of">{large.of}</span>
            </p>
          )}
          <div class="text">
            <p class={look.answer ? "" : "muted"}>
              <Sentence
                text={look.answer || `${r.whole}: ${machine.result.answer.text[0] ?? ""}`}
              />
            </p>
            <p class="muted">{r.rest}</p>
          </div>
          {look.open && <strong class="tag">{look.open.toUpperCase()}</strong>}
        </div>
      )}
      {r.frames.length > 1 && <Blocks replay={r} place={place} set={set} label="replay" />}
    </>
  );
}

// still is whether the reader wants nothing to move by itself.
const still = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

function View({ page, state, set }: SectionProps) {
  const place = usePlace(state),
    [playing, play] = useState(false),
    at = { ...state, ...place },
    machines = shown(page, state).filter((m) => replayOf(page, m)),
    longest = machines
      .map((m) => replayOf(page, m)!)
      .sort((a, b) => b.frames.length - a.frames.length)[0];
  const frames = longest?.frames ?? [],
    last = frames.length - 1,
    look = longest && lookOf(longest, place),
    found = frames.indexOf(look!),
    frame = found < 0 ? last : found;
  useEffect(() => {
    if (!playing) return;
    const next = setTimeout(() => {
      if (frame < last - 1) return drag({ ...whole, n: frames[frame + 1]!.key });
      play(false);
      keep(set, whole);
    }, pace);
    return () => clearTimeout(next);
  }, [playing, frame]);
  if (!longest) return null;
  const margins = longest.margins ?? [],
    without = longest.without ?? [],
    chosen = found < 0 ? margins.findIndex((l) => l.key === place.me) : -1,
    margin = chosen < 0 ? longest.fixed : chosen,
    left = found < 0 && (chosen < 0 || longest.both) ? place.wo : "";
  const least = (i: number): Place => ({
      n: "",
      me: i === longest.fixed ? "" : margins[i]!.key,
      wo: longest.both ? left : "",
    }),
    leave = (key: string): Place => ({
      n: "",
      me: longest.both && chosen >= 0 ? place.me : "",
      wo: key,
    });
  return (
    <>
      <div class="replays">
        <Blocks replay={longest} place={place} set={set} label="blocks">
          {!still() && (
            <button
              type="button"
              onClick={() => {
                play(!playing);
                if (!playing && frame >= last) drag({ ...whole, n: frames[0]!.key });
              }}
            >
              {playing ? "stop" : "play"}
            </button>
          )}
        </Blocks>
        {margins.length > 1 && (
          <Slider
            label="minimum effect"
            n={margins.length}
            value={margin}
            text={margins[margin]!.short}
            move={(i) => (play(false), drag(least(i)))}
            keep={(i) => keep(set, least(i))}
          />
        )}
        {without.length > 0 && (
          <label class="choice menu">
            <span>without</span>
            <select
              name="without"
              value={left}
              onChange={(e) => {
                play(false);
                keep(set, leave(e.currentTarget.value));
              }}
            >
              <option value="">no benchmark left out</option>
              {without.map((l) => (
                <option value={l.key} selected={l.key === left}>
                  {l.short}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {longest.limits && <p class="muted">{longest.limits}</p>}
      {longest.note && look?.least && <p class="muted">{longest.note}</p>}
      {machines.map((m) => (
        <Look
          key={m.name}
          machine={m}
          place={shown(page, state).indexOf(m)}
          replay={replayOf(page, m)!}
          state={at}
          many={page.machines.length > 1}
          go={(key) => keep(set, { ...whole, n: key })}
        />
      ))}
      {longest.chain && <p class="muted">{longest.chain}</p>}
    </>
  );
}

// pace is how long a frame is shown while it plays, in ms.
const pace = 150;

// Slider is a range with its value in words. It moves as it is dragged, and is kept in the address once it rests.
function Slider(p: {
  label: string;
  n: number;
  value: number;
  text: string;
  move: (i: number) => void;
  keep: (i: number) => void;
  children?: ComponentChildren;
}) {
  return (
    <div class="slider">
      <label>
        <span>{p.label}</span>
        <input
          type="range"
          min={0}
          max={p.n - 1}
          step={1}
          value={p.value}
          aria-valuetext={p.text}
          onInput={(e) => p.move(e.currentTarget.valueAsNumber)}
          onChange={(e) => p.keep(e.currentTarget.valueAsNumber)}
        />
      </label>
      <span class="at" aria-hidden="true">
        {p.text}
      </span>
      {p.children}
    </div>
  );
}

// A Row is a variant, or a benchmark of the only one, with what is said of it.
type Row = LookHeadWords & { name: string; since: string };

const columns = (decided: string): Column<Row>[] => [
  { head: "variant", text: (r) => r.name, show: (r) => <bdi>{r.name}</bdi> },
  { head: "change", num: true, text: (r) => r.change ?? "" },
  { head: "interval", num: true, text: (r) => r.interval ?? "" },
  {
    head: "verdict",
    text: (r) => r.word ?? "",
    class: (r) => tone(r.verdict ?? ""),
  },
  { head: "benchmarks", text: (r) => r.counts ?? "", maybe: true },
  { head: decided, text: (r) => r.since || (r.note ?? ""), maybe: true },
];

// sinceWhen is the first frame from which on a row stays decided, as far as the one that is looked at.
function sinceWhen(r: Replay, row: number, at: LookWords): string {
  const list = r.frames.slice(0, r.frames.indexOf(at) + 1),
    open = list.findLastIndex((f) => !f.heads[row]!.decided);
  return list[open + 1]?.label ?? "";
}

// Look is what a machine's run says at the chosen place: a sentence where there is one, a line a row, and the
// verdict ruler of the answer, whose marks it moves.
function Look(p: {
  machine: Machine;
  place: number;
  replay: Replay;
  state: State;
  many: boolean;
  go: (key: string) => void;
}) {
  const { replay: r } = p,
    look = lookOf(r, p.state),
    last = r.frames.at(-1);
  useLayoutEffect(() => {
    const figure = document.querySelectorAll(".answers > .answer")[p.place];
    if (figure && look) moveMarks(figure, r, look === last ? undefined : look);
  });
  useEffect(
    () => () => {
      for (const figure of document.querySelectorAll(".answers > .answer"))
        moveMarks(figure, r, undefined);
    },
    [],
  );
  if (!look) return null;
  const rows = look.heads
    .map((h, i): Row => {
      const { variant, benchmark } = r.rows[i]!;
      return { ...h, name: benchmark || variant, since: sinceWhen(r, i, look) };
    })
    .filter((h) => h.verdict);
  return (
    <div class="look">
      <output aria-live={look.answer ? "polite" : "off"}>
        <On name={p.machine.name} many={p.many} />
        <b>
          <bdi>{look.label}</bdi>
        </b>
        {look.answer && (
          <>
            : <Sentence text={look.answer} />
          </>
        )}
      </output>
      <div class="looks">
        <DataTable columns={columns(r.decided)} rows={rows} name={look.label} />
        <Sized>{(width) => <Course {...p} look={look} width={width} />}</Sized>
      </div>
    </div>
  );
}

// Course is how the interval of the variant in focus narrowed, with the minimum effect and the place that is looked at.
function Course(p: {
  machine: Machine;
  replay: Replay;
  state: State;
  look: LookWords;
  width: number;
  go: (key: string) => void;
}) {
  const r = p.machine.result,
    variant = focus(r, p.state),
    i = p.replay.rows.findIndex((x) => x.variant === variant);
  const all = p.replay.frames.filter((f) => f.heads[i]?.at),
    n = all.length,
    last = all.at(-1);
  if (n < 2 || !last) return null;
  const of = (k: number) => all[k]!.heads[i]!,
    block = (k: number) => Number(all[k]!.key),
    settled = all.slice(Math.floor(n / 3)).flatMap((f) => f.heads[i]!.at!);
  const least = p.look.least ?? r.rule.min_effect;
  const x = linear(block(0), block(n - 1), ...across(p.width)),
    // The first intervals may be a hundred times as wide as the last.
    y = relative(
      settled.map((c) => 1 + c),
      spanOfNoise(r),
      ...upward,
    );
  const clip = (c: number | undefined) =>
      c === undefined ? NaN : Math.max(upward[1], Math.min(upward[0], y(Math.max(1e-9, 1 + c)))),
    at = all.indexOf(p.look) < 0 ? n - 1 : all.indexOf(p.look);
  const what = `${label(p.replay.metric)} of ${variant} vs ${r.base}, after each block`;
  return (
    <Plot
      width={p.width}
      what={what}
      desc={`${last.label}: ${of(n - 1).change} ${of(n - 1).interval}, ${of(n - 1).word ?? ""}`}
      columns={[
        { head: "when", text: (f: LookWords) => f.label },
        ...columns("")
          .slice(1, 4)
          .map((c): Column<LookWords> => ({
            head: c.head,
            num: c.num,
            text: (f) => c.text({ ...f.heads[i]!, name: variant, since: "" }),
          })),
      ]}
      rows={all}
      x={{
        scale: x,
        ticks: ticksAt([...new Set(x.ticks(8).map(Math.round))].filter((b) => b >= block(0))),
        label: "blocks so far",
      }}
      y={{ scale: y, ticks: ratioTicks(y) }}
      where={(k) => x(block(k))}
      tell={(k) => (
        <>
          {all[k]!.label}:{" "}
          <b>
            {of(k).change} {of(k).interval}
          </b>{" "}
          {of(k).word}
        </>
      )}
      idle="band: the interval; shaded: the minimum effect"
      onClick={(k) => k >= 0 && p.go(k < n - 1 ? all[k]!.key : "")}
    >
      <Reach class="zone" width={p.width} from={clip(-least)} to={clip(least)} />
      <path class="one" d={level(p.width, y(1))} />
      <g class="series-2">
        <path
          class="area"
          d={band(
            n,
            (k) => x(block(k)),
            (k) => clip(of(k).at![1]),
            (k) => clip(of(k).at![2]),
          )}
        />
        <path
          class="line"
          d={poly(
            n,
            (k) => x(block(k)),
            (k) => clip(of(k).at![0]),
          )}
        />
        <path class="here" d={upright(x(block(at)))} />
      </g>
    </Plot>
  );
}

export const section: Section = {
  id: "replay",
  title: "Replay",
  follows: ["n", "me", "wo", "p", "cmp"],
  shown: (page) => !!page.data.replays?.some((r) => r.frames.length > 1 || r.margins?.length),
  View,
  Handle,
};

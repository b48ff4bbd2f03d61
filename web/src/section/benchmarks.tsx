// Every benchmark: the variant in focus against the base, as a table that is a chart.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useWidth, type Scale } from "../chart";
import { spanOfNoise } from "../data";
import {
  based,
  baseOf,
  baseUnder,
  Cells,
  Columns,
  compared,
  Heads,
  longestNote,
  Name,
  narrow,
  Pad,
  px,
  scaleOf,
  told,
  uncertainty,
  viewed,
  widths,
  type Widths,
} from "../forest";
import { int, label, margin, none } from "../format";
import {
  counts,
  filtered,
  grouped,
  linesOf,
  sidesOf,
  sorted,
  type Item,
  type Line,
  type Side,
} from "../lines";
import { useListener } from "../listen";
import type { Section, SectionProps } from "../section";
import { Copied, type Column } from "../table";
import { On } from "../ui";
import { boxed, paper, printed, usePrinting, useVirtual } from "../virtual";
import { Detail } from "./detail";
import "./benchmarks.css";

function View(p: SectionProps) {
  const { page, state, set } = p;
  const sides = useMemo(() => sidesOf(page, state), [page, state.m, state.p, state.cmp]);
  const all = useMemo(() => linesOf(sides), [sides]);
  const some = useMemo(() => filtered(all, state), [all, state.q, state.u]);
  const [closed, close] = useState<ReadonlySet<string>>(new Set());
  const packages = useMemo(() => new Set(all.map((l) => l.benchmark.package ?? "")).size, [all]);
  const flat = packages < 2 || (state.sort !== "" && !state.sort.endsWith("name"));
  const items = useMemo(() => {
    const list = sorted(some, state.sort);
    return flat ? list.map((line): Item => ({ line })) : grouped(list, closed);
  }, [some, state.sort, flat, closed]);
  const columns = useMemo(() => columnsOf(sides), [sides]);
  if (!sides.length || !all.length) return <p class="muted">no benchmark was measured</p>;
  const m = sides[0]!.metric;
  const turn = (group: string) =>
    close((c) => {
      const n = new Set(c);
      if (!n.delete(group)) n.add(group);
      return n;
    });
  return (
    <Copied
      class="benchmarks"
      columns={columns}
      rows={some}
      lead={m.min_effect > 0 && <>shaded: ±{margin(m.min_effect)}, the minimum effect · </>}
    >
      {sides.map((s, i) => (
        <Summary side={s} all={all} i={i} several={sides.length > 1} />
      ))}
      <div class="tools">
        <label>
          filter{" "}
          <input
            id="filter"
            type="search"
            value={state.q}
            placeholder={all.length > 1 ? `${int(all.length)} benchmarks` : ""}
            spellcheck={false}
            autocomplete="off"
            onInput={(e) => set({ q: e.currentTarget.value })}
          />
        </label>
        <label>
          <input
            type="checkbox"
            checked={!!state.u}
            onChange={(e) => set({ u: e.currentTarget.checked ? "1" : "" })}
          />{" "}
          only unclear
        </label>
        <span class="muted" role="status">
          {some.length < all.length && `${int(some.length)} of ${int(all.length)}`}
        </span>
      </div>
      <Rows
        {...p}
        sides={sides}
        all={all}
        items={items}
        turn={turn}
        closed={closed}
        full={flat && packages > 1}
      />
      {some.length === 0 && <p class="muted">no benchmark fits the filter</p>}
    </Copied>
  );
}

// Summary says what is compared, and counts the verdicts of the record.
function Summary(p: { side: Side; all: Line[]; i: number; several: boolean }) {
  const s = p.side;
  return (
    <p class="compared">
      <On many={p.several} name={s.machine.name} />
      <b>
        <bdi>{s.variant}</bdi>
      </b>{" "}
      against {based(s.base)}, {label(s.metric.name)}: {counts(p.all, p.i) || "not measured"}
      {s.as !== s.variant &&
        (s.as === s.base ? (
          <>; ≡ the same code as the base</>
        ) : (
          <>
            ; ≡ the same code as <bdi>{s.as}</bdi>, which is shown
          </>
        ))}
    </p>
  );
}

function columnsOf(sides: Side[]): Column<Line>[] {
  const of = (s: Side, i: number): Column<Line>[] => {
    const head = (h: string) =>
      (sides.length > 1 ? s.machine.name + ": " : "") + (h === "change" ? s.variant : h);
    return [
      { head: head(s.base), text: (l) => baseOf(l.at[i]?.row, s.metric), num: true },
      ...compared((l: Line) => ({ c: l.at[i]?.c, m: s.metric }), head),
    ];
  };
  return [{ head: "benchmark", text: (l) => l.key }, ...sides.flatMap(of)];
}

type RowsProps = SectionProps & {
  sides: Side[];
  all: Line[];
  items: Item[];
  turn: (group: string) => void;
  closed: ReadonlySet<string>;
  full: boolean;
};

// Rows is the table. A long one scrolls in a box and has only what is in sight in the document.
function Rows({ page, state, set, sides, all, items, turn, closed, full }: RowsProps) {
  const [ref, room] = useWidth<HTMLDivElement>(1200),
    print = usePrinting(),
    width = print ? Math.min(room, paper) : room,
    two = width < narrow;
  const longest = useMemo(() => longestNote(all.map((l) => l.at[0]?.c)), [all]);
  const w = widths(width, sides.length, state.v, {
    base: true,
    note: sides.length === 1 && width > 960 ? longest : 0,
  });
  const scale = useMemo(
    () =>
      viewed(
        scaleOf(
          all.flatMap((l) => l.at.map((a) => a?.c)),
          Math.max(...sides.map((s) => spanOfNoise(s.result))),
          w.glyph,
          state.s,
        ),
        state.v,
        sides[0]!.metric,
        all.length === 1 && sides.length === 1 ? baseUnder(all[0]!.at[0]?.c) : NaN,
      ),
    [all, w.glyph, state.s, state.v],
  );
  const open = useMemo(() => indexOf(items, state.b), [items, state.b]);
  const [tall, setTall] = useState(0),
    height = two ? 30 + 26 * sides.length : 30,
    long = items.length > boxed && !print;
  const shown = print ? upTo(items, printed) : items.length;
  const v = useVirtual<HTMLDivElement>(shown, height, { at: open, height: tall }, !long);
  const [row, go] = useRow(items, v, set, state.b);
  useDeepLink(v, open, state.b);
  const columns = 1 + sides.length * (w.verdict ? 5 : 4) + (w.note ? 1 : 0),
    total = w.name + sides.length * (w.base + w.glyph + w.change + w.side + w.verdict) + w.note;
  const layout = { sides, state, scale, w, height, full };
  return (
    <div ref={ref}>
      <div
        ref={v.box}
        class={"forest-box" + (long ? " long" : "")}
        {...(long ? { tabIndex: 0, role: "group", "aria-label": "benchmarks, scrolling" } : {})}
      >
        <table
          class={"forest rows" + (two ? " two" : "") + (sides.length > 1 ? " many marks" : "")}
          aria-label="benchmarks"
          aria-rowcount={items.length + 1}
          style={!two && total > width ? { width: px(total) } : undefined}
        >
          {!two && <Columns w={w} machines={sides.length} />}
          <Head {...layout} set={set} />
          <tbody>
            <Pad height={v.before} columns={columns} />
            {items.slice(v.from, v.to).map((it, k) => {
              const i = v.from + k;
              if ("group" in it)
                return (
                  <Group
                    key={"package " + it.group}
                    it={it}
                    columns={columns}
                    height={height}
                    turn={turn}
                    width={width}
                    shut={closed.has(it.group)}
                  />
                );
              const is = i === open;
              return [
                <Entry
                  {...layout}
                  key={it.line.key}
                  line={it.line}
                  i={i}
                  on={is}
                  current={i === row}
                  press={() => {
                    go(i);
                    set({ b: is ? "" : it.line.key }, true);
                  }}
                />,
                is && (
                  <tr key="detail" class="open-detail">
                    <td colSpan={columns}>
                      <Measured tell={setTall}>
                        <Detail
                          page={page}
                          state={state}
                          set={set}
                          line={it.line}
                          sides={sides}
                          width={Math.min(width, total) - 28}
                        />
                      </Measured>
                    </td>
                  </tr>
                ),
              ];
            })}
            <Pad height={v.after} columns={columns} />
          </tbody>
        </table>
      </div>
      {shown < items.length && (
        <p class="muted">… {int(benchmarksIn(items.slice(shown)))} more in the data file</p>
      )}
    </div>
  );
}

const benchmarksIn = (items: Item[]): number => items.filter((it) => "line" in it).length;

// upTo is the number of items with at most so many benchmarks, and the headings between them.
function upTo(items: Item[], most: number): number {
  const i = items.findIndex((it) => "line" in it && most-- === 0);
  return i < 0 ? items.length : i;
}

function indexOf(items: Item[], name: string): number {
  if (!name) return -1;
  const i = items.findIndex((it) => "line" in it && it.line.key === name);
  return i >= 0 ? i : items.findIndex((it) => "line" in it && it.line.benchmark.name === name);
}

type Box = ReturnType<typeof useVirtual<HTMLDivElement>>;

// useRow is the row that the keyboard is at: it moves with "assay-row", and opens with "assay-open".
function useRow(
  items: Item[],
  v: Box,
  set: SectionProps["set"],
  b: string,
): [number, (i: number) => void] {
  const [row, setRow] = useState(-1),
    moved = useRef(false);
  useListener(document, ["assay-row"], (e) => {
    const way = Number((e as CustomEvent).detail) < 0 ? -1 : 1;
    let to = Math.min(row, items.length) + way;
    while (items[to] && "group" in items[to]!) to += way;
    if (!items[to]) return;
    moved.current = true;
    v.show(to);
    setRow(to);
  });
  useListener(document, ["assay-open"], () => {
    const it = items[row];
    if (it && "line" in it) set({ b: it.line.key === b ? "" : it.line.key }, true);
  });
  useLayoutEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    const tr = v.box.current?.querySelector<HTMLElement>("tr.current");
    tr?.focus({ preventScroll: true });
    tr?.scrollIntoView({ block: "nearest" });
  });
  return [row, setRow];
}

// useDeepLink brings the open benchmark into sight, unless it is where the reader pressed.
function useDeepLink(v: Box, open: number, b: string): void {
  useEffect(() => {
    if (!b || open < 0) return;
    const seen = (el: Element | null | undefined) => {
      const r = el?.getBoundingClientRect();
      return !!r && r.top >= 0 && r.bottom <= innerHeight;
    };
    const tr = () => v.box.current?.querySelector("tr.on");
    if (seen(tr())) return;
    v.show(open);
    requestAnimationFrame(() =>
      (tr() ?? v.box.current)?.scrollIntoView({ block: tr() ? "center" : "nearest" }),
    );
  }, [b]);
}

// A Layout is what all rows of the table have in common.
interface Layout {
  sides: Side[];
  state: SectionProps["state"];
  scale: Scale;
  w: Widths;
  height: number;
  full: boolean; // names with their packages
}

function Head({ sides, state, set, scale, w }: Layout & Pick<SectionProps, "set">) {
  const is = (id: string) =>
    state.sort === id
      ? ("ascending" as const)
      : state.sort === "-" + id
        ? ("descending" as const)
        : undefined;
  const wrap = (id: string, text: ComponentChildren) => {
    const now = is(id),
      next = !now ? id : now === "ascending" ? "-" + id : "";
    return (
      <button
        type="button"
        class="sort"
        title={"sort by " + (id === "base" ? sides[0]!.base : id)}
        onClick={() => set({ sort: next })}
      >
        {text}
        {now === "ascending" ? " ↑" : now ? " ↓" : ""}
      </button>
    );
  };
  return (
    <thead>
      {sides.length > 1 && (
        <tr class="machines">
          <td />
          {sides.map((s) => (
            <th scope="colgroup" colSpan={4}>
              <bdi>{s.machine.name}</bdi>
            </th>
          ))}
        </tr>
      )}
      <tr>
        <th scope="col" class="name" aria-sort={is("name")}>
          {wrap("name", "benchmark")}
        </th>
        {sides.map((s, i) => (
          <>
            <th scope="col" class="num base-value" aria-sort={i ? undefined : is("base")}>
              {i ? <bdi>{s.base}</bdi> : wrap("base", <bdi>{s.base}</bdi>)}
            </th>
            <Heads
              scale={scale}
              width={w.glyph}
              metric={s.metric}
              view={state.v}
              noted={w.note > 0}
              wrap={i ? undefined : wrap}
              sort={i ? undefined : is}
            />
          </>
        ))}
      </tr>
    </thead>
  );
}

function Group(p: {
  it: { group: string; n: number };
  columns: number;
  height: number;
  turn: (g: string) => void;
  width: number;
  shut: boolean;
}) {
  const { it, shut, height } = p;
  return (
    <tr class="group" style={{ height }}>
      <th colSpan={p.columns} scope="rowgroup" style={{ height }}>
        <button type="button" class="row" aria-expanded={!shut} onClick={() => p.turn(it.group)}>
          {shut ? "▸" : "▾"} <Name text={it.group || "no package"} width={p.width - 90} />{" "}
          <span class="muted">{int(it.n)}</span>
        </button>
      </th>
    </tr>
  );
}

function Entry(
  p: Layout & { line: Line; i: number; on: boolean; current: boolean; press: () => void },
) {
  const { line, sides, w, height } = p;
  return (
    <tr
      class={(p.on ? "on " : "") + (p.current ? "current" : "")}
      tabIndex={-1}
      aria-rowindex={p.i + 2}
      style={{ height }}
      onClick={() => {
        if (!String(getSelection() ?? "")) p.press();
      }}
    >
      <th scope="row" class="name">
        <button type="button" class="row" aria-expanded={p.on}>
          <Name text={p.full ? line.key : line.benchmark.name} width={w.name - 14} />
        </button>
      </th>
      {sides.map((s, k) => {
        const at = line.at[k];
        return (
          <>
            <td class="num base-value">{baseOf(at?.row, s.metric)}</td>
            <Cells
              c={at?.c}
              told={told(at?.c, s.metric, p.state.v, at ? uncertainty(at.row.cells) : 0)}
              scale={p.scale}
              width={w.glyph}
              height={26}
              metric={s.metric}
              noted={w.note > 0}
              missing={at && s.as === s.base ? "≡ same code" : at ? "not measured" : none}
            />
          </>
        );
      })}
    </tr>
  );
}

// Measured tells the height of what it holds.
function Measured(p: { tell: (height: number) => void; children: ComponentChildren }) {
  const { tell, children } = p;
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const el = ref.current!,
      now = () => tell(el.offsetHeight);
    now();
    const o = new ResizeObserver(now);
    o.observe(el);
    return () => o.disconnect();
  }, []);
  return (
    <div ref={ref} class="detail">
      {children}
    </div>
  );
}

export const section: Section = {
  id: "benchmarks",
  title: "Benchmarks",
  follows: ["m", "v", "s", "p", "cmp", "step", "b", "q", "u", "sort"],
  shown: () => true,
  View,
};

// The differential flame graph: a box is as wide as the larger side's time; the bar in it is the net change, so that
// change is a length. Boxes of less than a pixel share one, and each kind of mark is one path.
import { Quiet } from "../button";
import { count } from "../format";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Explanation, Frame } from "../../page";
import { Frame as Chart, r1, useWidth } from "../chart";
import { Figure } from "../ui";
import { col, cut, fn, num, perOp, points, sane, sides } from "../points";

// A Node is a frame with its place: x and w are in the units of the root's w, with parents before their callees.
interface Node {
  f: Frame;
  depth: number;
  up: number;
  x: number;
  w: number;
}
interface Box {
  node: number;
  x: number;
  w: number;
  y: number;
}

const high = 22,
  mostRows = 40;
const time = (v: number): number => (v > 0 && Number.isFinite(v) ? v : 0);
const net = (f: Frame): number => time(f.variant) - time(f.base);

// layout gives callees at least the room that they need: where one side's time went from one callee to another,
// the two take more than either side of their caller.
export function layout(root: Frame): Node[] {
  const nodes: Node[] = [{ f: root, depth: 0, up: -1, x: 0, w: 0 }];
  for (let i = 0; i < nodes.length; i++)
    for (const f of nodes[i]!.f.children ?? [])
      nodes.push({ f, depth: nodes[i]!.depth + 1, up: i, x: 0, w: 0 });
  const inner = new Float64Array(nodes.length);
  for (let i = nodes.length - 1; i >= 0; i--) {
    const n = nodes[i]!;
    n.w = Math.max(time(n.f.base), time(n.f.variant), inner[i]!);
    if (n.up >= 0) inner[n.up]! += n.w;
  }
  inner.fill(0);
  for (const n of nodes)
    if (n.up >= 0) {
      n.x = nodes[n.up]!.x + inner[n.up]!;
      inner[n.up]! += n.w;
    }
  return nodes;
}

// boxesOf are those to be seen: the callers of the zoomed one in full width above it. Narrow ones of a row share a pixel.
function boxesOf(nodes: Node[], zoom: number, width: number): Box[] {
  const z = nodes[zoom]!,
    above = new Set<number>(),
    taken = new Set<number>(),
    out: Box[] = [];
  for (let i = z.up; i >= 0; i = nodes[i]!.up) above.add(i);
  nodes.forEach((n, node) => {
    if (!(n.w > 0) || n.depth >= z.depth + mostRows) return;
    if (above.has(node)) return void out.push({ node, x: 0, w: width, y: n.depth * high });
    if (n.depth < z.depth || n.x + n.w <= z.x * (1 + 1e-12) || n.x >= z.x + z.w * (1 - 1e-12))
      return;
    const x = ((n.x - z.x) / z.w) * width,
      w = (n.w / z.w) * width,
      cell = n.depth * 1e5 + Math.floor(x);
    if (w < 1) {
      if (taken.has(cell)) return;
      taken.add(cell);
    }
    out.push({ node, x, w: Math.max(w, 1), y: n.depth * high });
  });
  return out;
}

const rect = (x: number, y: number, w: number, h: number): string =>
  `M${r1(x)} ${r1(y)}h${r1(w)}v${h}h${-r1(w)}Z`;

// The frame that it is zoomed to stands in the address; a page that is opened at one shows it.
export function Flame(p: {
  e: Explanation;
  sides: [string, string];
  root: Frame;
  zoom: number;
  setZoom: (frame: number) => void;
}) {
  const {
    e,
    sides: [one, two],
    root,
    setZoom,
  } = p;
  const nodes = useMemo(() => layout(root), [root]);
  const [ref, width] = useWidth<HTMLDivElement>(),
    keys = useRef<HTMLDivElement>(null);
  const zoom = nodes[p.zoom]?.w ? p.zoom : 0,
    [at, setAt] = useState(-1),
    [q, setQ] = useState("");
  useEffect(() => {
    if (zoom) requestAnimationFrame(() => keys.current?.scrollIntoView({ block: "center" }));
  }, []);
  const boxes = useMemo(() => boxesOf(nodes, zoom, width), [nodes, zoom, width]);
  const marks = useMemo(() => marksOf(nodes, boxes), [nodes, boxes]),
    found = useMemo(() => search(nodes, q), [nodes, q]);
  const value = perOp(e);
  const under = (x: number, y: number) =>
    boxes.find((b) => y >= b.y && y < b.y + high && x >= b.x && x < b.x + b.w)?.node ?? -1;
  const to = (i: number) => {
    setZoom(i);
    setAt(i);
  };
  const tell = (f: Frame) =>
    `${one} ${value(f.base)}, ${two} ${value(f.variant)}: ${points(net(f) / e.base_value)} points`;
  const onKey = (k: KeyboardEvent) => {
    const next = step(k.key, nodes, boxes, at < 0 ? zoom : at);
    if (next >= 0) setAt(next);
    else if (k.key === "Enter") to(Math.max(at, 0));
    else if (k.key === "Escape" && zoom) to(0);
    else return;
    k.preventDefault();
    k.stopPropagation();
  };
  const rows = boxes.reduce((n, b) => Math.max(n, b.y / high + 1), 1),
    height = rows * high + 1,
    here = at < 0 ? undefined : nodes[at]!.f;
  const lit = q
      ? boxes
          .filter((b) => found.has(b.node))
          .map((b) => rect(b.x, b.y, b.w, high))
          .join("")
      : "",
    cursor = boxes.find((b) => b.node === at);
  const columns = [
    col("frame", (n: Node) => n.f.name),
    ...sides([one, two], (n: Node, k) => value(n.f[k])),
    num("points", (n: Node) => points(net(n.f) / e.base_value)),
  ];
  return (
    <Figure
      name="flame graph"
      columns={columns}
      rows={useMemo(() => largest(nodes), [nodes])}
      caption={
        <>
          stacks of both profiles: width is the larger side, the bar in a box what it has{" "}
          <span class="less">less (−)</span> or <span class="more">more (+)</span> of time, its
          callees included
        </>
      }
    >
      <p class="flame-bar">
        <label>
          find{" "}
          <input
            type="search"
            value={q}
            onInput={(i) => setQ(i.currentTarget.value)}
            onKeyDown={(k) => k.stopPropagation()}
          />
        </label>
        {q && (
          <span>
            {count(found.size, "frame")}
            {found.size > 0 && ": " + tell(top(nodes, found))}
          </span>
        )}
        {zoom > 0 && (
          <Quiet
            onClick={() => {
              to(0);
              keys.current?.focus();
            }}
          >
            show all
          </Quiet>
        )}
      </p>
      <div
        ref={(el) => {
          ref.current = el;
          keys.current = el;
        }}
        class="flame"
        tabIndex={0}
        role="group"
        aria-label={`flame graph of ${e.benchmark.name}: arrow keys move, Enter zooms, Escape shows all`}
        onKeyDown={onKey}
      >
        <Chart
          width={width}
          height={height}
          margin={{ top: 0, right: 0, bottom: 0, left: 0 }}
          title={`Flame graph of ${e.benchmark.name}, ${e.variant} against ${e.base}`}
          desc={`${count(nodes.length, "frame")}; all: ${tell(root)}.`}
          onMove={(x, y) => setAt(under(x, y))}
          onLeave={() => setAt(-1)}
          onClick={(x, y) => {
            const i = under(x, y);
            if (i >= 0) to(i);
          }}
        >
          <path class="box" d={marks.box} />
          <path class="less" d={marks.less} />
          <path class="more" d={marks.more} />
          <path class="lit" d={lit} />
          {cursor && <path class="cursor" d={rect(cursor.x, cursor.y, cursor.w, high)} />}
          {boxes.map(
            (b) =>
              b.w > 44 && (
                <text x={r1(b.x + 4)} y={b.y + 13}>
                  {labelOf(nodes[b.node]!.f, e, (b.w - 6) / 6.7)}
                  <title>{nodes[b.node]!.f.name}</title>
                </text>
              ),
          )}
        </Chart>
      </div>
      <p class="flame-at" aria-live="polite">
        {here ? (
          <>
            <bdi>{here.name}</bdi> · {tell(here)}
          </>
        ) : (
          <span class="muted">
            point at a box for its times, click to zoom; or arrow keys, Enter, Esc
          </span>
        )}
      </p>
    </Figure>
  );
}

// sign marks what changed by a tenth of a point at least.
function sign(f: Frame, e: Explanation): string {
  const c = net(f) / e.base_value;
  return !sane(c) || Math.abs(c) < 0.001 ? "" : c < 0 ? "− " : "+ ";
}

// labelOf leaves out what there is no room for, from the left: the package, then the receiver. Only the
// name of the function itself is cut, at its end.
export function labelOf(f: Frame, e: Explanation, room: number): string {
  const lead = sign(f, e),
    name = fn(f.name),
    inner = name.replace(/^[^.([]+\./, ""),
    own = inner.replace(/^\(.*?\)\.(?=[^)]*$)/, "");
  const label = [name, inner, own].find((n) => lead.length + n.length <= room) ?? own;
  return cut(lead + label, room, true);
}

function marksOf(nodes: Node[], boxes: Box[]) {
  const d = { box: "", less: "", more: "" };
  for (const b of boxes) {
    const n = nodes[b.node]!,
      c = net(n.f);
    d.box += rect(b.x, b.y, b.w, high);
    if (c)
      d[c < 0 ? "less" : "more"] += rect(
        b.x,
        b.y + high - 5,
        b.w * Math.min(1, Math.abs(c) / n.w),
        4,
      );
  }
  return d;
}

function search(nodes: Node[], q: string): Set<number> {
  const out = new Set<number>(),
    low = q.toLowerCase();
  if (low)
    nodes.forEach((n, i) => {
      if (n.f.name.toLowerCase().includes(low)) out.add(i);
    });
  return out;
}

// top sums up what was found, callers before callees, so that no time counts twice.
function top(nodes: Node[], found: Set<number>): Frame {
  const sum = { name: "", base: 0, variant: 0 },
    inside = new Set<number>();
  nodes.forEach((n, i) => {
    if (inside.has(n.up)) inside.add(i);
    else if (found.has(i)) {
      inside.add(i);
      sum.base += time(n.f.base);
      sum.variant += time(n.f.variant);
    }
  });
  return sum;
}

// step is where an arrow key leads among the boxes that are seen, -1 for nowhere.
function step(key: string, nodes: Node[], boxes: Box[], at: number): number {
  const n = nodes[at]!,
    row = boxes.filter((b) => nodes[b.node]!.depth === n.depth),
    i = row.findIndex((b) => b.node === at);
  switch (key) {
    case "ArrowUp":
      return n.up;
    case "ArrowDown":
      return boxes.filter((b) => nodes[b.node]!.up === at).sort((a, b) => b.w - a.w)[0]?.node ?? at;
    case "ArrowLeft":
      return row[Math.max(i - 1, 0)]?.node ?? at;
    case "ArrowRight":
      return row[Math.min(i + 1, row.length - 1)]?.node ?? at;
  }
  return -1;
}

const largest = (nodes: Node[]): Node[] =>
  nodes
    .slice(1)
    .filter((n) => net(n.f))
    .sort((a, b) => Math.abs(net(b.f)) - Math.abs(net(a.f)))
    .slice(0, 40);

// Moves the marks of a verdict ruler (internal/ruler) to what the run says after fewer blocks, or under another condition.
import { tone } from "./format";
import { r1, shape } from "./chart";
import { unbroken } from "./unbroken";
import type { LookHeadWords, LookWords, Replay } from "../page";

// Each ruler as the program drew it, and what it says.
const drawn = new WeakMap<Element, { marks: string; label: string }>();

const captions = new WeakMap<Element, string>();

// move shows a look on the rulers of an answer; the result itself without one.
export function move(answer: Element, r: Replay, look: LookWords | undefined): void {
  for (const svg of answer.querySelectorAll("svg.ruler:has([data-variant])")) {
    let was = drawn.get(svg);
    if (!was)
      drawn.set(svg, (was = { marks: svg.innerHTML, label: svg.getAttribute("aria-label") ?? "" }));
    svg.innerHTML = was.marks;
    svg.setAttribute("aria-label", look ? look.label + ": " + was.label.split(";")[0] : was.label);
    if (look) draw(svg, r, look);
  }
  const caption = [...answer.querySelectorAll("figure.measure figcaption")].find((c) =>
    c.parentElement!.querySelector(":scope > svg [data-variant]"),
  );
  if (!caption) return;
  if (!captions.has(caption)) captions.set(caption, caption.textContent ?? "");
  const whole = captions.get(caption)!;
  caption.textContent = look ? whole.replace(/ \(n=[^)]*\)/, "") : whole; // of all blocks
  if (!look) return;
  const note = document.createElement("span");
  note.className = "moved";
  note.textContent = " " + unbroken(look.label);
  caption.append(note);
}

function draw(svg: Element, r: Replay, look: LookWords): void {
  const of = (e: Element, name: string): number => Number(e.getAttribute("data-" + name)),
    [zero, unit, from, to] = ["x0", "unit", "from", "to"].map((n) => of(svg, n)) as [
      number,
      number,
      number,
      number,
    ];
  const x = (change: number): number =>
    r1(Math.max(from, Math.min(to, zero + unit * Math.log1p(Math.max(change, -0.999999)))));
  const blocks = r.frames.includes(look) ? Number(look.key) : Infinity,
    without = (r.without ?? []).includes(look),
    lead = svg.querySelector("g.row:has(.bold)")?.getAttribute("data-variant"),
    counts = svg.querySelector(".counts");
  svg.querySelector(".heat")?.classList.add("gone"); // the benchmarks are those of the result
  if (counts)
    counts.textContent =
      look.heads[r.rows.findIndex((p) => p.variant === lead && !p.benchmark)]?.counts ?? "";
  // The noise is known of all blocks alone.
  if (blocks < Infinity)
    svg.querySelectorAll(".noise, .same .said, .density").forEach((e) => e.remove());
  for (const g of svg.querySelectorAll("g.row")) {
    const variant = g.getAttribute("data-variant"),
      benchmark = g.getAttribute("data-benchmark") ?? "";
    cut(g, without && !benchmark ? -1 : blocks);
    if (variant === null) continue; // the same code
    const i = r.rows.findIndex((p) => p.variant === variant && (p.benchmark ?? "") === benchmark);
    row(g, look.heads[i], x, of(g, "y"));
  }
  if (look.least === undefined) return;
  const zone = svg.querySelector("rect.zone"),
    left = x(-look.least);
  zone?.setAttribute("x", String(left));
  zone?.setAttribute("width", String(r1(x(look.least) - left)));
  const said = svg.querySelector(".least");
  if (said) said.textContent = " " + (look.zone ?? "");
}

// cut leaves the dots of the first blocks.
function cut(g: Element, blocks: number): void {
  const dots = g.querySelector("path.dots"),
    numbers = g.getAttribute("data-blocks")?.split(" ").map(Number);
  const all = (dots?.getAttribute("d") ?? "").split("M").slice(1);
  dots?.setAttribute(
    "d",
    all
      .filter((_, i) => (numbers?.[i] ?? i + 1) <= blocks)
      .map((d) => "M" + d)
      .join(""),
  );
}

// row moves the marks of a row, and puts what is said of it beside them.
function row(
  g: Element,
  h: LookHeadWords | undefined,
  x: (change: number) => number,
  y: number,
): void {
  const [at, lo, hi] = h?.at ?? [];
  g.classList.toggle("gone", at === undefined);
  if (!h || at === undefined) return;
  const colour = tone(h.verdict ?? ""),
    now = ["better", "worse"].includes(colour) ? colour : "open";
  for (const e of g.querySelectorAll(".better, .worse, .open")) {
    e.classList.remove("better", "worse", "open");
    e.classList.add(now);
  }
  g.querySelector(".interval")?.setAttribute(
    "d",
    lo === undefined ? "" : `M${x(lo)} ${y}H${x(hi!)}`,
  );
  g.querySelector(".point")?.setAttribute(
    "d",
    shape(h.mark === "▼" || h.mark === "▲" ? h.mark : "●", x(at), y, 5),
  );
  const said = g.querySelector(".said"),
    change = g.querySelector(".change"),
    words = [h.interval, h.word].filter(Boolean).join(" ");
  if (change) change.textContent = h.change ?? "";
  if (said) said.textContent = (change ? " " : "") + words;
}

// Reads charts as an eye does: axes by their ticks, marks by where they stand.
import assert from "node:assert/strict";

// charts reads the charts of a section, or of what else a selector names.
export const charts = (page, selector) =>
  page.evaluate((selector) => {
    const classes = (e) => {
      let c = "";
      for (; e && e.tagName !== "svg"; e = e.parentElement)
        c += " " + (e.getAttribute("class") ?? "");
      return c.trim().split(/\s+/);
    };
    return [...document.querySelectorAll(selector)]
      .filter((s) => s.getClientRects().length)
      .map((s) => ({
        title: s.querySelector("title")?.textContent ?? "",
        desc: s.querySelector("desc")?.textContent ?? "",
        role: s.getAttribute("role"),
        label: s.getAttribute("aria-label"),
        hidden: s.getAttribute("aria-hidden") === "true",
        width: Number(s.getAttribute("width")),
        height: Number(s.getAttribute("height")),
        machine: s.closest("[class]")?.className ?? "",
        paths: [...s.querySelectorAll("path")].map((p) => ({
          class: classes(p),
          d: p.getAttribute("d") ?? "",
        })),
        rects: [...s.querySelectorAll("rect")].map((p) => ({
          class: classes(p),
          ...Object.fromEntries(
            ["x", "y", "width", "height"].map((k) => [k, Number(p.getAttribute(k))]),
          ),
        })),
        texts: [...s.querySelectorAll("text")].map((t) => ({
          class: classes(t),
          x: Number(t.getAttribute("x")),
          y: Number(t.getAttribute("y")),
          anchor: t.getAttribute("text-anchor"),
          text: [...t.childNodes]
            .filter((n) => n.nodeType === 3)
            .map((n) => n.data)
            .join(""),
        })),
      }));
  }, selector);

export const titled = (list, title) => {
  const c = list.find((c) => (title instanceof RegExp ? title.test(c.title) : c.title === title));
  assert.ok(c, `no chart "${title}" among: ${list.map((c) => c.title).join(" | ")}`);
  return c;
};

export const paths = (chart, ...names) =>
  chart.paths.filter((p) => names.every((n) => p.class.includes(n)));
export const path = (chart, ...names) => {
  const [p, ...more] = paths(chart, ...names);
  assert.ok(
    p && !more.length,
    `${more.length + (p ? 1 : 0)} paths .${names.join(".")} in "${chart.title}"`,
  );
  return p.d;
};

// points are the corners of a path of M, L, H and V.
export function points(d) {
  const out = [];
  let x = 0,
    y = 0;
  for (const [, c, args] of d.matchAll(/([MLHVZ])([^A-Za-z]*)/g)) {
    const n = args
      .trim()
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(Number);
    if (c === "Z") continue;
    if (c === "H") x = n[0];
    else if (c === "V") y = n[0];
    else [x, y] = n;
    out.push([x, y]);
  }
  return out;
}

// lines are the parts of a path, each begun by an M.
export const lines = (d) => d.split(/(?=M)/).filter(Boolean).map(points);

// marks are the shapes of a path (chart.tsx, shape), by their middle and size.
export function marks(d) {
  return d
    .split(/(?=M)/)
    .filter(Boolean)
    .map((m) => {
      const [x, y] = /^M(-?[\d.]+) (-?[\d.]+)/.exec(m).slice(1).map(Number),
        disc = /^M\S+ \S+?a([\d.]+) /.exec(m),
        box = /^M\S+ \S+?h([\d.]+)v/.exec(m);
      if (disc) return { kind: "●", x: x + Number(disc[1]), y, r: Number(disc[1]) };
      if (box)
        return {
          kind: "■",
          x: x + Number(box[1]) / 2,
          y: y + Number(box[1]) / 2,
          r: Number(box[1]) / 2,
        };
      const p = points(m);
      if (p.length === 4) return { kind: "◆", x: p[1][0], y: p[0][1], r: p[1][0] - p[0][0] };
      const r = (p[1][0] - p[0][0]) / 2,
        up = p[2][1] < p[0][1];
      return { kind: up ? "▲" : "▼", x: p[2][0], y: p[0][1] + (up ? -0.8 : 0.8) * r, r };
    });
}

const units = { ns: 1e-9, µs: 1e-6, ms: 1e-3, s: 1, B: 1, KiB: 1024, MiB: 2 ** 20, GiB: 2 ** 30 };

// number reads a tick: "20 ms" is 0.02, "5 %" is 0.05; ratio reads "+5 %" as 1.05, and "1.5×" as 1.5.
export function number(text, ratios = false) {
  const m = /^([+−-]?)([\d,.]+)\s*(\S*)$/.exec(text.trim());
  assert.ok(m, `no number: "${text}"`);
  const x = Number(m[2].replaceAll(",", "")) * (/[−-]/.test(m[1]) ? -1 : 1);
  if (m[3] === "×") return x;
  if (ratios) return 1 + x / 100;
  return m[3] === "%" ? x / 100 : x * (units[m[3]] ?? 1);
}

// axis is the scale that the ticks of a chart make: it tells the pixel of a value, and back the value at a pixel.
// All ticks have to fit it.
function axis(ticks, kind, chart, name) {
  assert.ok(ticks.length >= 2, `${ticks.length} ticks at the ${name} axis of "${chart.title}"`);
  const [f, inverse] = kind === "log" ? [Math.log, Math.exp] : [(x) => x, (x) => x];
  const first = ticks.reduce((a, b) => (b[1] < a[1] ? b : a)),
    last = ticks.reduce((a, b) => (b[1] > a[1] ? b : a));
  const at = (v) =>
    first[0] + ((f(v) - f(first[1])) / (f(last[1]) - f(first[1]))) * (last[0] - first[0]);
  for (const [px, v] of ticks)
    assert.ok(
      Math.abs(at(v) - px) < 0.8,
      `the tick ${v} of the ${name} axis of "${chart.title}" is at ${px}, by the others at ${at(v)}`,
    );
  return Object.assign(at, {
    back: (px) =>
      inverse(f(first[1]) + ((px - first[0]) / (last[0] - first[0])) * (f(last[1]) - f(first[1]))),
  });
}

const ticksOf = (chart, anchor, read, px) =>
  chart.texts
    .filter((t) => t.class.includes("tick") && t.anchor === anchor && t.text)
    .map((t) => [px(t), read(t.text)])
    .filter(([, v]) => v !== undefined);
export const ratio = (text) => number(text, true);

// xAxis and yAxis read the ticks of a Frame; read makes numbers of their texts, undefined of those that are none.
export const xAxis = (chart, kind, read = number) =>
  axis(
    ticksOf(
      { texts: chart.texts.filter((t) => t.y > chart.height / 2) },
      "middle",
      read,
      (t) => t.x,
    ),
    kind,
    chart,
    "x",
  );
export const yAxis = (chart, kind, read = number) =>
  axis(
    ticksOf(chart, "end", read, (t) => t.y - 4),
    kind,
    chart,
    "y",
  );

// forestAxis reads the head of a forest, whose ticks may stand aside of their line at the ends: those are left out.
export const forestAxis = (chart, kind = "log") =>
  axis(
    chart.texts
      .filter(
        (t) => t.class.includes("tick") && !t.class.includes("better") && t.anchor === "middle",
      )
      .map((t) => [t.x, ratio(t.text)]),
    kind,
    chart,
    "forest's",
  );

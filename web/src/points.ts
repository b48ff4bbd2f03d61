// Parts of a difference, and places in code, in the words of internal/report/why*.go.
import type { CallChange, Explanation, Interval } from "./types";
import type { ComponentChildren } from "preact";
import type { Column } from "./table";
import { commas, decade, halfOf, int, none, percent, scaleFor } from "./format";

// A profile does not tell more than tenths of a point, and no program is ten thousand times as slow.
const least = 0.001,
  most = 1e4;

export const sane = (c: number | null | undefined): c is number => c != null && Math.abs(c) < most;

// points is a part of a difference with the digits of its interval; what rounds to nothing has no sign.
export function points(p: { change: number; interval?: Interval }): string {
  if (!sane(p.change)) return none;
  const text = percent(p.change, span(p.interval) ? Math.max(halfOf(p.interval), least) : least);
  return /[1-9]/.test(text) ? text : text.replace(/^[+−]/, "");
}

// span is the interval of a part: "[+4.9, +5.5]", "" where it is not known.
export function span(i: Interval | undefined): string {
  if (!i || !sane(i.lo) || !sane(i.hi)) return "";
  const half = Math.max(halfOf(i), least);
  return `[${percent(i.lo, half)}, ${percent(i.hi, half)}]`;
}

// whole is the difference that parts are parts of: "+17.4 %".
export const whole = (e: Explanation): string =>
  percent(e.comparison.change, e.comparison.exact ? 0 : halfOf(e.comparison.interval)) + " %";

// perOp prints the times of one explanation in one unit with one number of decimals, so that they can be added up.
export function perOp(e: Explanation): (v: number) => string {
  const s = scaleFor(e.metric, e.base_value, 0.01),
    places = Math.min(9, Math.max(0, 2 - decade(e.base_value / s.div)));
  return (v) =>
    !v || !(Math.abs(v / e.base_value) < most)
      ? none
      : commas((v / s.div).toFixed(places)) + (s.unit && " " + s.unit);
}

// fn is a function's name without the path of its package; the element before a major version stays.
export function fn(name = ""): string {
  const head = name.split(/[[(]/, 1)[0]!;
  let at = head.lastIndexOf("/");
  if (at >= 0 && /^v([2-9]|[1-9]\d+)(\.|$)/.test(head.slice(at + 1)))
    at = head.slice(0, at).lastIndexOf("/");
  return name.slice(at + 1);
}

export const fileLine = (file = "", line = 0): string =>
  file && line > 0 ? file + ":" + line : file;
export const join = (sep: string, ...parts: string[]): string => parts.filter(Boolean).join(sep);
export const place = (name?: string, file?: string, line?: number): string =>
  join(", ", fn(name), fileLine(file, line));
export const signedInt = (n: number): string => (n > 0 ? "+" : "") + int(n);

// call says what became of a call.
export function call(k: CallChange): string {
  const from = fn(k.from),
    to = fn(k.to);
  if (from && to) return from + " → " + to;
  if (!to) return from + (k.inlined ? " is inlined now" : " is not called any more");
  return to + (k.inlined ? " was inlined, is called now" : " is called now");
}

// cut shortens a name in its middle, or at its end, to so many characters of a fixed width; wide ones take two.
export function cut(text: string, room: number, end = false): string {
  const c = Array.from(text),
    n = Math.floor(/[\u1100-\uffdc]/.test(text) ? room / 2 : room),
    tail = end ? 0 : Math.floor((n - 1) / 2);
  if (c.length <= n) return text;
  return n < 2 ? "" : c.slice(0, n - 1 - tail).join("") + "…" + c.slice(c.length - tail).join("");
}

// command is a line for the shell: each word as one, whatever it holds.
export const command = (...words: string[]): string =>
  ["assay", ...words]
    .map((w) => (/^[\w@%+=:,./-]+$/.test(w) ? w : "'" + w.replace(/'/g, "'\\''") + "'"))
    .join(" ");

// names are what the sides are called over columns and in lines: long ones by what they are.
export const names = (e: Explanation): { base: string; variant: string } =>
  Math.max(e.base.length, e.variant.length) > 24 ? { base: "base", variant: "variant" } : e;

// The columns of tables of both sides.
export const col = <T>(
  head: string,
  text: (row: T) => string,
  show?: (row: T) => ComponentChildren,
): Column<T> => ({ head, text, show });
export const num = <T>(
  head: string,
  text: (row: T) => string,
  show?: (row: T) => ComponentChildren,
): Column<T> => ({ head, text, show, num: true });
export const sides = <T>(
  e: Explanation,
  text: (row: T, side: "base" | "variant") => string,
): Column<T>[] => [
  num(names(e).base, (r) => text(r, "base")),
  num(names(e).variant, (r) => text(r, "variant")),
];

// Parts of a difference under the pointer, names that are cut, and tables of two sides.
import type { Explanation } from "../page";
import type { Column } from "./table";
import { commas, decade, none, percent, scaleFor } from "./format";

// A profile does not tell more than tenths of a point, and no program is ten thousand times as slow.
const least = 0.001,
  most = 1e4;

export const sane = (c: number | null | undefined): c is number => c != null && Math.abs(c) < most;

// points is a part of a difference that has no interval.
export const points = (change: number): string => (sane(change) ? percent(change, least) : none);

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

// The columns of tables of both sides.
export const col = <T>(head: string, text: (row: T) => string): Column<T> => ({ head, text });
export const num = <T>(head: string, text: (row: T) => string): Column<T> => ({
  head,
  text,
  num: true,
});
export const sides = <T>(
  [base, variant]: [string, string],
  text: (row: T, side: "base" | "variant") => string,
): Column<T>[] => [num(base, (r) => text(r, "base")), num(variant, (r) => text(r, "variant"))];

// The lines of the table of benchmarks: what the machines have of each, filtered, sorted and grouped.
import type { Page } from "./data";
import { cell, focus, key, metric, shown, table } from "./data";
import { drawn, unjudged } from "./forest";
import { bad, differs, good, int, verdict } from "./format";
import type { State } from "./state";
import type { Benchmark, Comparison, Machine, Metric, Result, Row } from "../page";

// A Side is what one machine tells of the variant in focus.
export interface Side {
  machine: Machine;
  result: Result;
  metric: Metric;
  variant: string;
  as: string;
  base: string;
}

// A Line is a benchmark with its row and comparison a side.
export interface Line {
  key: string;
  benchmark: Benchmark;
  at: { row: Row; c?: Comparison }[];
}

// sidesOf follows a variant that is the same code as another one to that: there it was measured.
export function sidesOf(page: Page, state: State): Side[] {
  const m = metric(page, state);
  if (!m) return [];
  return shown(page, state).map((machine) => {
    const result = machine.result,
      variant = focus(result, state),
      same = result.variants.find((v) => v.name === variant)?.same_as?.as;
    return {
      machine,
      result,
      metric: table(result, m.name)?.metric ?? m,
      variant,
      as: same ?? variant,
      base: result.base,
    };
  });
}

export function linesOf(sides: Side[]): Line[] {
  const lines = new Map<string, Line>();
  sides.forEach((s, i) => {
    for (const row of table(s.result, s.metric.name)?.rows ?? []) {
      const k = key(row.benchmark);
      let l = lines.get(k);
      if (!l) lines.set(k, (l = { key: k, benchmark: row.benchmark, at: [] }));
      l.at[i] = { row, c: cell(row, s.as) };
    }
  });
  return [...lines.values()];
}

// counts are the verdicts in words, with those that claim something first: "41 slower · 3 faster".
export function counts(lines: Line[], side: number): string {
  const n = new Map<string, number>();
  for (const l of lines) {
    const c = l.at[side]?.c;
    if (c?.verdict || unjudged(c)) n.set(c!.verdict, (n.get(c!.verdict) ?? 0) + 1);
  }
  return [...n]
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([v, k]) => int(k) + " " + (v ? verdict(v).word : "without a verdict"))
    .join(" · ");
}

const rank = (v: string | undefined): number =>
  !v ? 9 : bad(v) ? 0 : good(v) ? 1 : differs(v) ? 2 : v === "unclear" ? 3 : v === "same" ? 4 : 5;

export function filtered(lines: Line[], state: State): Line[] {
  const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length && !state.u) return lines;
  return lines.filter((l) => {
    if (state.u && !l.at.some((a) => a?.c?.verdict === "unclear")) return false;
    const name = words.length ? l.key.toLowerCase() : "";
    return words.every((w) => name.includes(w));
  });
}

const orders: Record<string, (l: Line) => number> = {
  base: (l) => l.at.find(Boolean)?.row.base ?? NaN,
  change: (l) => {
    const c = l.at.find((a) => drawn(a?.c))?.c;
    return c ? c.change : NaN;
  },
  verdict: (l) => {
    const c = l.at.find(Boolean)?.c;
    return (
      rank(c?.verdict) -
      (c && drawn(c) ? Math.min(Math.abs(Math.log1p(c.change)) || 0, 50) / 100 : 0)
    );
  },
};

// sorted puts what has no number last, in either direction.
export function sorted(lines: Line[], sort: string): Line[] {
  const down = sort.startsWith("-") ? -1 : 1,
    by = sort.replace(/^-/, ""),
    order = orders[by];
  if (by === "name") {
    const names = new Intl.Collator("en", { numeric: true });
    return [...lines].sort((a, b) => down * names.compare(a.key, b.key));
  }
  if (!order) return lines;
  const list = lines.map((l): [Line, number] => [l, order(l)]),
    last = (x: number) => (Number.isNaN(x) ? 1 : 0);
  return list
    .sort(([, a], [, b]) => last(a) - last(b) || (last(a) ? 0 : down * (a - b)))
    .map(([l]) => l);
}

// An Item is a row of the table: a benchmark, or the head of a package with how many it has.
export type Item = { line: Line } | { group: string; n: number };

// grouped puts heads before the packages, whose benchmarks need not lie together in the record; one package needs none.
export function grouped(lines: Line[], closed: ReadonlySet<string>): Item[] {
  const groups = new Map<string, Line[]>();
  for (const l of lines) {
    const p = l.benchmark.package ?? "",
      g = groups.get(p);
    if (g) g.push(l);
    else groups.set(p, [l]);
  }
  const out: Item[] = [];
  for (const [group, list] of groups) {
    out.push({ group, n: list.length });
    if (!closed.has(group)) for (const line of list) out.push({ line });
  }
  return out;
}

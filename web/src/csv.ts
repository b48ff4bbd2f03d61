// The tables as comma-separated values, one line a comparison.
import type { Page } from "./data";
import { key } from "./data";

const head = ["machine", "metric", "benchmark", "variant", "base", "value", "change", "lo", "hi", "blocks", "verdict"];

export function csv(page: Page): string {
  const lines = [head.join(",")];
  for (const m of page.machines)
    for (const t of m.result.tables)
      for (const r of t.rows)
        for (const c of r.cells)
          lines.push([m.name, t.metric.name, key(r.benchmark), c.variant, r.base, c.value, c.change, c.interval?.lo, c.interval?.hi, c.n, c.verdict].map(field).join(","));
  return lines.join("\r\n") + "\r\n";
}

// field is one value. A spreadsheet takes text that begins so for a formula: a quote before it says that it is none.
function field(x: string | number | null | undefined): string {
  if (typeof x !== "string") return x == null ? "" : String(x);
  const s = /^[=+\-@\t\r]/.test(x) ? "'" + x : x;
  return /[",\r\n]/.test(s) ? '"' + s.replaceAll('"', '""') + '"' : s;
}

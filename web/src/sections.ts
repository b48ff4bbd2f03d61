// The sections, in the order of the page. The script comes in bundles (src/bundle/), of which a page
// carries those that its data need; each adds its sections here.
import type { Section } from "./section";

const order = [
  "answer",
  "arc",
  "steps",
  "why",
  "replay",
  "variants",
  "matrix",
  "factors",
  "benchmarks",
  "latency",
  "gc",
  "noise",
  "method",
  "data",
];
const added: Section[] = [];

export function add(...list: Section[]): void {
  added.push(...list);
  added.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
}

export const sections = (): readonly Section[] => added;

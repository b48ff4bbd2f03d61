import type { ComponentType } from "preact";
import type { Machine } from "../page";
import type { Page } from "./data";
import type { State } from "./state";

// Set changes what the reader has chosen. Steps, benchmarks and sections are pushed onto
// the history, so that the back button walks them; all else replaces.
export type Set = (change: Partial<State>, push?: boolean) => void;
export interface SectionProps {
  page: Page;
  state: State;
  set: Set;
}

// A Section is a part of the page with an address of its own. A file of src/section/ exports one.
export interface Section {
  id: string;
  title: string;
  // Whether the result has data for it.
  shown(page: Page): boolean;
  // The choices that it depends on, of which it is rendered anew; all of them where it does not say.
  follows?: readonly (keyof State)[];
  View: ComponentType<SectionProps>;
  // What it adds to the card of a machine's answer, below the number and the sentence.
  Handle?: ComponentType<SectionProps & { machine: Machine }>;
  // Its figure in that card, above the verdict ruler. It may draw nothing.
  Figure?: ComponentType<SectionProps & { machine: Machine }>;
  // Whether it is the figure of the answer: it follows the card, which has no ruler then.
  leads?(page: Page): boolean;
}

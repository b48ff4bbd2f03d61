import type { Page } from "./data";
import type { Section, Set } from "./section";
import type { State } from "./state";

// Keys listens to the keyboard and lists what it does.
export function Keys(_: { page: Page; state: State; set: Set; sections: Section[] }) {
  return null;
}

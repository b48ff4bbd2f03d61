import type { Page } from "./data";
import type { Section, Set } from "./section";
import type { State } from "./state";

// Header holds the title, the way to each section, and the switches that all sections share.
export function Header({ page, sections }: { page: Page; state: State; set: Set; sections: Section[] }) {
  return (
    <header>
      <h1>{page.first.report?.title || page.first.study}</h1>
      <nav aria-label="sections">{sections.map((s) => <a href={"#" + s.id}>{s.title}</a>)}</nav>
    </header>
  );
}

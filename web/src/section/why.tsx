import type { Section, SectionProps } from "../section";

function View({ page }: SectionProps) {
  return <p class="muted">{page.first.study}</p>;
}

export const section: Section = { id: "why", title: "Why", shown: () => true, View };

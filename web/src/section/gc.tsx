import type { Section, SectionProps } from "../section";

function View({ page }: SectionProps) {
  return <p class="muted">{page.first.study}</p>;
}

export const section: Section = { id: "gc", title: "Garbage collector", shown: () => true, View };

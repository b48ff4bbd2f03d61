import type { Section, SectionProps } from "../section";

function View({ page }: SectionProps) {
  return <p class="muted">{page.first.study}</p>;
}

export const section: Section = { id: "answer", title: "Answer", shown: () => true, View };

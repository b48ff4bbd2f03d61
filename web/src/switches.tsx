// The switches that all sections share. A key and a click choose the same things.
import { focus, others, type Page } from "./data";
import { label } from "./format";
import type { Set } from "./section";
import type { State } from "./state";
import { Choice } from "./ui";

type Name = "m" | "v" | "s" | "p" | "cmp";
export interface Switch {
  name: Name;
  key: string;
  label: string;
  options: { value: string; text: string }[];
}

// switches lists those that have something to choose. An option's value is what the state holds: "" is the default.
export function switches(page: Page): Switch[] {
  const variant = focus(page.first, { cmp: "" } as State);
  const list: Switch[] = [
    {
      name: "m",
      key: "m",
      label: "metric",
      options: page.metrics.map((m, i) => ({ value: i ? m.name : "", text: label(m.name) })),
    },
    {
      name: "v",
      key: "v",
      label: "view",
      options: [
        { value: "ratio", text: "× base" },
        { value: "change", text: "% change" },
        { value: "value", text: "value" },
      ],
    },
    {
      name: "s",
      key: "l",
      label: "scale",
      options: [
        { value: "log", text: "log" },
        { value: "lin", text: "linear" },
      ],
    },
    {
      name: "p",
      key: "p",
      label: "machine",
      options: [
        { value: "", text: "all" },
        ...page.machines.map((m) => ({ value: m.name, text: m.name })),
      ],
    },
    {
      name: "cmp",
      key: "",
      label: "variant",
      options: others(page.first).map((v) => ({
        value: v.name === variant ? "" : v.name,
        text: v.name,
      })),
    },
  ];
  return list.filter((s) => s.options.length > (s.name === "p" ? 2 : 1));
}

// chosen is the option that is on: what the address asks for and the page does not have is the default.
export const chosen = (s: Switch, state: State): string =>
  s.options.some((o) => o.value === state[s.name]) ? state[s.name] : "";

export function Switches({ page, state, set }: { page: Page; state: State; set: Set }) {
  return (
    <nav class="switches" aria-label="switches">
      {switches(page).map((s) => (
        <Choice
          key={s.name}
          name={"switch-" + s.name}
          label={s.label}
          options={s.options}
          value={chosen(s, state)}
          onChange={(v) => set({ [s.name]: v })}
        />
      ))}
    </nav>
  );
}

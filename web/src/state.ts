// What the reader has chosen: one object with defaults, kept in the address after "#".
// Only what differs from the defaults is written; unknown keys are ignored.

export const defaults = {
  m: "", // metric; "" is the first that decides
  v: "change", // how a comparison is shown
  s: "log", // scale of ratios and latencies
  p: "", // machine; "" is all of them, side by side
  cmp: "", // the variant in focus; "" is the first that is not the base
  step: "", // number of the walkthrough's step; "" is none
  pin: "", // benchmarks kept in colour in the curves of steps, a line each
  b: "", // benchmark whose detail is open
  q: "", // filter of benchmarks
  u: "", // "1" is only what is unclear
  sort: "", // order of the benchmark table, such as "-change"
  open: "", // section that the page was opened at
  n: "", // number of blocks that the replay has come to; "" is all of them
  me: "", // minimum effect in percent, for a look; "" is the study's
  wo: "", // benchmark that is left out, for a look; "" is none
  z: "", // frame that a flame graph is zoomed to: machine-explanation-frame
  t: "", // theme; "" is the system's
} as State;

// Choices that have one of a few values.
const choices = {
  v: ["ratio", "change", "value"],
  s: ["log", "lin"],
  u: ["", "1"],
  t: ["", "light", "dark"],
} as const;
type Few = typeof choices;

export type State = { [K in keyof Few]: Few[K][number] } & Record<
  "m" | "p" | "cmp" | "step" | "pin" | "b" | "q" | "sort" | "open" | "n" | "me" | "wo" | "z",
  string
>;

// parse reads an address; what it does not know, or what has no such value, is left at its default.
export function parse(hash: string): State {
  const s = { ...defaults } as Record<keyof State, string>;
  for (const part of hash.replace(/^#/, "").split("&")) {
    const i = part.indexOf("=");
    if (i < 0) {
      // "#noise" is short for "#open=noise"
      if (/^[a-z]+$/.test(part)) s.open = part;
      continue;
    }
    const key = part.slice(0, i);
    if (!Object.hasOwn(defaults, key)) continue;
    const k = key as keyof State,
      value = decode(part.slice(i + 1));
    const few: readonly string[] | undefined = choices[k as keyof Few];
    if (!few || few.includes(value)) s[k] = value;
  }
  return s as unknown as State;
}

function decode(s: string): string {
  try {
    return decodeURIComponent(s.replace(/\+/g, " "));
  } catch {
    return s;
  }
}

// format writes what differs from the defaults, in the order of State.
export function format(s: State): string {
  const parts: string[] = [];
  for (const k of Object.keys(defaults) as (keyof State)[])
    if (s[k] !== defaults[k])
      parts.push(k + "=" + encodeURIComponent(s[k]).replace(/%2F/g, "/").replace(/%20/g, "+"));
  return parts.join("&");
}

// remember puts the state into the address. A sandboxed frame has no history of its own.
export function remember(s: State, push: boolean): void {
  const hash = "#" + format(s);
  if (hash === (location.hash || "#")) return;
  try {
    if (push) history.pushState(null, "", hash);
    else history.replaceState(null, "", hash);
  } catch {
    try {
      location.hash = hash;
    } catch {
      /* nothing to remember it in */
    }
  }
}

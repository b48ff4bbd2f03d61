// Paper: everything is opened and unrolled before it is printed, and put back after.
import { options } from "preact";

// printable follows the browser's printing. The foot of each page holds text.
export function printable(foot: string): () => void {
  const style = document.createElement("style");
  style.textContent = `@page{@bottom-left{content:"${quote(foot)}"}}`;
  document.head.append(style);
  const closed: HTMLDetailsElement[] = [];
  const before = () => {
    turn("1");
    for (const d of document.querySelectorAll<HTMLDetailsElement>("details:not([open])")) {
      d.open = true;
      closed.push(d);
    }
  };
  const after = () => {
    for (const d of closed.splice(0)) d.open = false;
    turn("");
  };
  addEventListener("beforeprint", before);
  addEventListener("afterprint", after);
  return () => {
    style.remove();
    removeEventListener("beforeprint", before);
    removeEventListener("afterprint", after);
  };
}

// turn tells the sections, and has what they change rendered at once, with its effects: the browser does not wait.
function turn(print: string): void {
  const root = document.documentElement,
    { debounceRendering: later, requestAnimationFrame: frame } = hooks,
    effects: (() => void)[] = [];
  if (print) root.dataset["print"] = print;
  else delete root.dataset["print"];
  hooks.debounceRendering = (render) => render();
  hooks.requestAnimationFrame = (effect) => effects.push(effect);
  document.dispatchEvent(new Event("assay-print"));
  for (const effect of effects) effect();
  hooks.debounceRendering = later;
  hooks.requestAnimationFrame = frame;
}

// Preact asks these when to render and when to run effects.
const hooks: {
  debounceRendering?: ((f: () => void) => void) | undefined;
  requestAnimationFrame?: ((f: () => void) => void) | undefined;
} = options;

// quote makes a CSS string of hostile text.
const quote = (s: string): string =>
  [...s.slice(0, 300)]
    .map((c) => (/[\w .,:;/#=&+%-]/.test(c) ? c : "\\" + c.codePointAt(0)!.toString(16) + " "))
    .join("");

// Paper: everything is opened and unrolled before it is printed, and put back after. The browser is
// listened to from the script's start, as a page may be printed before the first effects have run.
import { options } from "preact";

// Preact asks these when to render and when to run effects.
const hooks: {
  debounceRendering?: ((f: () => void) => void) | undefined;
  requestAnimationFrame?: ((f: () => void) => void) | undefined;
} = options;

// effects runs those of everything rendered so far. It may run any number of times.
let effects = () => {};
const afterPaint = (run: () => void) => {
  effects = run;
  requestAnimationFrame(() => setTimeout(run));
  setTimeout(run, 35); // a hidden page has no frames
};
hooks.requestAnimationFrame = afterPaint;

const closed: HTMLDetailsElement[] = [];
addEventListener("beforeprint", () => {
  turn("1");
  for (const d of document.querySelectorAll<HTMLDetailsElement>("details:not([open])")) {
    d.open = true;
    closed.push(d);
  }
});
addEventListener("afterprint", () => {
  for (const d of closed.splice(0)) d.open = false;
  turn("");
});

// footed puts text into the foot of each printed page.
export function footed(text: string): () => void {
  const style = document.createElement("style");
  style.textContent = `@page{@bottom-left{content:"${quote(text)}"}}`;
  document.head.append(style);
  return () => style.remove();
}

// turn tells the sections, and has what they change rendered at once, with its effects: the browser
// does not wait. What was rendered but not yet painted listens only after its effects.
function turn(print: string): void {
  const root = document.documentElement,
    later = hooks.debounceRendering,
    waiting = [effects];
  const run = () => {
    for (let f; (f = waiting.pop());) f();
  };
  if (print) root.dataset["print"] = print;
  else delete root.dataset["print"];
  hooks.debounceRendering = (render) => render();
  hooks.requestAnimationFrame = (f) => waiting.push(f);
  run();
  document.dispatchEvent(new Event("assay-print"));
  run();
  hooks.debounceRendering = later;
  hooks.requestAnimationFrame = afterPaint;
}

// quote makes a CSS string of hostile text.
const quote = (s: string): string =>
  [...s.slice(0, 300)]
    .map((c) => (/[\w .,:;/#=&+%-]/.test(c) ? c : "\\" + c.codePointAt(0)!.toString(16) + " "))
    .join("");

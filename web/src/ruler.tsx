// The verdict rulers: drawn by the program (internal/ruler), they stand in the page before its script runs, which keeps them.
import { useLayoutEffect, useRef } from "preact/hooks";

let figures: Element[] = [];

// keepFigures takes the figures out of what the script replaces.
export function keepFigures(app: Element): void {
  figures = [...app.querySelectorAll("figure.measure")];
}

// Ruler is the figure of a machine, by its index among those that have one.
export function Ruler({ at }: { at: number }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (figures[at]) place.current!.append(figures[at]);
  }, [at]);
  return <div class="ruling" ref={place} />;
}

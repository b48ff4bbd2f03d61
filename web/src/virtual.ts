// Long tables: only the rows in sight are in the document, whatever their number.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useListener } from "./listen";

// boxed is the number of rows above which a table scrolls in a box of its own; printed how many go on paper,
// whose width in pixels is that of A4.
export const boxed = 60,
  printed = 400,
  paper = 716;
const beyond = 8;

export interface Virtual<T extends HTMLElement> {
  box: { current: T | null };
  from: number;
  to: number; // the rows to draw
  before: number;
  after: number; // pixels of those that are not
  show: (i: number) => void; // scrolls to a row
}

// useVirtual follows the scrolling of a box of count rows of one height, of which one may have more below it (its open detail).
export function useVirtual<T extends HTMLElement>(
  count: number,
  height: number,
  more: { at: number; height: number },
  all: boolean,
): Virtual<T> {
  const box = useRef<T>(null),
    [at, setAt] = useState({ first: 0, rows: 30 });
  const extra = (i: number) => (more.at >= 0 && i > more.at ? more.height : 0);
  const row = (y: number) =>
    Math.floor(
      (more.at >= 0 && y > (more.at + 1) * height
        ? Math.max((more.at + 1) * height, y - more.height)
        : y) / height,
    );
  const look = () => {
    const el = box.current;
    if (!el) return;
    const first = row(el.scrollTop),
      rows = Math.ceil(el.clientHeight / height);
    setAt((was) =>
      Math.abs(was.first - first) < beyond / 2 && was.rows === rows ? was : { first, rows },
    );
  };
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    const el = box.current,
      now = () => latest.current();
    if (!el || all) return;
    el.addEventListener("scroll", now, { passive: true });
    const o = new ResizeObserver(now);
    o.observe(el);
    return () => {
      el.removeEventListener("scroll", now);
      o.disconnect();
    };
  }, [all]);
  useLayoutEffect(() => latest.current(), [count, height, more.height]);
  const show = useCallback(
    (i: number) => {
      const el = box.current,
        top = i * height + extra(i);
      if (!el || all) return;
      if (top < el.scrollTop + height) el.scrollTop = top - height;
      else if (top + 3 * height > el.scrollTop + el.clientHeight)
        el.scrollTop = top - el.clientHeight + 3 * height;
      latest.current();
    },
    [count, height, more.at, more.height, all],
  );
  if (all) return { box, from: 0, to: count, before: 0, after: 0, show };
  const from = Math.max(0, Math.min(at.first, count - 1) - beyond),
    to = Math.min(count, from + at.rows + 2 * beyond + 4);
  return {
    box,
    from,
    to,
    before: from * height + extra(from),
    after: (count - to) * height + (more.at >= to ? more.height : 0),
    show,
  };
}

// usePrinting is whether the page is about to be printed (print.ts has what it changes rendered at once).
export function usePrinting(): boolean {
  const is = () => document.documentElement.dataset["print"] !== undefined,
    [printing, set] = useState(is);
  useListener(document, ["assay-print"], () => set(is()));
  return printing;
}

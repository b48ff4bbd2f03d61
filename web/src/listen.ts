// Events of the document and the window.
import { useLayoutEffect, useRef } from "preact/hooks";

// useListener calls f, as it was when last rendered, on events of a target. It listens as
// soon as there is something to see.
export function useListener(target: EventTarget, names: string[], f: (e: Event) => void): void {
  const latest = useRef(f);
  latest.current = f;
  useLayoutEffect(() => {
    const call = (e: Event) => latest.current(e);
    for (const n of names) target.addEventListener(n, call);
    return () => {
      for (const n of names) target.removeEventListener(n, call);
    };
  }, []);
}

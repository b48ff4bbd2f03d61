// A function that differs: what is said of it, and both sides' instructions beside each other.
import { Quiet } from "../button";
import { count } from "../format";
import { copy } from "../copy";
import type { CodeLine, WhyWords } from "../../page";

const mostRows = 400;
const marks: Record<string, string> = {
  call: "call",
  bounds: "bounds check",
  barrier: "write barrier",
};

type Function = NonNullable<WhyWords["funcs"]>[number];

export function Func(p: { w: WhyWords; f: Function; list: CodeLine[]; open: boolean }) {
  const { w, f, list, open } = p;
  return (
    <details class="func" open={open}>
      <summary>
        <code>
          <bdi>{f.place}</bdi>
        </code>
        {f.about && "  ·  " + f.about}
      </summary>
      <ul>
        {f.notes.map((n) => (
          <li>
            <bdi>{n}</bdi>
          </li>
        ))}
      </ul>
      {list.length > 0 && <Listing sides={w.sides} list={list} name={f.place} />}
    </details>
  );
}

// skipped says what a row stands for that is no instruction.
const skipped = (l: CodeLine): string =>
  l.kind === "folded"
    ? "… " + count(l.count ?? 0, "equal instruction")
    : l.kind === "cut"
      ? "… " + count(l.count ?? 0, "more row")
      : "";

function Listing(p: { sides: [string, string]; list: CodeLine[]; name: string }) {
  const { sides, list, name } = p;
  return (
    <div class="listing">
      <div class="scroll" tabIndex={0} role="group" aria-label={"instructions of " + name}>
        <table class="asm">
          <thead>
            <tr>
              <th scope="col">line</th>
              <th scope="col">
                <bdi>{sides[0]}</bdi>
              </th>
              <th scope="col">
                <bdi>{sides[1]}</bdi>
              </th>
              <th scope="col">look at</th>
            </tr>
          </thead>
          <tbody>
            {list.slice(0, mostRows).map((l) => (
              <Row l={l} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="copy">
        {list.length > mostRows && `… ${count(list.length - mostRows, "more row")} in the data  `}
        <Quiet onClick={() => copy(plain(list))}>copy listing</Quiet>
      </p>
    </div>
  );
}

function Row({ l }: { l: CodeLine }) {
  if (skipped(l))
    return (
      <tr class="skip">
        <td />
        <td colSpan={3}>{skipped(l)}</td>
      </tr>
    );
  const differs = l.kind === "differs";
  const side = (text: string | undefined, sign: string, kind: string) => (
    <td class={kind + (text ? "" : " none")}>
      {text && (
        <>
          <span class="sign">{differs ? sign : " "}</span>
          <bdi>{text}</bdi>
        </>
      )}
    </td>
  );
  return (
    <tr class={differs ? "differs" : ""}>
      <td class="line">{l.line && l.line > 0 ? l.line : ""}</td>
      {side(l.base, "−", "old")}
      {side(l.variant ?? (differs ? "" : l.base), "+", "new")}
      <td class="mark">{l.mark && (Object.hasOwn(marks, l.mark) ? marks[l.mark] : l.mark)}</td>
    </tr>
  );
}

// plain is the listing as text: what the base has alone behind a minus, the variant behind a plus.
const plain = (list: CodeLine[]): string =>
  list
    .flatMap(
      (l) =>
        skipped(l) ||
        (l.kind === "differs"
          ? [l.base && "- " + l.base, l.variant && "+ " + l.variant]
          : ["  " + l.base]),
    )
    .filter(Boolean)
    .join("\n");

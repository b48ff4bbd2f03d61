// How the code differs: the binaries as a whole, and function by function, both sides' instructions beside each other.
import { count, int } from "../format";
import { copy } from "../copy";
import type { CallChange, CodeChange, Explanation, FuncChange, FuncFacts } from "../types";
import { DataTable } from "../table";
import {
  call,
  col,
  fileLine,
  fn,
  join,
  names,
  num,
  place,
  points,
  sides,
  signedInt,
} from "../points";

const mostRows = 400,
  mostFunctions = 40,
  mostShown = 30;
type Line = NonNullable<FuncChange["listing"]>[number];
const marks: Record<string, string> = {
  call: "call",
  bounds: "bounds check",
  barrier: "write barrier",
};
const facts: [keyof FuncFacts, string][] = [
  ["size", "bytes"],
  ["frame", "stack frame, B"],
  ["instructions", "instructions"],
  ["calls", "calls"],
  ["bounds_checks", "bounds checks"],
  ["write_barriers", "write barriers"],
];

export function Code({ e }: { e: Explanation }) {
  const c = e.code!,
    list = c.functions ?? [];
  return (
    <>
      {summary(e, c).map((l) => (
        <p>{l}</p>
      ))}
      {c.missing?.map((m) => (
        <p>
          not told: <bdi>{m}</bdi>
        </p>
      ))}
      <Sizes e={e} c={c} />
      {c.calls?.length ? (
        <DataTable
          name={"calls that changed in " + e.benchmark.name}
          rows={c.calls}
          most={mostShown}
          columns={[
            col("calls that changed", call),
            num("calls", (k: CallChange) => int(k.count)),
            num("functions", (k: CallChange) => int(Math.max(k.callers ?? 1, 1))),
          ]}
        />
      ) : null}
      {list.slice(0, mostFunctions).map((f, i) => (
        <Func e={e} f={f} open={i === 0} />
      ))}
      {list.length > mostFunctions && (
        <p class="muted">… {count(list.length - mostFunctions, "more function")} in the data</p>
      )}
    </>
  );
}

// summary says how much of the binaries is the same.
function summary(e: Explanation, c: CodeChange): string[] {
  const total = c.same + c.differ + c.only_base + c.only_variant,
    some = (n: number, what: string) => (n ? int(n) + " " + what : "");
  const lines = [];
  if (e.same_code || (total > 0 && c.same === total))
    lines.push(`all ${count(c.same, "function")} are the same`);
  else if (total > 0)
    lines.push(
      join(
        " · ",
        int(c.same) + " functions the same",
        some(c.differ, "differ"),
        some(c.only_base, "only in " + names(e).base),
        some(c.only_variant, "only in " + names(e).variant),
      ),
    );
  if (c.hot > 0) lines.push(hot(c));
  return lines;
}

function hot(c: CodeChange): string {
  const { hot, same_hot: same } = c;
  if (same >= hot)
    return hot === 1
      ? "the function that matters here is the same in both"
      : `all ${int(hot)} functions that matter here are the same in both`;
  if (hot === 1) return "the function that matters here differs";
  if (same <= 0) return `the ${int(hot)} functions that matter here differ`;
  return `of ${hot} functions that matter here ${same} ${same === 1 ? "is" : "are"} the same in both`;
}

interface Size {
  name: string;
  base: number;
  variant: number;
}
function Sizes({ e, c }: { e: Explanation; c: CodeChange }) {
  const row = (name: string, base: number, variant: number): Size[] =>
    base > 0 || variant > 0 ? [{ name, base, variant }] : [];
  const rows = [
    ...row("code", c.base_text, c.variant_text),
    ...(c.packages ?? []).slice(0, mostShown),
    ...row("file", c.base_file, c.variant_file),
  ];
  const by = (s: Size) => {
    const b = s.variant / s.base - 1;
    return s.base > 0 && Math.abs(b) >= 0.0005 ? points({ change: b }) + " %" : "";
  };
  if (!rows.length) return null;
  return (
    <DataTable
      name={"size in bytes with " + e.benchmark.name}
      rows={rows}
      columns={[
        col("size in bytes", (s: Size) => s.name),
        ...sides(e, (s: Size, k) => int(s[k])),
        num("change", (s: Size) => signedInt(s.variant - s.base)),
        num("relative", by),
      ]}
    />
  );
}

function Func({ e, f, open }: { e: Explanation; f: FuncChange; open: boolean }) {
  const weight =
    f.weight && f.weight > 0 && f.weight <= 1
      ? "  ·  " + (100 * f.weight).toFixed(0) + " % of the profile"
      : "";
  const only = f.base
    ? f.variant
      ? ""
      : "  ·  only in " + names(e).base
    : f.variant
      ? "  ·  only in " + names(e).variant
      : "  ·  not read";
  return (
    <details class="func" open={open}>
      <summary>
        <code>
          <bdi>{place(f.name, f.file, f.line)}</bdi>
        </code>
        {weight}
        {only}
      </summary>
      <div class="cols">
        {(f.base || f.variant) && <Facts e={e} f={f} />}
        {(f.calls?.length || f.decisions?.length) && (
          <ul>
            {f.calls?.map((k) => (
              <li>
                call{" "}
                <code>
                  <bdi>
                    {call(k)}
                    {k.count > 1 && ` (${int(k.count)}×)`}
                  </bdi>
                </code>{" "}
                <span class="muted">{fileLine(k.file, k.line)}</span>
              </li>
            ))}
            {decisions(f)
              .slice(0, mostShown)
              .map(([d, n]) => (
                <li>
                  compiler <span class="muted">{fileLine(d.file, d.line)}</span>:{" "}
                  <bdi>{join(": ", decided(d.kind, d.what), d.reason ?? "")}</bdi>
                  {n > 1 && ` (${n}×)`} (only{" "}
                  <bdi>{d.side === "variant" ? names(e).variant : names(e).base}</bdi>)
                </li>
              ))}
          </ul>
        )}
      </div>
      {f.listing?.length ? <Listing e={e} list={f.listing} name={fn(f.name)} /> : null}
    </details>
  );
}

type Decision = NonNullable<FuncChange["decisions"]>[number];

// decisions counts those that are alike but for their column.
function decisions(f: FuncChange): [Decision, number][] {
  const seen = new Map<string, [Decision, number]>();
  for (const d of f.decisions ?? []) {
    const k = [d.kind, d.file, d.line, d.what, d.reason, d.side].join("\n"),
      one = seen.get(k);
    if (one) one[1]++;
    else seen.set(k, [d, 1]);
  }
  return [...seen.values()];
}

// Facts are what was counted in a function; rows that are alike are told too, in grey.
function Facts({ e, f }: { e: Explanation; f: FuncChange }) {
  type Fact = (typeof facts)[number];
  const of = ([k]: Fact, side: "base" | "variant") => f[side]?.[k],
    diff = (x: Fact) => (of(x, "variant") ?? 0) - (of(x, "base") ?? 0);
  const columns = [
    col("counted", ([, name]: Fact) => name),
    ...sides(e, (x: Fact, side) => int(of(x, side) ?? NaN)),
    num("change", (x: Fact) => (of(x, "base") === of(x, "variant") ? "=" : signedInt(diff(x)))),
  ];
  return (
    <DataTable
      name={"facts of " + fn(f.name)}
      rows={facts}
      columns={columns.map((c) => ({ ...c, class: (x: Fact) => (diff(x) ? "" : "muted") }))}
    />
  );
}

const said: Record<string, (what: string) => string> = {
  inline: (w) => w + " can be inlined",
  "no-inline": (w) => w + " cannot be inlined",
  call: (w) => `call of ${w} inlined`,
  escape: (w) => w + " escapes to the heap",
  stack: (w) => w + " stays on the stack",
  bounds: (w) => "index checked: " + w,
};
const decided = (kind: string, what: string): string =>
  Object.hasOwn(said, kind) ? said[kind]!(what) : join(" ", kind, what);

// skipped says what a row stands for that is no instruction.
const skipped = (l: Line): string =>
  l.kind === "folded"
    ? "… " + count(l.count ?? 0, "equal instruction")
    : l.kind === "cut"
      ? "… " + count(l.count ?? 0, "more row")
      : "";

function Listing({ e, list, name }: { e: Explanation; list: Line[]; name: string }) {
  return (
    <div class="listing">
      <div class="scroll" tabIndex={0} role="group" aria-label={"instructions of " + name}>
        <table class="asm">
          <thead>
            <tr>
              <th scope="col">line</th>
              <th scope="col">
                <bdi>{names(e).base}</bdi>
              </th>
              <th scope="col">
                <bdi>{names(e).variant}</bdi>
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
        <button type="button" class="quiet" onClick={() => copy(plain(list))}>
          copy listing
        </button>
      </p>
    </div>
  );
}

function Row({ l }: { l: Line }) {
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
const plain = (list: Line[]): string =>
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

// What an operation allocates, the sites that differ, and the collector's work.
import type { AllocChange, AllocSite, Explanation } from "../types";
import { count, label, none, value } from "../format";
import { DataTable } from "../table";
import { col, join, num, place, points, sane, sides, span } from "../points";

const most = 40;
const objects = (n: number): string => value("allocs/op", n),
  bytes = (n: number): string => value("B/op", n);
const signed = (text: string, n: number): string => (n > 0 ? "+" : "") + text;
const diff = (base: number, variant: number, f: (n: number) => string): string =>
  variant === base ? "=" : signed(f(variant - base), variant - base);

export function Allocs({ e }: { e: Explanation }) {
  const a = e.allocs!,
    sites = a.sites ?? [];
  const alike =
    a.base_objects === a.variant_objects && a.base_bytes === a.variant_bytes && !sites.length;
  const rows = [
    { name: "objects", base: a.base_objects, variant: a.variant_objects, f: objects },
    { name: "bytes", base: a.base_bytes, variant: a.variant_bytes, f: bytes },
  ];
  type Row = (typeof rows)[number];
  return (
    <>
      {alike ? (
        <p>{both(a)}</p>
      ) : (
        <DataTable
          name={"allocations per operation of " + e.benchmark.name}
          rows={rows}
          columns={[
            col("per operation", (r: Row) => r.name),
            ...sides(e, (r: Row, k) => r.f(r[k])),
            {
              ...num("change", (r: Row) => diff(r.base, r.variant, r.f)),
              class: (r: Row) => tone(r.variant - r.base),
            },
          ]}
        />
      )}
      {sites.length > 0 && <Sites sites={sites} of={e.benchmark.name} />}
      <p class="muted">{note(a)}</p>
    </>
  );
}

const tone = (d: number): string => (d < 0 ? "better" : d > 0 ? "worse" : "");
const both = (a: AllocChange): string =>
  a.base_objects
    ? `${objects(a.base_objects)} object${a.base_objects === 1 ? "" : "s"}, ${bytes(a.base_bytes)} in both`
    : "none in both";

function Sites({ sites, of }: { sites: AllocSite[]; of: string }) {
  const top = (f: (s: AllocSite) => number) =>
    sites.reduce((m, s) => Math.max(m, Math.abs(f(s)) || 0), 0);
  const n = (s: AllocSite) => s.variant_objects - s.base_objects,
    b = (s: AllocSite) => s.variant_bytes - s.base_bytes,
    mostN = top(n),
    mostB = top(b);
  return (
    <DataTable
      name={"sites that allocate otherwise in " + of}
      rows={sites}
      most={most}
      columns={[
        col("site", (s: AllocSite) => place(s.function, s.file, s.line)),
        num("objects", objectsWere, (s: AllocSite) => (
          <>
            {objectsWere(s)}
            <Bar of={n(s)} most={mostN} />
          </>
        )),
        num("bytes", bytesWere, (s: AllocSite) => (
          <>
            {bytesWere(s)}
            <Bar of={b(s)} most={mostB} />
          </>
        )),
        num("size class", (s: AllocSite) => (s.size && s.size > 0 ? bytes(s.size) : none)),
        col("what, and why on the heap", why),
      ]}
    />
  );
}

const known = (x: number | null): x is number => x != null && Number.isFinite(x);
// was is "+1 (2 → 3)": what came, and where both sides allocate there, how much.
const was = (base: number, variant: number, f: (n: number) => string): string =>
  !known(base) || !known(variant)
    ? "not known"
    : base === variant
      ? "= " + f(base)
      : diff(base, variant, f) + (base > 0 && variant > 0 ? ` (${f(base)} → ${f(variant)})` : "");
const objectsWere = (s: AllocSite): string => was(s.base_objects, s.variant_objects, objects);
const bytesWere = (s: AllocSite): string => was(s.base_bytes, s.variant_bytes, bytes);
const why = (s: AllocSite): string =>
  join(": ", join(" ", s.type ?? "", s.via ? "by " + s.via : ""), s.reason ?? "");

// Bar is a change as a length, to the left for less and to the right for more.
function Bar({ of, most }: { of: number; most: number }) {
  const w = most > 0 && known(of) ? (50 * Math.abs(of)) / most : 0;
  return (
    <i class="bar" aria-hidden="true">
      {w > 0 && (
        <b
          class={of < 0 ? "less" : "more"}
          style={{ left: (of < 0 ? 50 - w : 50) + "%", width: w + "%" }}
        />
      )}
    </i>
  );
}

function note(a: AllocChange): string {
  const over =
    a.trials > 0
      ? ` over ${count(a.trials, "trial")} a side with every allocation in the profile`
      : "";
  return join(
    "; ",
    a.same ? count(a.same, "other site") + " alike in both" : "",
    (a.exact ? "exact" : "means") + over,
  );
}

export function Collector({ e }: { e: Explanation }) {
  const gc = e.gc!,
    share = gc.rows.some((r) => r.metric === "gc.cpu-share");
  const rows = gc.rows.map((r) =>
    r.metric === "gc.cycles/op" && r.base < 1e-3 && r.variant < 1e-3
      ? { ...r, base: 1e6 * r.base, variant: 1e6 * r.variant, name: "cycles per 1,000,000 ops" }
      : { ...r, name: label(r.metric) },
  );
  type Row = (typeof rows)[number];
  const change = (r: Row) =>
    r.base && sane(r.change) && points(r) !== none ? points(r) + " %" : none;
  return (
    <>
      <DataTable
        name={"collector of " + e.benchmark.name}
        rows={rows}
        columns={[
          col("collector", (r: Row) => r.name),
          ...sides(e, (r: Row, k) => value(r.metric, r[k])),
          num("change", change),
          num("interval", (r: Row) => (change(r) === none ? "" : span(r.interval))),
        ]}
      />
      <p class="muted">
        {join(
          "; ",
          gc.trials > 0 ? `medians of ${count(gc.trials, "traced trial")} a side` : "",
          share ? "a share's change is relative, not in points" : "",
        )}
      </p>
    </>
  );
}

// A result of many benchmarks over twenty steps, made up of numbers that are the same each time.
import { resultOf } from "./pages.mjs";

// random is mulberry32.
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const nameOf = (i) =>
  `Case${String(i).padStart(4, "0")}/${["small", "large", "mixed"][i % 3]}`;

// large is the record of studies/arc with n benchmarks instead of its own.
export function large(n) {
  const r = resultOf("arc"),
    rnd = random(7),
    benchmarks = Array.from({ length: n }, (_, i) => ({
      package: "example.com/large/p" + Math.floor((5 * i) / n),
      name: nameOf(i),
    }));
  for (const s of r.arc.steps)
    for (const k of ["same_as", "gates", "movers", "missing", "view", "watch"]) delete s[k];
  r.arc.steps[9].watch = [nameOf(3), nameOf(33)];
  delete r.arc.compound;
  const names = r.arc.steps.map((s) => s.variant),
    value = benchmarks.map(() => 10 ** (-8 + 5 * rnd()));
  for (const v of r.variants) delete v.same_as;
  const cell = (variant, benchmark, base, change, half) => {
    const far = Math.abs(change) > half,
      c = {
        variant,
        benchmark,
        value: base * (1 + change),
        change,
        difference: base * change,
        n: 30,
      };
    if (half) c.interval = { lo: change - half, hi: change + half };
    return Object.assign(
      c,
      half
        ? {
            verdict: far ? (change < 0 ? "faster" : "slower") : "unclear",
            ...(far
              ? {}
              : {
                  reason: "the interval covers 0",
                  more_blocks: 10 + Math.floor(300 * rnd()),
                  more_time_ns: 1e9,
                }),
          }
        : { exact: true, verdict: change < 0 ? "less" : change > 0 ? "more" : "same" },
    );
  };
  // walked is a table whose benchmarks go on from step to step: next tells the value after step k.
  const walked = (metric, base, next, half) => {
    const at = benchmarks.map((_, i) => base(i)),
      rows = benchmarks.map((benchmark, i) => ({ benchmark, base: base(i), cells: [] })),
      geomean = [];
    const whole = (variant, ratios) => ({
      ...cell(
        variant,
        { name: "geomean" },
        1e-6,
        Math.exp(ratios.reduce((s, x) => s + Math.log(x), 0) / n) - 1,
        0.004,
      ),
      verdict: "faster",
    });
    const steps = names.map((variant, k) => {
      const before = [...at],
        cells = benchmarks.map((benchmark, i) => {
          at[i] = next(before[i], k);
          rows[i].cells.push(cell(variant, benchmark, base(i), at[i] / base(i) - 1, half()));
          return {
            ...cell(variant, benchmark, before[i], at[i] / before[i] - 1, half()),
            difference: undefined,
          };
        });
      geomean.push(
        whole(
          variant,
          at.map((v, i) => v / base(i)),
        ),
      );
      return {
        variant,
        previous: k ? names[k - 1] : r.base,
        whole: whole(
          variant,
          at.map((v, i) => v / before[i]),
        ),
        cells,
      };
    });
    return { metric, decides: true, rows, geomean, common: n, steps };
  };
  r.tables = [
    walked(
      { name: "sec/op", better: "lower", min_effect: 0.02 },
      (i) => value[i],
      (v, k) => v * Math.exp(0.12 * (rnd() - 0.62) + (k === 9 ? 0.3 : 0)),
      () => 0.01 + 0.03 * rnd(),
    ),
    walked(
      { name: "allocs/op", better: "lower", min_effect: 0.02 },
      (i) => 100 + (i % 900),
      (v) => (rnd() < 0.05 ? Math.max(1, v - Math.ceil(9 * rnd())) : v),
      () => 0,
    ),
  ];
  r.noise.cells = benchmarks.map((benchmark, i) => ({
    ...cell("control", benchmark, value[i], 0.01 * (rnd() - 0.5), 0.015),
    verdict: rnd() < 0.5 ? "same" : "unclear",
  }));
  return r;
}

// plain is a comparison of the last step with the base, without the steps between.
export function plain(n) {
  const r = large(n),
    last = r.arc.steps.at(-1).variant;
  delete r.arc;
  const tables = r.tables.map((t) => ({
    ...t,
    steps: undefined,
    geomean: t.geomean.slice(-1),
    rows: t.rows.map((x) => ({ ...x, cells: x.cells.slice(-1) })),
  }));
  return {
    ...r,
    tables,
    variants: r.variants.filter((v) => [r.base, last].includes(v.name)),
    answer: { ...r.answer, use: last },
  };
}

// How large and how fast pages are: node dev/bench.mjs prints sizes of the studies' pages, then of made-up ones with
// 10, 40 and 5,000 benchmarks the time from the start of the page until it is painted, and of each switch until what it
// changes in sight is painted. Nothing fails here because a machine is slow.
import { readFileSync } from "node:fs";
import { chrome, close, eventually, madeFile, open, pageFile, records } from "../test/pages.mjs";
import { large, nameOf, plain } from "../test/large.mjs";

const kB = (n) => (n / 1000).toFixed(0).padStart(6) + " kB",
  ms = (list) =>
    `${median(list).toFixed(0).padStart(6)} ms  (${list.map((x) => x.toFixed(0)).join(" ")})`;
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const part = (text, pattern) =>
  [...text.matchAll(pattern)].reduce((n, m) => n + Buffer.byteLength(m[1]), 0);

function sizes(name, file) {
  const text = readFileSync(file, "utf8"),
    data = part(text, /id="assay-data">([^<]*)</g),
    all = part(text, /<script[^>]*>([^]*?)<\/script>/g);
  console.log(
    `${name.padEnd(22)}${kB(Buffer.byteLength(text))} page  ${kB(all - data)} script  ${kB(data)} data  ${kB(part(text, /<style>([^]*?)<\/style>/g))} style`,
  );
}

// painted is when what one sees first is on the screen, two frames after it was drawn, and when the whole page is (more
// follows in large ones), in ms after the page was begun. The clock of the page itself is read, so that the time of asking
// is not in it.
async function painted(file) {
  const context = await (
      await chrome()
    ).newContext({ viewport: { width: 1280, height: 720 }, deviceScaleFactor: 2 }),
    page = await context.newPage();
  await page.addInitScript(() => {
    new MutationObserver((_, o) => {
      if (!document.querySelector(".contents")) return;
      o.disconnect();
      let last = performance.now(),
        seen;
      new MutationObserver(() => {
        last = performance.now();
      }).observe(document, { childList: true, subtree: true, attributes: true });
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          seen = performance.now();
        }),
      );
      const wait = setInterval(() => {
        if (!seen || performance.now() < last + 500) return;
        clearInterval(wait);
        window.painted = [seen, Math.max(last, seen), document.querySelectorAll("*").length];
      }, 50);
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto("file://" + file);
  await eventually(page, () => window.painted);
  const got = await page.evaluate(() => window.painted);
  await context.close();
  return got;
}

const switches = [
  ["metric", "m=allocs/op"],
  ["view: × base", "v=ratio"],
  ["view: value", "v=value"],
  ["scale: linear", "s=lin"],
  ["step 10", "step=10"],
  ["filter", "q=large"],
  ["only unclear", "u=1"],
  ["sort by change", "sort=change"],
  ["sort by name", "sort=name"],
  ["open a benchmark", "b=" + encodeURIComponent(nameOf(33))],
  ["dark", "t=dark"],
];

// switched is how long the page takes from a new address until two frames after what is in sight was changed, and until
// the last change out of sight.
const switched = (page, hash) =>
  page.evaluate(
    (hash) =>
      new Promise((done) => {
        history.replaceState(null, "", "#" + hash);
        const begun = performance.now();
        let last = begun,
          seen;
        const o = new MutationObserver(() => {
          last = performance.now();
          if (!seen)
            requestAnimationFrame(() =>
              requestAnimationFrame(() => {
                seen ??= performance.now();
              }),
            );
        });
        o.observe(document, {
          childList: true,
          subtree: true,
          attributes: true,
          characterData: true,
        });
        dispatchEvent(new PopStateEvent("popstate"));
        const wait = setInterval(() => {
          if (performance.now() < Math.max(last, seen ?? 0) + 300) return;
          clearInterval(wait);
          o.disconnect();
          done([(seen ?? last) - begun, Math.max(seen ?? 0, last) - begun]);
        }, 20);
      }),
    hash,
  );

const quick = process.argv.includes("quick");
console.log("sizes");
for (const name of Object.keys(records)) sizes(name, pageFile(name));
const made = [
  ["10 benchmarks", plain(10)],
  ["40 benchmarks", plain(40)],
  ["40 x 20 steps", large(40)],
  ["5,000 benchmarks", plain(5000)],
  ["5,000 x 20 steps", large(5000)],
].map(([name, r]) => [name, madeFile(name.replace(/\W+/g, "-"), r)]);
for (const [name, file] of made) sizes(name, file);

console.log("\nstart of page until painted, median of 5");
const times = async (name, file) => {
  const runs = [];
  for (let i = 0; i < (quick ? 1 : 5); i++) runs.push(await painted(file));
  console.log(
    `${name.padEnd(22)}${ms(runs.map((r) => r[0]))}, whole after ${median(runs.map((r) => r[1])).toFixed(0)} ms, ${runs[0][2]} nodes`,
  );
};
for (const name of ["queue-path", "small-malloc", "arc", "causes"])
  await times(name, pageFile(name));
for (const [name, file] of made) await times(name, file);

console.log("\neach switch at 5,000 benchmarks x 20, median of 5");
const page = await open(made.at(-1)[1]);
for (const [name, hash] of switches) {
  const runs = [];
  for (let i = 0; i < (quick ? 1 : 5); i++) {
    runs.push(await switched(page, hash));
    await switched(page, "");
  }
  console.log(
    `${name.padEnd(22)}${ms(runs.map((r) => r[0]))}, whole after ${median(runs.map((r) => r[1])).toFixed(0)} ms`,
  );
}
await close();

// On paper everything is there: all rows, all steps, all that was folded, in dark letters on white; and nothing of the print stays.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dataOf, done, drawn, madeFile, open, pageFile, resultOf, temp, test } from "./pages.mjs";
import { plain } from "./large.mjs";

// textOf is the text of a PDF, undefined where there is no pdftotext (poppler-utils).
function textOf(pdf) {
  const file = temp("print.pdf");
  writeFileSync(file, pdf);
  try {
    return execFileSync("pdftotext", ["-layout", file, "-"], {
      encoding: "utf8",
      maxBuffer: 1 << 26,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch (e) {
    if (e.code === "ENOENT") return undefined;
    throw e;
  }
}
const squeezed = (s) => s.replace(/\s+/g, "");

for (const name of ["go-toml", "small-malloc", "arc", "causes", "sql-server"])
  test(`${name}: the PDF has every benchmark, step and explanation, and the page is as before`, async (t) => {
    const page = await open(pageFile(name), { hash: "t=dark", colorScheme: "dark" }),
      r = resultOf(name);
    const state = () =>
      page.evaluate(() => [
        document.documentElement.dataset.print ?? "",
        document.querySelectorAll("details[open]").length,
        document.querySelectorAll("#app *").length,
      ]);
    const before = await state(),
      pdf = await page.pdf({ format: "A4", preferCSSPageSize: true });
    await drawn(page);
    assert.deepEqual(await state(), before, "put back");
    assert.ok(pdf.length > 20_000);
    const text = textOf(pdf);
    if (text === undefined) t.diagnostic("no pdftotext: the text of the PDF was not looked at");
    else {
      for (const row of r.tables[0].rows)
        assert.ok(
          squeezed(text).includes(squeezed(row.benchmark.name)) || row.benchmark.name.length > 24,
          row.benchmark.name + " is in the PDF",
        );
      for (const s of r.arc?.steps ?? [])
        assert.ok(squeezed(text).includes(squeezed(s.variant)), s.variant + " is in the PDF");
      for (const s of r.answer.text) assert.ok(squeezed(text).includes(squeezed(s)), s);
      if (r.run) assert.ok(text.includes(r.run), "and the run that it is of");
    }
    await done(page);
  });

for (const name of ["go-toml", "arc", "causes"])
  test(`${name}: what is unrolled and unfolded for the print`, async () => {
    const page = await open(pageFile(name), { colorScheme: "dark", hash: "t=dark" }),
      r = resultOf(name);
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    const got = await page.evaluate(() => ({
      rows: document.querySelectorAll(
        "#benchmarks .forest tbody tr:not(.group, .pad, .open-detail)",
      ).length,
      steps: document.querySelectorAll("#walk .walk").length,
      folded: document.querySelectorAll("#app details:not([open])").length,
      shown: [...document.querySelectorAll(".switches, .contents, header .buttons, .tools, p.copy")]
        .filter((e) => e.getClientRects().length)
        .map((e) => e.className),
      ground: getComputedStyle(document.body).backgroundColor,
      ink: getComputedStyle(document.body).color,
      wide: [...document.querySelectorAll("svg")].filter(
        (s) => s.getBoundingClientRect().width > 1300,
      ).length,
    }));
    assert.equal(got.rows, r.tables[0].rows.length, "all rows");
    assert.equal(got.steps, r.arc?.steps.length ?? 0, "all steps");
    assert.equal(got.folded, 0, "nothing is folded");
    assert.deepEqual(got.shown, [], "controls are not printed");
    const sum = (s) =>
      s
        .match(/\d+/g)
        .slice(0, 3)
        .reduce((a, b) => a + Number(b), 0);
    assert.ok(
      /rgba\(0, 0, 0, 0\)/.test(got.ground) || sum(got.ground) > 700,
      "a light ground: " + got.ground,
    );
    assert.ok(sum(got.ink) < 250, "dark letters: " + got.ink);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await done(page);
  });

// A page may be printed as soon as the browser calls it loaded: before its effects ran, and before it was painted.
for (const name of ["go-toml", "causes", "small-malloc"])
  test(`${name}: printed straight after it is loaded, it is as later`, async (t) => {
    const soon = await open(pageFile(name), { ready: "" }),
      first = await soon.pdf({ format: "A4", preferCSSPageSize: true });
    await drawn(soon);
    const second = await soon.pdf({ format: "A4", preferCSSPageSize: true });
    await done(soon);
    const [a, b] = [textOf(first), textOf(second)];
    if (a === undefined) return t.diagnostic("no pdftotext: the text of the PDF was not looked at");
    const letters = (s) => squeezed(s).length;
    assert.ok(
      Math.abs(letters(a) - letters(b)) < 0.002 * letters(b),
      `${letters(a)} characters at once, ${letters(b)} later`,
    );
    const folded = await open(pageFile(name)),
      hidden = await folded.evaluate(() =>
        [...document.querySelectorAll("#app details:not([open]) :is(li, td)")]
          .map((e) => e.textContent.trim())
          .filter((s) => /^[\w .:/-]{12,40}$/.test(s)),
      );
    await done(folded);
    for (const s of hidden.slice(0, 20))
      assert.ok(squeezed(a).includes(squeezed(s)), `"${s}" is folded on the screen only`);
  });

test("5,000 benchmarks print 400 of them, straight after they are loaded", async (t) => {
  const n = 5000,
    file = madeFile("printed", plain(n)),
    page = await open(file, { ready: "" }),
    begun = Date.now(),
    pdf = await page.pdf({ format: "A4", preferCSSPageSize: true });
  t.diagnostic(`${Date.now() - begun} ms, ${(pdf.length / 1e6).toFixed(1)} MB`);
  const text = textOf(pdf);
  if (text !== undefined) {
    assert.match(text, /… 4,600 more in the data file/);
    const pages = text.split("\f").length - 1;
    assert.ok(pages < 40, `${pages} pages`);
  }
  await done(page);
});

test("without a script, what is folded is printed too", async (t) => {
  const page = await open(pageFile("arc"), { ready: "", javaScriptEnabled: false }),
    text = textOf(await page.pdf({ format: "A4", preferCSSPageSize: true })),
    facts = dataOf(pageFile("arc")).machines[0].result.warnings.flatMap(
      (w) => w.facts ?? [w.try ?? ""],
    );
  if (text === undefined)
    return t.diagnostic("no pdftotext: the text of the PDF was not looked at");
  for (const f of facts) assert.ok(squeezed(text).includes(squeezed(f)), f);
  await done(page);
});

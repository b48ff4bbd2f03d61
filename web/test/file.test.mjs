// The page as a file: it needs nothing else, keeps to its own policy, and says the answer even where nothing of it runs.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { transformSync } from "esbuild";
import {
  assay,
  dataOf,
  done,
  drawn,
  madeFile,
  newContext,
  open,
  pageFile,
  records,
  resultOf,
  root,
  studies,
  temp,
  test,
  spaced,
} from "./pages.mjs";

for (const name of studies)
  test(`${name} opens from a file: no fault in the console, one request, every section that the record has data for`, async () => {
    const file = pageFile(name),
      page = await open(file),
      r = dataOf(file).machines[0].result;
    assert.deepEqual(page.requests, ["file://" + file]);
    const got = await page.evaluate(() =>
        [...document.querySelectorAll("#app > section")].map((s) => s.id),
      ),
      several = r.variants.filter((v) => v.name !== r.base && v.name !== "control").length > 1;
    const want = {
      answer: true,
      variants: several || !!r.tradeoff || !!r.race,
      matrix: several && r.tables.some((t) => t.rows.length > 1),
      arc: !!r.arc,
      steps: !!r.arc,
      benchmarks: true,
      latency: !!r.latencies?.length,
      gc: !!r.gcs?.length,
      why: !!r.explanations?.length,
      noise: true,
      method: true,
      data: true,
    };
    for (const [id, is] of Object.entries(want)) assert.equal(got.includes(id), is, "#" + id);
    assert.deepEqual(
      await page.evaluate(() =>
        [...document.querySelectorAll(".contents a")].map((a) => a.hash.slice(1)),
      ),
      got,
      "the contents list the sections in their order",
    );
    await done(page);
  });

test("the policy of the page lets only its own script run", async () => {
  const text = readFileSync(pageFile("queue-path"), "utf8"),
    policy = /Content-Security-Policy" content="([^"]*)"/.exec(text)[1];
  assert.match(policy, /^default-src 'none'; /);
  assert.doesNotMatch(policy, /script-src[^;]*unsafe|https?:|connect-src/);
  const scripts = [...text.matchAll(/<script>([^]*?)<\/script>/g)].map((m) => m[1]),
    hashes = [...policy.matchAll(/'sha256-([^']*)'/g)].map((m) => m[1]);
  for (const s of scripts)
    assert.ok(
      hashes.includes(createHash("sha256").update(s).digest("base64")),
      "the hash of a script is in the policy",
    );
  const file = temp("injected.html");
  writeFileSync(
    file,
    text.replace(
      "</main>",
      `<script>window.bad = 1</script><img src="https://example.invalid/x.png" onerror="window.bad = 1"></main>`,
    ),
  );
  const page = await open(file);
  assert.equal(await page.evaluate(() => window.bad), undefined);
  assert.ok(
    page.errors.some((e) => /Content Security Policy/.test(e)),
    "the browser tells that it stopped something",
  );
  await page.context().close();
});

test("the style and the bundles have every rule of the style sheets", () => {
  const [src, dist] = ["/web/src/", "/web/dist/"].map((d) => root + d),
    built = readdirSync(dist)
      .map((f) => readFileSync(dist + f, "utf8"))
      .join("");
  for (const f of readdirSync(src, { recursive: true }).filter((f) => f.endsWith(".css")))
    for (const rule of transformSync(readFileSync(src + f, "utf8"), { loader: "css", minify: true })
      .code.split("}")
      .map((r) => r.trim())
      .filter(Boolean))
      assert.ok(
        [rule, JSON.stringify(rule).slice(1, -1), rule.replace(/([:,]) /g, "$1")].some((r) =>
          built.includes(r),
        ),
        `${f}: ${rule}}`,
      );
});

for (const name of ["small-malloc", "arc"])
  test(`${name} works in a frame that is sandboxed and has no address`, async () => {
    const context = await newContext(),
      page = await context.newPage(),
      errors = [];
    page.on("pageerror", (e) => errors.push(String(e)));
    page.on("console", (m) => {
      if (m.type() === "error") errors.push(m.text());
    });
    await page.goto("about:blank");
    await page.evaluate(
      (html) => {
        const f = document.createElement("iframe");
        f.setAttribute("sandbox", "allow-scripts");
        f.srcdoc = html;
        f.style.cssText = "width: 1200px; height: 700px";
        document.body.append(f);
      },
      readFileSync(pageFile(name), "utf8"),
    );
    const frame = page.frames()[1] ?? (await page.waitForEvent("frameattached"));
    await frame.waitForSelector(".contents");
    assert.deepEqual(
      (await frame.locator(".answer .text p").allTextContents()).map(spaced),
      resultOf(name).answer.text,
    );
    await frame.locator(".switches input[value=ratio], .switches select").first().waitFor();
    await frame.locator("label:has(input[name=switch-v][value=ratio])").click();
    await drawn(frame);
    assert.equal(
      await frame.evaluate(() => document.querySelector("input[name=switch-v]:checked").value),
      "ratio",
      "a switch works",
    );
    assert.match(
      await frame.evaluate(() => document.querySelector("#benchmarks tbody td.change").textContent),
      /×/,
      "and changes what is shown",
    );
    await frame.locator("button", { hasText: "copy link" }).first().click();
    await drawn(frame);
    assert.deepEqual(
      errors.filter((e) => !/clipboard/i.test(e)),
      [],
    );
    await context.close();
  });

for (const name of ["small-malloc", "arc", "sql-server"])
  test(`${name} answers without JavaScript`, async () => {
    const page = await open(pageFile(name), { javaScriptEnabled: false, ready: "" }),
      r = resultOf(name),
      text = spaced(await page.locator("main").innerText());
    for (const t of r.answer.text) assert.ok(text.includes(t), t);
    assert.ok(text.includes(r.answer.basis), r.answer.basis);
    for (const row of r.tables[0].rows.slice(0, 50))
      assert.ok(text.includes(row.benchmark.name), row.benchmark.name);
    for (const v of r.variants.filter((v) => v.name !== "control"))
      assert.ok(text.includes(v.name), v.name);
    assert.equal(await page.locator("h1").count(), 1);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 1280);
    await done(page);
  });

test("the same record gives the same bytes", () => {
  const again = temp("again.html");
  assay("report", "studies/small-malloc/record", "-o", again);
  assert.ok(readFileSync(pageFile("small-malloc")).equals(readFileSync(again)));
});

// scripts are the bytes of script in a file as it is written: what runs, and what is packed for it.
export const scripts = (file) =>
  [...readFileSync(file, "utf8").matchAll(/<script\b([^>]*)>([^]*?)<\/script>/g)]
    .filter((m) => !m[1].includes("assay-data"))
    .reduce((n, m) => n + Buffer.byteLength(m[2]), 0);

test("the script of a plain comparison is at most 60 kB, a page of ten benchmarks at most 130 kB", (t) => {
  for (const name of studies)
    t.diagnostic(
      `${name}: ${Math.round(scripts(pageFile(name)) / 1000)} kB of script in ${Math.round(readFileSync(pageFile(name)).length / 1000)} kB`,
    );
  const plain = temp("plain.html"); // queue-path has causes, and the code that draws them
  assay("report", "studies/same-code/record/processes", "-o", plain);
  assert.ok(scripts(plain) <= 60_000, `${scripts(plain)} bytes`);
  assert.ok(readFileSync(ten()).length <= 130_000, `${readFileSync(ten()).length} bytes`);
  // Six benchmarks, five variants and their causes, of up to 265 blocks each: 160 kB, since the page has base64 of gzip.
  const malloc = readFileSync(pageFile("small-malloc")).length;
  assert.ok(malloc <= 160_000, `small-malloc: ${malloc} bytes`);
});

// ten is a page of ten benchmarks, as they come of a comparison of two commits.
function ten() {
  const r = resultOf("queue-path");
  for (const t of r.tables)
    t.rows = Array.from({ length: 10 }, (_, i) =>
      named(t.rows[0], `${t.rows[0].benchmark.name}/case=${i}`, 1 + i / 7),
    );
  r.noise.cells = r.tables[0].rows.map((x) => ({ ...r.noise.cells[0], benchmark: x.benchmark }));
  return madeFile("ten", r);
}
const named = (row, name, by) => {
  const benchmark = { ...row.benchmark, name };
  return {
    ...row,
    benchmark,
    base: row.base * by,
    cells: row.cells.map((c) => ({
      ...c,
      benchmark,
      value: c.value * by,
      change: c.change / by,
      interval: c.interval && { lo: c.interval.lo / by, hi: c.interval.hi / by },
    })),
  };
};

for (const name of ["small-malloc", "causes", "web-server"])
  test(`${name}: the tables that the page gives to save are those of assay report -o FILE.csv`, async () => {
    const page = await open(pageFile(name), { acceptDownloads: true });
    const [got] = await Promise.all([
      page.waitForEvent("download"),
      page.locator("#data button", { hasText: /^tables\.csv/ }).click(),
    ]);
    assert.equal(
      readFileSync(await got.path(), "utf8"),
      assay("report", records[name], "--format", "csv", "-o", "-"),
    );
    await done(page);
  });

test("a page of many comparisons names the command that writes its tables", async () => {
  const page = await open(pageFile("arc"));
  assert.equal(await page.locator("#data button", { hasText: "tables.csv" }).count(), 0);
  assert.match(
    await page.locator("#method").textContent(),
    /tables\.csv is not in this page for its size: assay report \w+ -o tables\.csv/,
  );
  await done(page);
});

test("what the page gives to save is the record", async () => {
  // With --embed=all, as only then the samples are in it.
  const file = temp("all.html");
  assay("report", root + "/studies/small-malloc/record", "--embed=all", "-o", file);
  const page = await open(file, { acceptDownloads: true });
  const save = async (button) => {
    const [got] = await Promise.all([page.waitForEvent("download"), button.click()]);
    return [got.suggestedFilename(), readFileSync(await got.path(), "utf8")];
  };
  const [name, json] = await save(page.locator("#data button", { hasText: /^result\.json$/ }));
  assert.match(name, /^[\w.-]+-result\.json$/);
  const { digest, ...saved } = JSON.parse(json);
  // The command is one that works where the record lies now. JSON has no -0.
  const plain = (r) => JSON.parse(JSON.stringify({ ...r, command: "" }));
  assert.deepEqual(plain(saved), plain(resultOf("small-malloc")));
  writeFileSync(temp("saved.json"), json);
  assert.match(
    assay("show", temp("saved.json")),
    new RegExp("^ANSWER  use " + resultOf("small-malloc").answer.use, "m"),
    "assay reads what was saved",
  );
  const [, samples] = await save(page.locator("#data button", { hasText: /results\.txt/ }));
  assert.equal(samples, assay("export", root + "/studies/small-malloc/record"));
  const [, study] = await save(page.locator("#data button", { hasText: /study\.toml/ }));
  assert.equal(study, readFileSync(root + "/studies/small-malloc/record/study.toml", "utf8"));
  await done(page);
});

test("files that were not measured together have a page with each change drawn, and nothing false", async () => {
  const [a, b, out] = ["old.txt", "new.txt", "files.html"].map(temp);
  const write = (file, ns) =>
    writeFileSync(
      file,
      Array.from(
        { length: 6 },
        (_, i) => `BenchmarkA 100 ${ns + i} ns/op\nBenchmarkB 100 50 ns/op\n`,
      ).join(""),
    );
  write(a, 120);
  write(b, 100);
  assay("compare", a, b, "-o", out);
  const page = await open(out),
    text = spaced(await page.locator("#benchmarks").textContent());
  assert.match(text, /2 without a verdict/);
  assert.doesNotMatch(
    spaced(await page.locator("main").textContent()),
    /not measured(?! together)|a value is zero/,
  );
  const points = await page.evaluate(() =>
    [...document.querySelectorAll("#benchmarks tbody svg.glyph")].map((s) => [
      s.querySelector(".sign")?.getBoundingClientRect().x,
      s.querySelector("path.base").getBoundingClientRect().x,
    ]),
  );
  assert.equal(points.length, 2);
  assert.ok(points[0][0] < points[0][1] - 20, "A is faster: " + points);
  assert.ok(Math.abs(points[1][0] - points[1][1]) < 8, "B is the same: " + points);
  await done(page);
});

// Bad input: names that are code, numbers that are none, records that are newer, damaged, empty or too large.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { packed } from "../dev/packed.mjs";
import {
  dataOf,
  done,
  drawn,
  go,
  madeFile,
  open,
  pageFile,
  press,
  resultOf,
  spaced,
  temp,
  test,
  tryAssay,
  writeResult,
} from "./pages.mjs";
import { charts } from "./plot.mjs";

const code = `</script><img src=x onerror="window.bad=1"><svg onload='window.bad=1'>`,
  rtl = "\u202egnp.exe \u05d0\u05d1\u05d2",
  quotes = `"'&amp;<b>\`\${1}`,
  long = "N".repeat(4000),
  link = "[x](javascript:window.bad=1) <a href=javascript:bad>y</a>";
const nasty = [code, rtl + "1", quotes, long, link];

// poisoned is a result in which every name and text that a stranger may have written is one of the nasty ones, but for
// what ties the record together.
function poisoned(name) {
  const r = resultOf(name),
    names = new Map();
  const renamed = (b, i) => {
    const k = (b.package ?? "") + " " + b.name;
    if (!names.has(k))
      names.set(
        k,
        nasty[names.size % nasty.length] + (names.size >= nasty.length ? names.size : ""),
      );
    return names.get(k);
  };
  const variants = new Map(
    r.variants.map((v, i) => [
      v.name,
      v.name === "control" ? "control" : nasty[i % nasty.length] + "v" + i,
    ]),
  );
  const texts = [
    "text",
    "basis",
    "question",
    "title",
    "intro",
    "story",
    "aside",
    "reason",
    "gate",
    "command",
    "cpu",
    "governor",
    "kernel",
    "try",
    "function",
    "file",
    "what",
    "via",
    "type",
    "subject",
  ];
  const walk = (x, key, inTable) => {
    if (Array.isArray(x))
      return x.map((y) =>
        typeof y === "string" &&
        ["text", "facts", "caveats", "evidence", "missing", "words"].includes(key)
          ? code + y.slice(0, 20)
          : walk(y, key),
      );
    if (!x || typeof x !== "object")
      return typeof x === "string" && texts.includes(key) && !["same_as"].includes(key)
        ? nasty[(x.length + key.length) % nasty.length] + x.slice(0, 20)
        : x;
    const out = {};
    for (const [k, v] of Object.entries(x)) {
      if (k === "benchmark" && v?.name !== undefined) out[k] = { ...v, name: v.name && renamed(v) };
      else if (
        ["variant", "previous", "base", "use", "as", "control", "beaten", "winner"].includes(k) &&
        typeof v === "string"
      )
        out[k] = variants.get(v) ?? v;
      else if (k === "variants" && Array.isArray(v) && v[0]?.name)
        out[k] = v.map((y) => ({ ...walk(y, k), name: variants.get(y.name) }));
      else if (
        [
          "verdict",
          "metric",
          "metrics",
          "status",
          "kind",
          "created",
          "stop",
          "side",
          "mark",
        ].includes(k)
      )
        out[k] = v;
      else out[k] = walk(v, k);
    }
    return out;
  };
  const out = walk(r, "");
  return {
    ...out,
    run: "r1",
    study: quotes + "study",
    report: { title: code, intro: link + "\n\n- " + code + "\n\n" + long, caveats: nasty },
  };
}

for (const name of ["small-malloc", "arc", "causes", "sql-server"])
  test(`${name} with names that are code, quotes, backwards or 4 kB long: they stay text`, async () => {
    const file = madeFile("poisoned-" + name, poisoned(name));
    for (const width of [1280, 390]) {
      const page = await open(file, { width, height: 800 });
      await page.evaluate(() => {
        for (const d of document.querySelectorAll("details")) d.open = true;
        document.querySelector("#benchmarks button.row")?.click();
      });
      await drawn(page);
      if (name === "arc") await press(page, "j", "j", "j", "Escape");
      const got = await page.evaluate(() => ({
        bad: window.bad,
        elements: document.querySelectorAll(
          "#app img, #app script, #app iframe, #app object, #app b > img",
        ).length,
        loaded: document.querySelectorAll("script:not([type])").length,
        links: [...document.querySelectorAll("a[href]")]
          .map((a) => a.getAttribute("href"))
          .filter((h) => !/^(#|https?:\/\/)/.test(h)),
        text: document.querySelector("#app").textContent,
        title: document.title,
        handlers: [...document.querySelectorAll("#app *")].filter((e) =>
          [...e.attributes].some((a) => a.name.startsWith("on")),
        ).length,
        wide: document.documentElement.scrollWidth - innerWidth,
        high: document.documentElement.scrollHeight,
      }));
      assert.deepEqual([got.bad, got.elements, got.links, got.handlers], [undefined, 0, [], 0]);
      assert.ok(got.text.includes(code), "code as text");
      assert.ok(got.text.includes(quotes.slice(0, 8)), "quotes as text");
      assert.ok(got.wide <= 0, `${width} px: sideways by ${got.wide}`);
      assert.deepEqual(page.requests, ["file://" + file]);
      await page.goto(
        page.url().replace(/#.*/, "") +
          "#b=" +
          encodeURIComponent(code) +
          "&cmp=" +
          encodeURIComponent(code) +
          "&q=" +
          encodeURIComponent(code),
      );
      await drawn(page);
      assert.equal(await page.evaluate(() => window.bad), undefined);
      await done(page);
    }
    const text = readFileSync(file, "utf8"),
      scripts = text.match(/<script/g).length,
      plain = readFileSync(pageFile(name), "utf8").match(/<script/g).length;
    assert.equal(scripts, plain, "no name opens or ends a script");
    const still = await open(file, { javaScriptEnabled: false, ready: "" });
    assert.ok(
      (await still.locator("main").innerText()).includes("</script><img"),
      "also without a script",
    );
    assert.equal(await still.locator("main img, main script").count(), 0);
    await done(still);
  });

test("backwards letters do not turn what stands beside them", async () => {
  const r = poisoned("small-malloc");
  for (const v of ["question", "command"]) r[v] = rtl + v;
  r.answer.text = [rtl + "answer"];
  r.platform.cpu = rtl + "cpu";
  const page = await open(madeFile("backwards", r));
  const loose = await page.evaluate(() => {
    const out = [],
      w = document.createTreeWalker(document.getElementById("app"), NodeFilter.SHOW_TEXT);
    const alone = (t) => {
      const e = t.parentElement;
      return getComputedStyle(e).display !== "inline" && e.textContent === t.data;
    }; // a block ends what turns
    for (let t; (t = w.nextNode());)
      if (!alone(t))
        if (
          /[\u202a-\u202e\u2066-\u2069]/.test(t.data) &&
          !t.parentElement.closest("bdi, pre, code, option, title, desc, text")
        )
          out.push(t.parentElement.outerHTML.slice(0, 80));
    return out;
  });
  assert.deepEqual(loose, []);
  await done(page);
});

test("numbers that are none, zero, negative or without end", async () => {
  const odd = [null, 0, -1, -0.999999, 1e300, 5e-324, -0, 12345678];
  const r = resultOf("small-malloc");
  let i = 0;
  for (const t of r.tables) {
    for (const row of t.rows) {
      row.base = odd[i++ % odd.length];
      for (const c of row.cells) {
        c.change = odd[i++ % odd.length];
        c.value = odd[i++ % odd.length];
        if (i % 3 === 0) delete c.interval;
        else if (i % 3 === 1)
          c.interval = { lo: odd[i % odd.length], hi: odd[(i + 3) % odd.length] };
      }
    }
    for (const c of t.geomean ?? []) {
      c.change = odd[i++ % odd.length];
      delete c.interval;
    }
  }
  r.noise.floor = 0;
  const page = await open(madeFile("odd", r));
  for (const hash of ["", "v=value", "v=ratio&s=lin", "m=B/op", "b=Alloc32", "sort=change"]) {
    await go(page, hash);
    assert.deepEqual(page.errors, [], hash);
    assert.doesNotMatch(
      await page.locator("#app").innerText(),
      /NaN|Infinity|undefined|\[object/,
      hash,
    );
    for (const c of await charts(page, "svg"))
      assert.doesNotMatch(
        c.paths.map((p) => p.d).join() + c.rects.map((x) => Object.values(x)).join(),
        /NaN|Infinity|undefined/,
        `${c.title} with ${hash}`,
      );
    assert.equal(await page.locator("#app .failed").count(), 0, hash);
  }
  await done(page);
});

// withData is a page whose data are others.
function withData(name, text) {
  const file = temp(name + ".html");
  writeFileSync(
    file,
    readFileSync(pageFile("queue-path"), "utf8").replace(
      /(id="assay-data">)[^<]*</,
      (_, head) => head + text + "<",
    ),
  );
  return file;
}

test("a record of a newer schema is not guessed at, by the program nor by the page", async () => {
  const file = temp("newer.json");
  writeResult(file, { ...resultOf("queue-path"), schema: 2 });
  const { status, stderr } = tryAssay("report", file, "-o", temp("newer.html"));
  assert.notEqual(status, 0);
  assert.match(stderr, /made by a newer assay[^]*schema is 2/);
  const data = dataOf(pageFile("queue-path"));
  data.schema = 2;
  const page = await open(withData("newer", packed(JSON.stringify(data))), {
    ready: ".failed",
  }).catch((e) => e);
  assert.ok(!(page instanceof Error), String(page));
  assert.match(await page.locator(".failed").innerText(), /schema 2.*knows 1/);
  assert.ok(
    spaced(await page.locator("main").innerText()).includes(resultOf("queue-path").answer.text[0]),
    "the answer still stands there",
  );
  await page.context().close();
});

test("damaged data: the page says so, and keeps the answer that stands in the file", async () => {
  for (const [name, text] of [
    ["damaged", "AAAA"],
    ["cut", packed("{}").slice(0, 12)],
    ["none", ""],
  ]) {
    const page = await open(withData(name, text), { ready: ".failed" });
    assert.match(await page.locator(".failed").innerText(), /cannot be read/);
    assert.ok(
      spaced(await page.locator("main").innerText()).includes(
        resultOf("queue-path").answer.text[0],
      ),
    );
    await page.context().close();
  }
});

test("a result of nothing, of one benchmark, of no variant beside the base, and a machine without data", async () => {
  const empty = resultOf("queue-path");
  Object.assign(empty, {
    tables: [],
    warnings: null,
    variants: empty.variants.slice(0, 1),
    platform: { id: "", goos: "", goarch: "", cpu: "", cpus: 0, load: 0 },
    spent: { blocks: 0, trials: 0, time_ns: 0, stop: "" },
    noise: { floor: 0, change: 0, false: 0 },
    answer: { verdict: "", decided: false, text: [], basis: "" },
  });
  for (const k of ["run", "command", "created", "study_hash"]) delete empty[k];
  const lonely = {
      ...resultOf("small-malloc"),
      variants: resultOf("small-malloc").variants.slice(0, 1),
    },
    without = resultOf("small-malloc");
  for (const t of lonely.tables) {
    for (const row of t.rows) row.cells = [];
    t.geomean = [];
  }
  Object.assign(without, {
    tables: [],
    run: "zzzz",
    noise: { floor: 0, change: 0, false: 0 },
    platform: { ...without.platform, id: "n0", cpu: "Nothing" },
  });
  const arc = { ...resultOf("arc"), arc: { steps: [] } },
    flat = resultOf("sql-server");
  for (const l of flat.latencies) {
    l.shifts = null;
    for (const d of l.variants)
      Object.assign(d, { total: 0, histogram: { values: null, counts: null } });
  }
  for (const g of flat.gcs) {
    g.phases = [];
    g.heaps = [];
  }
  const cases = {
    empty: [empty],
    lonely: [lonely],
    stepless: [arc],
    quiet: [flat],
    without: [
      {
        ...resultOf("small-malloc"),
        platform: { ...resultOf("small-malloc").platform, cpu: "Whole" },
      },
      without,
    ],
  };
  for (const [name, results] of Object.entries(cases)) {
    const page = await open(madeFile("little-" + name, ...results));
    assert.deepEqual(page.errors, [], name);
    for (const keys of [
      ["m"],
      ["v"],
      ["l"],
      ["j"],
      ["p"],
      ["Enter"],
      ["Escape"],
      ["g", "b"],
      ["c"],
      ["/"],
    ])
      await press(page, ...keys);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await drawn(page);
    assert.doesNotMatch(
      await page.locator("#app").innerText(),
      /NaN|Infinity|undefined|\[object/,
      name,
    );
    assert.equal(await page.locator("#app .failed").count(), 0, name);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 1280, name);
    await done(page);
  }
});

test("a page of more than 20 MB is refused, with what to leave out", () => {
  const r = resultOf("causes"),
    file = temp("huge.json"),
    out = temp("huge.html");
  r.explanations[0].code.functions[0].listing = Array.from({ length: 300 }, () => ({
    base: randomBytes(60_000).toString("base64"),
  }));
  writeResult(file, r);
  const { status, stderr } = tryAssay("report", file, "-o", out);
  assert.equal(status, 5, stderr);
  assert.match(stderr, /\[report-size\]/);
  assert.match(stderr, /explanations/);
  assert.match(stderr, /try: .*--embed=none/);
  const less = tryAssay("report", "--embed=none", file, "-o", out);
  assert.equal(less.status, 0, less.stderr);
});

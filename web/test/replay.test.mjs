// The replay: sliders move between what the program computed, and the page shows no other verdict.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import {
  assay,
  dataOf,
  done,
  drawn,
  eventually,
  go,
  hashOf,
  madeFile,
  open,
  pageFile,
  press,
  records,
  resultOf,
  root,
  temp,
  test,
  spaced,
} from "./pages.mjs";

const axe = readFileSync(root + "/web/node_modules/axe-core/axe.min.js", "utf8");
const replayOf = (name) => dataOf(pageFile(name)).replays[0];

// rows are the lines of the table; ruler has the words and marks of the wide ruler by variant and benchmark.
const rows = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("#replay .looks tbody tr")].map((tr) =>
      [...tr.children].map((c) => c.textContent),
    ),
  );
const ruler = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("svg.ruler.wide g.row[data-variant]")].map((g) => ({
      variant: g.dataset.variant,
      benchmark: g.dataset.benchmark ?? "",
      dots: g.querySelector("path.dots")?.getAttribute("d").split("M").length - 1,
      interval: g.querySelector("path.interval")?.getAttribute("d") ?? "",
      words: [...g.querySelectorAll(".change, .said")]
        .map((t) => t.textContent.trim())
        .join(" ")
        .trim(),
    })),
  );
// answered is what the first screen says of one machine: the number, and the sentence.
const answered = (page) =>
  page.evaluate(() =>
    [".large", ".text p"].map(
      (s) =>
        [...document.querySelectorAll(".answer " + s)].find((e) => e.checkVisibility())
          ?.textContent,
    ),
  );
const slider = (page, label) => page.getByRole("slider", { name: label, exact: true });

// shows holds a page to a look: the answer, the table, and the ruler over it.
async function shows(page, r, look, what) {
  const said = (h) => [h.change, h.interval, h.word].map((t) => t ?? "");
  assert.deepEqual(
    (await rows(page)).map((t) => t.slice(0, 4).map(spaced)),
    r.rows
      .map((x, i) => [x.benchmark ?? x.variant, ...said(look.heads[i])].map(spaced))
      .filter((_, i) => look.heads[i].verdict),
    what,
  );
  assert.deepEqual(
    await answered(page),
    [look.large && `${look.large.text} ${look.large.of}`, look.answer],
    what + ": the first screen",
  );
  for (const g of await ruler(page)) {
    const h =
      look.heads[
        r.rows.findIndex((x) => x.variant === g.variant && (x.benchmark ?? "") === g.benchmark)
      ];
    if (h?.at)
      assert.equal(
        spaced(g.words),
        spaced(said(h).filter(Boolean).join(" ")),
        `${what}: the ruler's ${g.variant}`,
      );
  }
}

for (const name of ["small-malloc", "queue-path", "go-toml", "arc", "dolt-greentea"])
  test(`${name}: a slider goes through the blocks, and verdicts and intervals are the frame's`, async () => {
    const page = await open(pageFile(name)),
      r = replayOf(name);
    const at = Math.min(2, r.frames.length - 2),
      frame = r.frames[at];
    assert.equal(
      await slider(page, "blocks").getAttribute("aria-valuetext"),
      r.frames.at(-1).label,
    );
    const whole = await ruler(page);
    await slider(page, "blocks").focus();
    await press(page, "Home", ...Array(at).fill("ArrowRight"));
    assert.equal(await hashOf(page), "#n=" + frame.key);
    assert.equal(await slider(page, "blocks").getAttribute("aria-valuetext"), frame.label);
    await shows(page, r, frame, frame.label);
    for (const [i, g] of (await ruler(page)).entries())
      assert.ok(
        !whole[i].dots || g.dots <= Number(frame.key),
        `${g.dots} dots after ${frame.key} blocks`,
      );
    // A chain of steps has no ruler on the first screen, and so no caption to move.
    assert.deepEqual(
      (await page.locator(".answer .moved").allTextContents()).map(spaced),
      whole.length ? [" " + frame.label] : [],
    );
    assert.equal(await page.locator(".answer .slider .at").textContent(), frame.label);
    const other = await open(pageFile(name), { hash: "n=" + frame.key });
    assert.deepEqual(await rows(other), await rows(page), "by its address");
    assert.deepEqual(await ruler(other), await ruler(page), "by its address");
    await done(other);
    await press(page, "End");
    assert.equal(await hashOf(page), "");
    assert.deepEqual(await ruler(page), whole, "all blocks are the result");
    assert.equal(await page.locator(".answer .moved").count(), 0);
    await done(page);
  });

test("other minimum effects: verdicts and the answer are those that the program computed", async () => {
  const page = await open(pageFile("causes")),
    r = replayOf("causes");
  await slider(page, "minimum effect").focus();
  await press(page, "Home");
  for (const [i, look] of r.margins.entries()) {
    if (i) await press(page, "ArrowRight");
    assert.equal(await hashOf(page), i === r.fixed ? "" : "#me=" + look.key);
    if (i === r.fixed) continue;
    await shows(page, r, look, look.label);
    const text = spaced(await page.locator("#replay output").textContent());
    assert.ok(text.includes(look.answer), look.answer);
    assert.ok(spaced(await page.locator("#replay").textContent()).includes(r.note), r.note);
    const zone = await page.locator("svg.ruler.wide:has([data-variant]) .least").textContent();
    assert.equal(zone.trim(), look.zone);
    assert.ok(look.zone.includes(look.key), look.zone);
  }
  assert.equal(r.margins[r.fixed].answer, resultOf("causes").answer.text[0]);
  await done(page);
});

test("a benchmark left out", async () => {
  const page = await open(pageFile("small-malloc")),
    r = replayOf("small-malloc"),
    look = r.without[1];
  await page.selectOption("#replay select", look.key);
  await drawn(page);
  assert.equal(await hashOf(page), "#wo=" + look.key);
  await shows(page, r, look, look.label);
  assert.ok(spaced(await page.locator("#replay output").textContent()).includes(look.answer));
  await go(page, "wo=nothing&me=77&n=x");
  await shows(page, r, r.frames.at(-1), "what is not there");
  assert.equal(await page.locator("#replay select").inputValue(), "");
  await done(page);
});

test("another minimum effect and a benchmark left out: together, or one at a time", async () => {
  const page = await open(pageFile("small-malloc")),
    r = replayOf("small-malloc"),
    key = r.without[1].key;
  assert.equal(r.limits, undefined);
  await page.selectOption("#replay select", key);
  await slider(page, "minimum effect").focus();
  await press(page, "End");
  const margin = r.margins.at(-1).key;
  assert.equal(await hashOf(page), `#me=${margin}&wo=${key}`);
  await shows(
    page,
    r,
    r.both.find((l) => l.key === `${margin} ${key}`),
    "both",
  );
  await done(page);
  const other = await open(pageFile("go-toml")),
    text = await other.locator("#replay").textContent(),
    chain = replayOf("go-toml");
  assert.ok(text.includes(chain.limits) && chain.limits.includes("one at a time"), chain.limits);
  assert.ok(text.includes(chain.chain) && text.includes(chain.decided), chain.chain);
  await go(other, "me=10");
  await other.selectOption("#replay select", chain.without[0].key);
  await drawn(other);
  assert.equal(await hashOf(other), "#wo=" + chain.without[0].key);
  await done(other);
});

test("a race shows a frame's number, and its sentence as that of the result", async () => {
  const r = replayOf("tune"),
    page = await open(pageFile("tune"), { hash: "n=" + r.frames[2].key }),
    { text, of } = r.frames[2].large;
  assert.deepEqual(await answered(page), [
    `${text} ${of}`,
    `${r.whole}: ${resultOf("tune").answer.text[0]}`,
  ]);
  await done(page);
});

test("the slider is on the first screen of a telephone", async () => {
  for (const name of ["arc", "interpreters", "queue-path", "sql-server"]) {
    const page = await open(pageFile(name), { width: 390, height: 844 }),
      box = await slider(page, "replay").first().boundingBox();
    assert.ok(box.y + box.height <= 844, `${name}: ${box.y}`);
    assert.ok(box.width >= 60 && box.x + box.width <= 390, name);
    await done(page);
  }
});

test("it plays when asked, and not for those who want nothing to move", async () => {
  const page = await open(pageFile("small-malloc"));
  assert.equal(await page.locator(".answer .moved").count(), 0, "not by itself");
  await page.getByRole("button", { name: "play" }).click();
  await eventually(page, () =>
    document.querySelector(".answer .moved")?.textContent.includes("after "),
  );
  await eventually(page, () => !document.querySelector(".answer .moved"));
  assert.equal(await hashOf(page), "");
  await done(page);
  const still = await open(pageFile("small-malloc"), { reducedMotion: "reduce" });
  assert.equal(await still.getByRole("button", { name: "play" }).count(), 0);
  assert.equal(await slider(still, "blocks").count(), 1);
  await done(still);
});

test("axe finds nothing while it is moved", async () => {
  const { frames, without } = replayOf("small-malloc"),
    first = "n=" + frames[0].key;
  for (const hash of [first, "me=10", first + "&t=dark", "me=10&wo=" + without[0].key]) {
    const page = await open(pageFile("small-malloc"), { hash, init: axe });
    const { violations } = await page.evaluate(() =>
      window.axe.run(document, { resultTypes: ["violations"] }),
    );
    assert.deepEqual(
      violations.map((v) => v.id + ": " + v.nodes.map((n) => n.target.join(" ")).join(" | ")),
      [],
      hash,
    );
    await done(page);
  }
});

test("without a record there is nothing to replay", async () => {
  const made = await open(madeFile("no-record", resultOf("small-malloc")));
  assert.equal(await made.locator("#replay").count(), 0);
  await done(made);
  const file = temp("none.html");
  assay("report", records["small-malloc"], "--embed=none", "-o", file);
  const page = await open(file, { hash: "n=3" });
  assert.equal(await page.locator("#replay").count(), 0);
  await done(page);
});

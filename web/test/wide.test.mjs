// What has no room: tables show that there is more at their side, names are whole, notes and unchanged rows are told.
import assert from "node:assert/strict";
import { done, drawn, eventually, madeFile, open, pageFile, resultOf, test } from "./pages.mjs";

for (const [name, width] of [
  ["tune", 1000],
  ["arc", 1280],
  ["interpreters", 390],
])
  test(`${name}, ${width} px: the matrix shows that there are more variants, and how to get there`, async () => {
    const page = await open(pageFile(name), { width }),
      box = page.locator("#matrix .matrix-box").first(),
      more = () => box.evaluate((e) => e.parentElement.dataset.more),
      shadow = () => box.evaluate((e) => getComputedStyle(e.parentElement, "::after").visibility);
    assert.equal(await more(), "r", "more at the right");
    assert.equal(await shadow(), "visible");
    assert.equal(
      await box.evaluate((e) => getComputedStyle(e, "::-webkit-scrollbar").height),
      "12px",
      "a bar that does not hide",
    );
    await box.focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
    await eventually(page, () => document.querySelector(".matrix-box").scrollLeft > 0);
    await box.evaluate((e) => e.scrollTo(1e6, 0));
    await eventually(
      page,
      () => document.querySelector(".matrix-box").parentElement.dataset.more === "l",
    );
    assert.equal(await shadow(), "hidden");
    const broken = await box.evaluate((e) =>
      [...e.querySelectorAll("thead button bdi")].flatMap((b) =>
        [...b.childNodes]
          .filter((n) => n.nodeType === 3)
          .filter((n) => {
            const r = document.createRange();
            r.selectNodeContents(n);
            return new Set([...r.getClientRects()].map((x) => Math.round(x.top))).size > 1;
          })
          .map((n) => n.data),
      ),
    );
    assert.deepEqual(broken, [], "no word is broken in a heading");
    await done(page);
  });

test("a matrix that fits the window is not beside another for which it is cut", async () => {
  const of = (run) => "studies/interpreters/record/" + run,
    page = await open(madeFile("matrices", of("main"), of("two-ps"))),
    more = await page.evaluate(() =>
      [...document.querySelectorAll(".matrix-box")].map((e) => e.parentElement.dataset.more),
    );
  assert.deepEqual(more, ["", ""]);
  await done(page);
});

test("notes are whole", async () => {
  for (const name of ["small-malloc", "interpreters", "factorial"]) {
    const page = await open(pageFile(name)),
      notes = await page.evaluate(() =>
        [...document.querySelectorAll(".forest .n > span")]
          .filter((e) => e.textContent)
          .map((e) => [e.textContent, e.scrollHeight > e.clientHeight + 1]),
      );
    assert.ok(notes.length > 0, name);
    assert.deepEqual(
      notes.filter(([, cut]) => cut),
      [],
      name,
    );
    await done(page);
  }
});

test("a value has no interval of its change beside it", async () => {
  for (const name of ["web-server", "sql-server", "dolt-greentea", "causes"]) {
    const page = await open(pageFile(name)),
      mixed = await page.evaluate(() =>
        [...document.querySelectorAll(".measured td")]
          .flatMap((e) => [...e.querySelectorAll("small"), e])
          .map((e) => e.textContent)
          .filter((s) => /\d (ns|µs|ms|s|B|KiB|MiB|GiB) \[/.test(s)),
      );
    assert.deepEqual(mixed, [], name);
    await done(page);
  }
});

test("the zoom of a flame graph is in the link", async () => {
  const page = await open(pageFile("causes")),
    flame = page.locator("#why .flame").first(),
    hash = () => page.evaluate(() => location.hash);
  await flame.scrollIntoViewIfNeeded();
  await flame.focus();
  for (const k of ["ArrowDown", "ArrowDown", "Enter"]) {
    await page.keyboard.press(k);
    await drawn(page);
  }
  assert.match(await hash(), /^#z=0-0-\d+$/);
  const marks = (p) =>
    p.evaluate(() => document.querySelector("#why .flame path.box").getAttribute("d"));
  const zoomed = await marks(page),
    other = await open(pageFile("causes"), { hash: (await hash()).slice(1) });
  assert.equal(await marks(other), zoomed, "the link shows the same");
  await eventually(
    other,
    () => {
      const r = document.querySelector("#why .flame").getBoundingClientRect();
      return r.top >= 0 && r.top < innerHeight;
    },
    undefined,
    "the flame graph in sight",
  );
  await done(other);
  await page.keyboard.press("Escape");
  await drawn(page);
  assert.equal(await hash(), "");
  assert.notEqual(await marks(page), zoomed);
  const titles = await page.evaluate(() =>
    [...document.querySelectorAll("#why .flame text")].map((t) => [
      t.firstChild.data,
      t.querySelector("title").textContent,
    ]),
  );
  assert.ok(titles.length > 1);
  for (const [label, name] of titles)
    assert.ok(
      name.endsWith(label.replace(/^[+−] /, "")) || label.endsWith("…"),
      `${label}: ${name}`,
    );
  const names = resultOf("causes").explanations.map((e) => e.benchmark.name);
  assert.ok(names.length > 0);
  await page.goto("file://" + pageFile("causes") + "#z=0-0-99999");
  await page.reload();
  await drawn(page);
  await done(page);
});

// For everybody: axe-core finds nothing, in light and dark, on a wide and a narrow screen; nothing has to be scrolled
// sideways or is too small to hit; every chart says what it shows, as a title, a sentence and a table.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { done, drawn, eventually, open, pageFile, press, root, studies, test } from "./pages.mjs";
import { charts } from "./plot.mjs";

const axe = readFileSync(root + "/web/node_modules/axe-core/axe.min.js", "utf8");

// violations runs axe-core, which an init script brings in: the page's policy would not let it.
const violations = (page, ...rules) =>
  page.evaluate(async (rules) => {
    const { violations } = await window.axe.run(document, {
      resultTypes: ["violations"],
      ...(rules.length ? { runOnly: rules } : {}),
    });
    return violations.map(
      (v) =>
        `${v.id}: ${v.nodes
          .slice(0, 3)
          .map((n) => n.target.join(" ") + " " + (n.any[0] ?? n.all[0] ?? n.none[0])?.message)
          .join(" | ")}`,
    );
  }, rules);

// openAll opens what is folded, so that it is looked at too, but at most so many further explanations. axe-core looks at
// each node for its colours, and the nine explanations of interpreters have 46,000, built alike: it gets all those of
// causes, which has one of each kind, and one more than the page opens by itself of the others.
const openAll = async (page, explanations) => {
  await page.evaluate((most) => {
    let n = 0;
    for (const d of document.querySelectorAll("details"))
      if (d.open || !d.matches(".explanation") || n++ < most) d.open = true;
  }, explanations);
  await drawn(page);
};

for (const name of studies)
  test(name, async (t) => {
    const page = await open(pageFile(name), { init: axe, colorScheme: "light" });
    await openAll(page, name === "causes" ? Infinity : 1);
    await t.test(
      "every chart is whole, has a title and a sentence, and can be had as a table",
      async () => {
        for (const c of await charts(page, "svg.chart")) {
          assert.equal(c.role, "img");
          assert.ok(
            c.title && c.desc && c.label,
            `"${c.title}" says what it is and what is found in it`,
          );
          const numbers = [
            ...c.paths.map((p) => p.d),
            ...c.texts.map((t) => `${t.x} ${t.y} ${t.text}`),
            ...c.rects.map((r) => Object.values(r).join(" ")),
          ].join(" ");
          assert.doesNotMatch(numbers, /NaN|Infinity|undefined|null/, c.title);
          assert.ok(
            c.paths.some(
              (p) => p.d.length > 4 && !["grid", "one", "zero"].some((k) => p.class.includes(k)),
            ),
            `"${c.title}" has marks`,
          );
          for (const t of c.texts)
            assert.ok(
              t.x >= -1 && t.x <= c.width + 1 && t.y >= -1 && t.y <= c.height + 1,
              `"${t.text}" of "${c.title}" is inside it`,
            );
        }
        const loose = await page.evaluate(
          () =>
            [...document.querySelectorAll("svg")].filter(
              (s) =>
                !s.classList.contains("chart") &&
                s.getAttribute("aria-hidden") !== "true" &&
                !s.matches("figure.measure svg[role=img][aria-label]"),
            ).length,
        );
        assert.equal(
          loose,
          0,
          "a drawing is a chart with words, or hidden from those who hear the page",
        );
        // The ruler and the figure of causes have their words and figures as text.
        const figures = page.locator("figure:not(.measure, .measure *)"),
          n = await figures.count();
        assert.ok(n > 0);
        for (let i = 0; i < n; i++) {
          const f = figures.nth(i),
            drawnAs = await f.evaluate((e) => e.querySelectorAll("svg").length);
          const rows = await f.evaluate(async (e) => {
            const button = e.querySelector("figcaption button");
            button.click();
            await new Promise((f) => requestAnimationFrame(() => setTimeout(f)));
            return [
              button.textContent,
              e.querySelectorAll("table tbody tr").length,
              [...e.querySelectorAll("td, th")].some((c) =>
                /NaN|undefined|Infinity/.test(c.textContent),
              ),
            ];
          });
          const caption = await f.locator("figcaption span").first().innerText();
          assert.equal(rows[0], "as chart", caption);
          assert.ok(rows[1] > 0, `"${caption}" has rows as a table`);
          assert.ok(!rows[2], `"${caption}" has no number that is none`);
          await f.evaluate(async (e) => {
            e.querySelector("figcaption button").click();
            await new Promise((f) => requestAnimationFrame(() => setTimeout(f)));
          });
          await drawn(page);
          assert.equal(
            await f.evaluate((e) => e.querySelectorAll("svg").length),
            drawnAs,
            `"${caption}" is a chart again`,
          );
        }
      },
    );
    await t.test("one main, one h1, headings in their order, an id is one element's", async () => {
      const got = await page.evaluate(() => ({
        main: document.querySelectorAll("main").length,
        h1: document.querySelectorAll("h1").length,
        nav: document.querySelectorAll("nav[aria-label]").length,
        levels: [...document.querySelectorAll("h1, h2, h3, h4, h5")]
          .filter((h) => h.getClientRects().length)
          .map((h) => Number(h.tagName[1])),
        ids: [...document.querySelectorAll("[id]")].map((e) => e.id),
      }));
      assert.deepEqual([got.main, got.h1], [1, 1]);
      assert.ok(got.nav >= 2);
      got.levels.forEach((l, i) =>
        assert.ok(
          i === 0 || l <= got.levels[i - 1] + 1,
          `heading ${i}: h${l} after h${got.levels[i - 1]}`,
        ),
      );
      assert.equal(new Set(got.ids).size, got.ids.length, "an id is one element's");
    });
    await t.test("axe-core finds nothing: light, 1280 px", async () =>
      assert.deepEqual(await violations(page), []),
    );
    await page.emulateMedia({ colorScheme: "dark" });
    await drawn(page);
    await t.test("axe-core finds no colour too faint in the dark", async () => {
      assert.ok(
        await page.evaluate(() =>
          getComputedStyle(document.body)
            .backgroundColor.match(/\d+/g)
            .every((x) => x < 60),
        ),
        "it is dark now",
      );
      assert.deepEqual(await violations(page, "color-contrast"), []);
    });
    await page.setViewportSize({ width: 390, height: 844 });
    await drawn(page);
    await t.test("axe-core finds nothing: dark, 390 px", async () =>
      assert.deepEqual(await violations(page), []),
    );
    await t.test("nothing to scroll sideways at 390 px, with all open", async () => {
      const wide = () =>
        page.evaluate(() =>
          document.documentElement.scrollWidth <= innerWidth
            ? []
            : [...document.querySelectorAll("#app *")]
                .filter(
                  (e) =>
                    e.getBoundingClientRect().right > innerWidth + 1 &&
                    !e.closest(".scroll, .contents, .matrix-box, .forest-box"),
                )
                .slice(0, 5)
                .map(
                  (e) =>
                    `${e.tagName}.${e.getAttribute("class")} ${Math.round(e.getBoundingClientRect().right)}`,
                ),
        );
      await openAll(page, Infinity);
      assert.deepEqual(await wide(), []);
      const b = await page.evaluate(() => {
        const r = document.querySelector("#benchmarks tbody tr:not(.group) button.row");
        r.click();
        return !!r;
      });
      assert.ok(b);
      await openAll(page, Infinity);
      assert.deepEqual(await wide(), [], "with everything opened");
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    });
    await done(page);
  });

test("axe-core finds nothing in what is opened: a benchmark's detail, a step, tables for charts, the list of keys", async () => {
  for (const [name, hash] of [
    ["small-malloc", "b=Alloc32"],
    ["arc", "step=10&b=Path"],
  ]) {
    const page = await open(pageFile(name), { init: axe, hash });
    await page.evaluate(() => {
      for (const b of document.querySelectorAll("figcaption button")) b.click();
    });
    await drawn(page);
    assert.deepEqual(await violations(page), [], name + " " + hash);
    await press(page, "?");
    assert.ok(await page.evaluate(() => document.querySelector("dialog").open));
    assert.deepEqual(await violations(page), [], "the list of keys");
    await done(page);
  }
});

test("what is pressed is at least 24 px high and wide", async () => {
  for (const name of ["small-malloc", "arc", "causes"])
    for (const width of [1280, 390]) {
      const page = await open(pageFile(name), { width, hash: "step=3&b=" });
      const small = await page.evaluate(() =>
        [
          ...document.querySelectorAll(
            "button, select, input:not([type=radio], [type=checkbox]), label:has(input), summary, .contents a",
          ),
        ]
          .filter(
            (e) =>
              e.getClientRects().length &&
              !e.closest("dialog, p, li, td, .under, figcaption small"),
          )
          .filter((e) => {
            const r = e.getBoundingClientRect();
            return r.height < 23.5 || r.width < 23.5;
          })
          .map(
            (e) =>
              `${e.tagName}.${e.className} "${e.textContent.slice(0, 20)}" ${Math.round(e.getBoundingClientRect().width)}x${Math.round(e.getBoundingClientRect().height)}`,
          ),
      );
      assert.deepEqual([...new Set(small)], [], `${name}, ${width} px`);
      await done(page);
    }
});

test("nothing moves for those who do not want it, and nothing for long for the others", async () => {
  for (const reducedMotion of ["reduce", "no-preference"]) {
    const page = await open(pageFile("arc"), { reducedMotion, hash: "step=3" });
    const moving = await page.evaluate(() => {
      const ms = (s) =>
        Math.max(...s.split(",").map((x) => parseFloat(x) * (x.trim().endsWith("ms") ? 1 : 1000)));
      const long = [...document.querySelectorAll("*")]
        .map((e) => getComputedStyle(e))
        .map((s) =>
          Math.max(
            ms(s.transitionDuration),
            s.animationName === "none" ? 0 : ms(s.animationDuration),
          ),
        );
      return {
        most: Math.max(...long),
        scroll: getComputedStyle(document.documentElement).scrollBehavior,
      };
    });
    assert.ok(
      moving.most <= (reducedMotion === "reduce" ? 0 : 120),
      `${reducedMotion}: ${moving.most} ms`,
    );
    await eventually(
      page,
      () => document.getAnimations().length === 0,
      undefined,
      "the end of what moves",
    );
    if (reducedMotion === "reduce") assert.equal(moving.scroll, "auto");
    await done(page);
  }
});

// The pictures of the README: node dev/shots.mjs FOLDER OUT, with the pages of a gallery
// in FOLDER. Each is the page as a browser shows it, and must stay below 150 kB.
import { launch } from "./browser.mjs";
import { shrink } from "./png.mjs";
import { resolve } from "node:path";
import { writeFileSync } from "node:fs";

const shots = [
  { name: "report-light", page: "small-malloc.html", theme: "light" },
  { name: "report-dark", page: "arc-main.html", theme: "dark", hash: "open=arc&step=14" },
];
const limit = 150e3;

const [from, to] = process.argv.slice(2).map((n) => resolve(n));
const browser = await launch();
for (const { name, page, theme, hash } of shots) {
  const tab = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    colorScheme: theme,
    reducedMotion: "reduce",
  });
  await tab.goto(`file://${from}/${page}${hash ? "#" + hash : ""}`);
  await tab.waitForSelector("main h2");
  await tab.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  await tab.waitForTimeout(300); // the page scrolls to the section that it was opened at
  const png = shrink(await tab.screenshot());
  if (png.length > limit)
    throw new Error(`${name}.png has ${png.length} bytes, more than ${limit}`);
  writeFileSync(`${to}/${name}.png`, png);
  console.log(`${to}/${name}.png ${Math.round(png.length / 1e3)} kB`);
  await tab.close();
}
await browser.close();

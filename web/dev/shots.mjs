// The pictures of the docs: node dev/shots.mjs FOLDER OUT, with the pages of a gallery in FOLDER. OUT has those of the
// README, OUT/gallery the first screen of every page at half its size. Each is the page as a browser shows it.
import { launch } from "./browser.mjs";
import { shrink } from "./png.mjs";
import { resolve } from "node:path";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";

const shots = [
  { name: "report-light", page: "small-malloc.html", theme: "light" },
  { name: "report-dark", page: "arc-main.html", theme: "dark", hash: "open=arc&step=14" },
];
const limit = 150e3;

const [from, to] = process.argv.slice(2).map((n) => resolve(n));
mkdirSync(to + "/gallery", { recursive: true });
for (const f of readdirSync(from).filter((f) => f.endsWith(".html") && f !== "index.html"))
  shots.push({
    name: "gallery/" + f.slice(0, -5),
    page: f,
    theme: "light",
    height: 720,
    zoom: 0.5,
  });
const browser = await launch();
for (const { name, page, theme, hash, height = 800, zoom = 1 } of shots) {
  const tab = await browser.newPage({
    viewport: { width: 1280, height },
    deviceScaleFactor: zoom,
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

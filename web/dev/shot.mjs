// A picture of a page: node dev/shot.mjs page.html out.png [key=value...]
// width, height, theme (light, dark), hash, full (1: the whole page), keys (a,b: pressed one after the other)
import { launch } from "./browser.mjs";
import { resolve } from "node:path";

const [file, out, ...rest] = process.argv.slice(2);
const o = Object.fromEntries(
  rest.map((r) => [r.slice(0, r.indexOf("=")), r.slice(r.indexOf("=") + 1)]),
);
const browser = await launch();
const page = await browser.newPage({
  viewport: { width: Number(o.width ?? 1280), height: Number(o.height ?? 720) },
  colorScheme: o.theme ?? "light",
  deviceScaleFactor: Number(o.scale ?? 1),
});
page.on("console", (m) => console.log("console:", m.type(), m.text()));
page.on("pageerror", (e) => console.log("error:", e.message));
await page.goto("file://" + resolve(file) + (o.hash ? "#" + o.hash : ""));
await page.waitForTimeout(400);
for (const k of (o.keys ?? "").split(",").filter(Boolean)) await page.keyboard.press(k);
await page.waitForTimeout(150);
await page.screenshot({ path: out, fullPage: o.full === "1" });
await browser.close();

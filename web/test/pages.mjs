// What the browser tests share: pages made by the real program, and Debian's chromium to open them in.
//
// ASSAY names the program (bin/assay without it), ASSAY_PAGES a folder where pages are kept for
// other test files of the same run (dev/test.mjs); without it each file makes its own.
import { after, test as nodeTest } from "node:test";
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { chromiumPath, launch } from "../dev/browser.mjs";
import { unpacked } from "../dev/packed.mjs";

export const root = resolve(import.meta.dirname, "../..");
export const program = resolve(process.env.ASSAY ?? root + "/bin/assay");
const own = !process.env.ASSAY_PAGES,
  folder = process.env.ASSAY_PAGES ?? mkdtempSync(tmpdir() + "/assay-pages-");

// The records of the studies, by the name of their page.
export const records = {
  "queue-path": "studies/queue-path/record",
  "small-malloc": "studies/small-malloc/record",
  causes: "studies/causes/record",
  arc: "studies/arc/record/main",
  "go-toml": "studies/go-toml/record/main",
  "web-server": "studies/web-server/record/main",
  "sql-server": "studies/sql-server/record/main",
  "dolt-greentea": "studies/dolt-greentea/record/main",
  interpreters: "studies/interpreters/record/main",
  gogc: "studies/interpreters/record/gogc",
  tune: "studies/interpreters/record/tune",
  factorial: "studies/interpreters/record/factorial",
};

// studies are those that every test of whole pages goes through: each kind of section is in one of them.
export const studies = [
  "queue-path",
  "small-malloc",
  "causes",
  "arc",
  "go-toml",
  "web-server",
  "sql-server",
  "dolt-greentea",
  "interpreters",
  "tune",
];

// The program runs with its letters, in a terminal so wide that it breaks no line.
const env = { ...process.env, LC_ALL: "C.UTF-8", COLUMNS: "1000", NO_COLOR: "1" };
export const assay = (...args) =>
  execFileSync(program, args, {
    cwd: root,
    env,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "pipe"],
  });
export const tryAssay = (...args) =>
  spawnSync(program, args, { cwd: root, env, encoding: "utf8", maxBuffer: 1 << 28 });

// resultOf is a study's result as it lies in its record, less its digest.
export function resultOf(name) {
  const file = `${root}/${records[name]}/result.json`;
  const { digest, ...r } = JSON.parse(
    existsSync(file) ? readFileSync(file) : gunzipSync(readFileSync(file + ".gz")),
  );
  return r;
}

// writeResult writes a result with the digest that belongs to it.
export function writeResult(file, r) {
  const body = JSON.stringify(r, null, 2).slice(0, -2);
  writeFileSync(
    file,
    `${body},\n  "digest": "${createHash("sha256").update(body).digest("hex")}"\n}\n`,
  );
}

// keep makes a file of the shared folder once: other processes see it whole or not at all.
function keep(name, make) {
  const file = `${folder}/${name}`;
  if (existsSync(file)) return file;
  const mine = mkdtempSync(folder + "/new-");
  make(`${mine}/${name}`);
  renameSync(`${mine}/${name}`, file);
  rmSync(mine, { recursive: true });
  return file;
}

// pageFile is the file of a study's page.
export const pageFile = (name) =>
  keep(name + ".html", (file) => assay("report", records[name], "-o", file));

// madeFile is a page of results that were made up: objects, or files with what they hold.
export function madeFile(name, ...results) {
  return keep(name + ".html", (file) => {
    const names = results.map((r, i) => {
      if (typeof r === "string") return r;
      const json = `${file}-${i}.json`;
      writeResult(json, r);
      return (results.length > 1 ? r.platform.cpu + "=" : "") + json;
    });
    assay("report", ...names, "-o", file);
  });
}

export const temp = (name) => {
  mkdirSync(folder + "/temp", { recursive: true });
  return `${folder}/temp/${process.pid}-${name}`;
};

// dataOf is what a page holds, read from the file as it was written.
export function dataOf(file) {
  const text = /id="assay-data">([^<]*)</.exec(readFileSync(file, "utf8"))[1];
  return JSON.parse(unpacked(text));
}

// A browser is started when the first page of a test file is opened.
let browser;
export const chrome = async () => (browser ??= await launch());
export async function close() {
  await browser?.close();
  if (own) rmSync(folder, { recursive: true, force: true });
}

const missing = !chromiumPath()
  ? "no chromium here: apt-get install chromium"
  : !existsSync(program)
    ? `no program ${program}: make build`
    : false;

// hang is how long something may take, in ms, before it counts as stuck: so long that no machine is too busy for it.
export const hang = 15 * 60_000;

let hooked = false;
export function test(name, f) {
  if (!hooked) after(close);
  hooked = true;
  return nodeTest(name, { skip: missing, timeout: 2 * hang }, f);
}

// newContext is a window of its own, without the browser's own limits of 30 s.
export async function newContext({ width = 1280, height = 720, ...options } = {}) {
  const context = await (await chrome()).newContext({ viewport: { width, height }, ...options });
  context.setDefaultTimeout(hang);
  return context;
}

// slow is whether slow tests are asked for: make test-slow.
export const slow = !!process.env.ASSAY_TEST_SLOW;
export const slowTest = slow
  ? test
  : (name, f) => nodeTest(name, { skip: "slow: make test-slow runs it" }, f);

// open opens a page and waits until it is drawn. What it says of errors and asks of the network is kept in
// page.errors and page.requests, and checked when the test closes it.
export async function open(file, { hash = "", ready = ".contents", init, ...options } = {}) {
  const context = await newContext(options);
  if (init) await context.addInitScript({ content: init });
  const page = await context.newPage();
  page.errors = [];
  page.requests = [];
  page.on("console", (m) => {
    if (["error", "warning"].includes(m.type())) page.errors.push(m.text());
  });
  page.on("pageerror", (e) => page.errors.push(String(e.stack ?? e)));
  page.on("request", (r) => page.requests.push(r.url()));
  await page.goto("file://" + file + (hash && "#" + hash));
  if (ready) await appears(page, ready);
  return page;
}

// appears waits for a page to be drawn. A script that breaks ends the wait at once; where a page was never drawn, the
// others are not waited for as long.
let patience = hang;
async function appears(page, selector) {
  const broken = new Promise((_, fail) => page.once("pageerror", fail));
  try {
    await Promise.race([page.waitForSelector(selector, { timeout: patience }), broken]);
  } catch {
    patience = hang / 15;
    assert.fail(`nothing was drawn: no ${selector}; the console: ${page.errors.join("; ")}`);
  }
  await drawn(page);
  page.errors.push(
    ...(await page.evaluate(() =>
      [...document.querySelectorAll(".failed")].map((e) => e.textContent),
    )),
  );
}

// done closes a page that must have had nothing to complain of.
export async function done(page) {
  const { errors } = page;
  await page.context().close();
  assert.deepEqual(errors, [], "the console");
}

// drawn waits until what was asked for is on the screen, and nothing has changed for four frames: effects run, sizes are
// measured, and sections out of sight follow, within a few of them.
export const drawn = (page) =>
  page.evaluate(async () => {
    let quiet = 0;
    const o = new MutationObserver(() => {
      quiet = 0;
    });
    o.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    while (quiet++ < 4) await new Promise((f) => requestAnimationFrame(() => setTimeout(f)));
    o.disconnect();
  });

// visit leads a page that stays open to an address: most tests look at the same few pages.
const visited = new Map();
export async function visit(file, hash = "") {
  const page = visited.get(file) ?? (await open(file));
  visited.set(file, page);
  await go(page, hash);
  assert.deepEqual(page.errors, [], "the console");
  return page;
}

// spaced is a text of the page with plain spaces: there a number keeps to its percent sign (src/unbroken.ts).
export const spaced = (text) => text.replaceAll("\u00a0", " ");

export const hashOf = (page) =>
  page.evaluate(() => decodeURIComponent(location.hash.replace(/\+/g, " ")));

// press presses keys one after the other and waits for the page after each.
export async function press(page, ...keys) {
  for (const k of keys) {
    await page.keyboard.press(k);
    await drawn(page);
  }
}

// go changes the address, as a link does.
export async function go(page, hash) {
  await page.evaluate((h) => {
    location.hash = h;
  }, hash);
  await drawn(page);
}

// eventually waits for a condition in the page, by polling: the page's own policy forbids code in strings.
export async function eventually(page, f, arg, what = String(f)) {
  const until = Date.now() + hang;
  for (;;) {
    const got = await page.evaluate(f, arg);
    if (got) return got;
    if (Date.now() > until) assert.fail("never came to be: " + what);
    await page.evaluate(() => new Promise((f) => setTimeout(f, 20)));
  }
}

// near compares numbers of pixels.
export const near = (got, want, what, within = 1) =>
  assert.ok(Math.abs(got - want) <= within, `${what}: ${got}, want ${want}`);

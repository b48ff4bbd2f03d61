// All tests of the page: node dev/test.mjs [unit] [name...] runs the unit tests, then the browser tests
// (test/*.test.mjs, or those named) on pages that the real program makes: bin/assay, or what ASSAY names.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { chromiumPath } from "./browser.mjs";

const root = resolve(import.meta.dirname, ".."),
  program = resolve(process.env.ASSAY ?? root + "/../bin/assay");
const run = (...args) => {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", env });
  if (status !== 0) process.exitCode = 1;
};
const names = process.argv.slice(2),
  pages = mkdtempSync(tmpdir() + "/assay-pages-"),
  env = { ...process.env, ASSAY: program, ASSAY_PAGES: pages };
const files = readdirSync(root + "/test").filter(
  (f) => f.endsWith(".test.mjs") && (!names.length || names.includes(f.split(".")[0])),
);

process.on("exit", () => rmSync(pages, { recursive: true, force: true }));
if (!names.length || names.includes("unit")) run("dev/unit.mjs");
if (!chromiumPath())
  console.log("skipped: the browser tests, for want of chromium (Debian has it by this name)");
else if (!existsSync(program)) {
  console.log(`there is no ${program}: make build`);
  process.exitCode = 1;
} else if (files.length)
  run(
    "--test",
    "--test-concurrency=2",
    "--test-reporter=" + (process.stdout.isTTY ? "spec" : "dot"),
    "--test-reporter-destination=stdout",
    ...files.map((f) => "test/" + f),
  );

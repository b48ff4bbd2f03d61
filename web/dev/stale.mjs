// Whether web/dist is what web/src makes: node dev/stale.mjs builds into a folder of its own and compares.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, ".."),
  fresh = mkdtempSync(tmpdir() + "/assay-dist-");
const { status } = spawnSync(process.execPath, ["dev/build.mjs"], {
  cwd: root,
  env: { ...process.env, DIST: fresh },
  stdio: ["ignore", "ignore", "inherit"],
});
if (status !== 0) process.exit(status ?? 1);
const kept = readdirSync(root + "/dist"),
  names = new Set([...readdirSync(fresh), ...kept]);
const stale = [...names].filter(
  (n) =>
    !existsSync(`${fresh}/${n}`) ||
    !kept.includes(n) ||
    !readFileSync(`${fresh}/${n}`).equals(readFileSync(`${root}/dist/${n}`)),
);
rmSync(fresh, { recursive: true });
if (stale.length) {
  console.error(`web/dist is not what web/src makes: ${stale.join(", ")}\ntry: make web`);
  process.exit(1);
}

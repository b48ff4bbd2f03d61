// Unit tests of what needs no browser: node dev/unit.mjs runs test/unit/*.test.mjs, bundled with the TypeScript that they import.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";

const root = new URL("..", import.meta.url).pathname,
  out = mkdtempSync(tmpdir() + "/assay-unit-");
const tests = readdirSync(root + "test/unit").filter((n) => n.endsWith(".test.mjs"));
await build({
  entryPoints: tests.map((n) => root + "test/unit/" + n),
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  format: "esm",
  platform: "node",
  target: "es2022",
  logLevel: "warning",
  jsx: "automatic",
  jsxImportSource: "preact",
  define: { "import.meta.dirname": JSON.stringify(root + "test/unit") },
});
const { status } = spawnSync(
  process.execPath,
  [
    "--test",
    "--test-timeout=1800000",
    "--test-reporter=" + (process.stdout.isTTY ? "spec" : "dot"),
    ...tests.map((n) => out + "/" + n),
  ],
  { stdio: "inherit" },
);
rmSync(out, { recursive: true });
process.exit(status ?? 1);

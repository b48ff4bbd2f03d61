// Builds web/dist from web/src: report.js and report.css, which the program embeds.
// DIST names another folder, for looking.
import { build } from "esbuild";
import { gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";

const root = new URL("..", import.meta.url).pathname, dist = process.env.DIST ?? root + "dist";
await build({
  entryPoints: { report: root + "src/main.tsx" },
  outdir: dist,
  bundle: true, minify: true, format: "iife", target: "es2022", charset: "utf8", legalComments: "none",
  jsx: "automatic", jsxImportSource: "preact",
});
for (const name of ["report.js", "report.css"]) {
  const b = readFileSync(dist + "/" + name);
  console.log(`${name}  ${b.length} bytes, ${gzipSync(b).length} gzip`);
}

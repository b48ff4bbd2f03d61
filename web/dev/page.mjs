// Makes a page from a result, for looking: node dev/page.mjs result.json[.gz]... out.html
// Several results of one study are machines of one page. The page of the program
// itself has more (series, files, the part that needs no script): assay report.
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const names = process.argv.slice(2),
  out = names.pop();
const read = (name) =>
  JSON.parse(name.endsWith(".gz") ? gunzipSync(readFileSync(name)) : readFileSync(name));
const machines = names
  .map((n) => read(n))
  .map((r) => ({ name: r.platform.cpu || r.run, result: r }));
const page = { schema: 1, machines, series: [], files: [], commands: [], build: "dev" };
const dist = process.env.DIST
  ? "file://" + process.env.DIST + "/"
  : new URL("../dist/", import.meta.url);
writeFileSync(
  out,
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>assay</title><style>${readFileSync(new URL("static.css", dist))}</style>
<main id="app"></main>
<script>globalThis.assayText = async () => ${JSON.stringify(JSON.stringify(page)).replaceAll("<", "\\u003c")};
${["core", "many", "steps", "services", "why"].map((b) => readFileSync(new URL(b + ".js", dist))).join(";")}</script></html>`,
);
console.log(out);

// Builds web/dist from web/src: the script's bundles (src/bundle/) and report.css, which
// the program embeds. DIST names another folder, for looking.
//
// The core is whole. The others leave out every module that the core has, and take it
// from the global "assay", in which the core puts those that others ask for.
import { build } from "esbuild";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, relative } from "node:path";
import { gzipSync } from "node:zlib";

const root = new URL("..", import.meta.url).pathname, dist = process.env.DIST ?? root + "dist", src = root + "src/";
const common = {
  outdir: dist, write: false, bundle: true, minify: true, metafile: true, format: "iife", target: "es2022", charset: "utf8", legalComments: "none",
  jsx: "automatic", jsxImportSource: "preact", absWorkingDir: root,
};
const entry = (name) => src + "bundle/" + name + ".ts";
const others = readdirSync(src + "bundle").map((f) => basename(f, ".ts")).filter((n) => n !== "core");

// nameOf is what a module goes by in the global: its path in src, or what a package is imported as.
const nameOf = (path) => relative(src, path).replace(/\.tsx?$/, "");

const core = await build({ ...common, entryPoints: [entry("core")] });
const inCore = new Set(Object.keys(core.metafile.inputs).map((i) => (i.includes("node_modules") ? i.replace(/.*node_modules\//, "").split("/")[0] : nameOf(root + i))));

const asked = new Set();
const shared = {
  name: "shared",
  setup(b) {
    b.onResolve({ filter: /^\.|^[a-z]/ }, async (a) => {
      if (a.kind === "entry-point" || a.pluginData === "asked" || a.path.endsWith(".css")) return undefined;
      const library = !a.path.startsWith("."), name = library ? a.path : nameOf((await b.resolve(a.path, { resolveDir: a.resolveDir, kind: a.kind, pluginData: "asked" })).path);
      if (library ? !name.startsWith("preact") : !inCore.has(name)) return undefined; // a whole d3 would be more than what it saves
      asked.add(name);
      return { path: name, namespace: "core" };
    });
    b.onLoad({ filter: /.*/, namespace: "core" }, (a) => ({ contents: `module.exports = assay[${JSON.stringify(a.path)}]`, loader: "js" }));
  },
};
const out = {};
let style = "";
const take = (name, r) => {
  for (const f of r.outputFiles) if (f.path.endsWith(".css")) style += f.text; else out[name + ".js"] = f.text;
};
const rest = [];
for (const name of others) rest.push([name, await build({ ...common, entryPoints: [entry(name)], plugins: [shared] })]);
const names = [...asked].sort();
const give = names.map((n, i) => `import * as m${i} from ${JSON.stringify(/^[a-z0-9-]+(\/[a-z-]+)?$/.test(n) && n.match(/^(preact|d3-)/) ? n : "./" + n)};`).join("\n") +
  `\nglobalThis.assay = {${names.map((n, i) => `${JSON.stringify(n)}: m${i}`).join(", ")}};\nimport "./bundle/core";\n`;
take("core", await build({ ...common, stdin: { contents: give, resolveDir: src, loader: "ts" } }));
for (const [name, r] of rest) take(name, r);

mkdirSync(dist, { recursive: true });
out["report.css"] = style;
let all = "";
for (const [name, text] of Object.entries(out)) {
  writeFileSync(dist + "/" + name, text);
  if (name.endsWith(".js")) all += text;
  console.log(`${name.padEnd(12)} ${Buffer.byteLength(text)} bytes, ${gzipSync(text, { level: 9 }).length} gzip`);
}
console.log(`all scripts  ${Buffer.byteLength(all)} bytes, ${gzipSync(all, { level: 9 }).length} gzip`);

// Builds web/dist from web/src: the script's bundles (src/bundle/), each with its style, and
// static.css, which the program embeds. DIST names another folder, for looking.
//
// The core is whole; the others take what they need of it from the global "assay". esbuild splits the
// modules so, and as a page runs plain scripts, its imports and exports become entries of that global.
import { build, transform } from "esbuild";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { gzipSync } from "node:zlib";

const root = new URL("..", import.meta.url).pathname,
  dist = process.env.DIST ?? root + "dist",
  src = root + "src/";
const names = readdirSync(src + "bundle").map((f) => basename(f, ".ts")),
  others = names.filter((n) => n !== "core");

// All bundles import the core, so that what it has is nowhere else.
const entries = {
  name: "entries",
  setup(b) {
    b.onResolve({ filter: /^bundle:/ }, (a) => ({
      path: a.path.slice("bundle:".length),
      namespace: "bundle",
    }));
    b.onLoad({ filter: /.*/, namespace: "bundle" }, (a) => ({
      contents: ["core", a.path].map((n) => `import "./bundle/${n}";`).join(""),
      resolveDir: src,
      loader: "ts",
    }));
  },
};

const r = await build({
  entryPoints: names.map((n) => ({ in: "bundle:" + n, out: n })),
  outdir: dist,
  write: false,
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  absWorkingDir: root,
  plugins: [entries],
});
const files = Object.fromEntries(r.outputFiles.map((f) => [basename(f.path), f.text]));
const [core, ...more] = Object.keys(files).filter(
  (f) => f.endsWith(".js") && !names.includes(basename(f, ".js")),
);
if (!core || more.length)
  throw new Error("bundles share modules that the core does not have: it should import them");

// A list of imports or exports as [local name, name between bundles].
const pairs = (list) => list.split(",").map((n) => n.trim().split(" as "));
const exported = /export\{([^}]*)\};?\s*$/;

// The global is a list: a name of the core stands at the place that it has among the exports.
const places = pairs(exported.exec(files[core])[1]).map(([own, name = own]) => name);

// The style of a bundle comes after that of the core, which it is built with.
const styles = Object.fromEntries(
    names.map((n) => [n, (files[n + ".css"] ?? files["core.css"]).trim()]),
  ),
  { core: coreStyle } = styles;
for (const n of others) {
  if (!styles[n].startsWith(coreStyle))
    throw new Error(n + ": its style does not begin with that of the core");
  styles[n] = styles[n].slice(coreStyle.length);
}

// styled adds a style to the page.
const styled = (style) =>
  style &&
  `document.head.append(Object.assign(document.createElement("style"),{textContent:${JSON.stringify(style)}}));`;

// script makes a plain script of a module and its style.
function script(text, style) {
  const [head] = /^(import[^;]*;)*/.exec(text),
    tail = exported.exec(text);
  const own = new Map(
    [...head.matchAll(/\{([^}]*)\}/g)].flatMap(([, list]) =>
      pairs(list).map(([name, local = name]) => [name, local]),
    ),
  );
  const taken =
      head &&
      `const[${places
        .map((n) => own.get(n) ?? "")
        .join(",")
        .replace(/,*$/, "")}]=assay;`,
    given = tail
      ? `globalThis.assay=[${pairs(tail[1])
          .map(([own]) => own)
          .join(",")}];`
      : "";
  return `"use strict";(()=>{${taken}${styled(style)}${text.slice(head.length, tail?.index).trim()}${given}})();\n`;
}

const out = { "core.js": script(files[core], coreStyle) };
for (const n of others) out[n + ".js"] = script(files[n + ".js"], styles[n]);
out["static.css"] = (
  await transform(readFileSync(src + "static.css", "utf8"), {
    loader: "css",
    minify: true,
    target: "es2022",
    charset: "utf8",
  })
).code.replace(/(--[\w-]+:) |(light-dark\([^,)]+,) /g, "$1$2"); // esbuild keeps blanks in values of variables

mkdirSync(dist, { recursive: true });
for (const [name, text] of Object.entries(out)) {
  writeFileSync(dist + "/" + name, text);
  console.log(
    `${name.padEnd(12)} ${Buffer.byteLength(text)} bytes, ${gzipSync(text, { level: 9 }).length} gzip`,
  );
}
const together = (list) =>
  gzipSync(list.map((n) => out[n + ".js"]).join("\n"), { level: 9 }).length;
for (const list of [
  ["core"],
  ...others.map((n) => ["core", n]),
  ["core", "many", "steps"],
  ["core", "many", "services"],
  names,
])
  console.log(
    `${list.join("+")}: ${together(list)} gzip, less than ${Math.ceil((together(list) * 16) / 13)} in a page`,
  );

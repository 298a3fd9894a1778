// Bundles the extension into dist/extension.js, and the licences of what is in it into dist/NOTICES.txt.

const fs = require("fs");
const path = require("path");
const esbuild = require("esbuild");

/** The folders of the packages that files of the bundle are from, which can lie in each other. */
function packagesOf(files) {
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)).filter(Boolean);
  return [...new Set(folders.map(([folder]) => folder))].sort();
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = fs.readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} has no licence`);
  return `${name} ${version} (${license})\n\n${fs.readFileSync(path.join(folder, file), "utf8").trim()}\n`;
}

const { metafile } = esbuild.buildSync({
  entryPoints: ["src/extension.js"],
  outfile: "dist/extension.js",
  bundle: true,
  minify: true,
  platform: "node",
  target: "node18", // of VS Code 1.82
  external: ["vscode"],
  metafile: true,
  logLevel: "warning",
});
const notices = packagesOf(Object.keys(metafile.inputs)).map(noticeOf);
fs.writeFileSync("dist/NOTICES.txt", notices.join(`\n${"-".repeat(80)}\n\n`));

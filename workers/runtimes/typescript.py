"""Bots in TypeScript: their types are taken away when they are submitted, and Node runs what is left.

`BUNDLE` is a program for Node. It takes the path of the entry, strips the types from it and from every .ts
file that it imports, and writes one CommonJS file. It does not check types: that is the author's editor's
business, as with Node's own type stripping (docs/adr/0026).
"""

from __future__ import annotations

BUNDLE = r"""
const fs = require("node:fs"), path = require("node:path"), ts = require(process.argv[2]);
const entry = path.resolve(process.argv[1]), parts = new Map();
function add(file) {
  if (parts.has(file)) return;
  parts.set(file, "");
  const source = fs.readFileSync(file, "utf8");
  const { outputText, diagnostics } = ts.transpileModule(source, {
    fileName: file, reportDiagnostics: true,
    compilerOptions: {
      module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true,
    },
  });
  for (const one of diagnostics) {
    const { line } = one.file.getLineAndCharacterOfPosition(one.start);
    console.error(`${file}:${line + 1}: ${ts.flattenDiagnosticMessageText(one.messageText, "\n")}`);
    process.exitCode = 1;
  }
  const code = outputText.replace(/\brequire\("(\.[^"]+)"\)/g, (_, name) => {
    const base = path.resolve(path.dirname(file), name.replace(/\.(js|ts)$/, ""));
    add(base + ".ts");
    return `own(${JSON.stringify(base + ".ts")})`;
  });
  parts.set(file, code);
}
add(entry);
const bodies = [...parts].map(([file, code]) =>
  `${JSON.stringify(file)}: function (module, exports, require, own) {\n${code}\n}`);
const bundle = `const files = {${bodies.join(",\n")}};
const loaded = {};
function own(file) {
  if (!loaded[file]) {
    loaded[file] = { exports: {} };
    files[file](loaded[file], loaded[file].exports, require, own);
  }
  return loaded[file].exports;
}
own(${JSON.stringify(entry)});
`;
if (!process.exitCode) fs.writeFileSync(Number(process.argv[3]) || process.argv[3], bundle);
"""
COMPILER = "typescript"
"""The npm package that strips the types."""

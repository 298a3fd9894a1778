// Colours `effects.yaml` as VS Code would and compares with `effects.tokens`, which
// `node test/tokens.test.js --write` writes anew.

const assert = require("assert/strict");
const fs = require("fs");
const path = require("path");
const { test } = require("node:test");
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");

const from = (...parts) => path.join(__dirname, ...parts);
const FILES = {
  "source.yaml": require.resolve("tm-grammars/grammars/yaml.json"),
  "source.opforge": from("..", "syntaxes", "opforge.tmLanguage.json"),
};
const OF_MORE = ["source.opforge", "meta.effect.opforge"]; // the scopes of a file, and of an effect

async function registry() {
  await oniguruma.loadWASM(fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
  return new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) =>
      FILES[scope] ? parseRawGrammar(fs.readFileSync(FILES[scope], "utf8"), FILES[scope]) : null,
  });
}

/** One line for each word that the grammar of effects has coloured: the word and its scope. */
async function tokens(text) {
  const grammar = await (await registry()).loadGrammar("source.opforge");
  const lines = [];
  let state = INITIAL;
  for (const line of text.split("\n")) {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    lines.push(`> ${line}`);
    for (const token of result.tokens) {
      const scope = token.scopes.find((name) => name.endsWith(".opforge") && !OF_MORE.includes(name));
      if (scope) lines.push(`  ${line.slice(token.startIndex, token.endIndex)}  ${scope}`);
    }
  }
  return lines.join("\n") + "\n";
}

test("effects have the colours of effects.tokens", async () => {
  const file = from("effects.tokens");
  const coloured = await tokens(fs.readFileSync(from("effects.yaml"), "utf8"));
  if (process.argv.includes("--write")) fs.writeFileSync(file, coloured);
  assert.equal(coloured, fs.readFileSync(file, "utf8"));
});

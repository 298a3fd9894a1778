// Colours `effects.yaml` as VS Code would and compares with `effects.tokens`; `--write` writes that anew.

const fs = require("fs");
const path = require("path");
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");

const from = (...parts) => path.join(__dirname, ...parts);
const FILES = {
  "source.yaml": require.resolve("tm-grammars/grammars/yaml.json"),
  "opforge.effects.injection": from("..", "syntaxes", "opforge-effects.tmLanguage.json"),
};

async function registry() {
  await oniguruma.loadWASM(fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
  return new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) =>
      FILES[scope] ? parseRawGrammar(fs.readFileSync(FILES[scope], "utf8"), FILES[scope]) : null,
    getInjections: (scope) => (scope === "source.yaml" ? ["opforge.effects.injection"] : undefined),
  });
}

/** One line for each word that the grammar of effects has coloured: the word and its scope. */
async function tokens(text) {
  const grammar = await (await registry()).loadGrammar("source.yaml");
  const lines = [];
  let state = INITIAL;
  for (const line of text.split("\n")) {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    lines.push(`> ${line}`);
    for (const token of result.tokens) {
      const scope = token.scopes.find((name) => name.endsWith(".opforge") && name !== "meta.effect.opforge");
      if (scope) lines.push(`  ${line.slice(token.startIndex, token.endIndex)}  ${scope}`);
    }
  }
  return lines.join("\n") + "\n";
}

tokens(fs.readFileSync(from("effects.yaml"), "utf8")).then((found) => {
  const kept = from("effects.tokens");
  if (process.argv.includes("--write")) fs.writeFileSync(kept, found);
  else if (found !== fs.readFileSync(kept, "utf8")) {
    console.error("effects.tokens is not what the grammar gives:\n" + found);
    process.exitCode = 1;
  } else console.log("effects.yaml has the colours of effects.tokens");
});

// What the extension does in a workspace: which servers it starts, and which files it takes.

const assert = require("assert/strict");
const fs = require("fs");
const { test } = require("node:test");
const { IN_ENVIRONMENT } = require("../src/projects");
const { Editor } = require("./stub");

test("without a project no server is started, and YAML stays YAML", async () => {
  const editor = new Editor();
  editor.write("compose.yaml");
  await editor.activate();
  const document = await editor.open("compose.yaml");
  assert.deepEqual(editor.running(), []);
  assert.equal(document.languageId, "yaml");
});

test("each environment has one server, for the projects that share it", async () => {
  const editor = new Editor();
  editor.write(
    "a/opforge.yaml",
    `a/${IN_ENVIRONMENT}`,
    "b/opforge.yaml",
    "c/opforge.yaml",
    `d/${IN_ENVIRONMENT}`
  );
  editor.write("d/one/opforge.yaml", "d/two/opforge.yaml", "d/two/inside/opforge.yaml");
  await editor.activate();
  assert.deepEqual(editor.running(), [
    [`a/${IN_ENVIRONMENT}`, ["a"]],
    ["opforge", ["b", "c"]],
    [`d/${IN_ENVIRONMENT}`, ["d/one", "d/two"]],
  ]);
});

test("a server gets files of its projects only, in the language of cards, and knows no other project", async () => {
  const editor = new Editor();
  editor.write("a/opforge.yaml", "b/opforge.yaml", `b/${IN_ENVIRONMENT}`);
  await editor.activate();
  const [first, second] = editor.clients;
  const places = ({ options }) =>
    options.documentSelector.map(({ scheme, language, pattern }) => [scheme, language, pattern?.base.fsPath]);
  assert.deepEqual(places(first), [
    ["file", "opforge", editor.path("a")],
    ["untitled", "opforge", undefined],
  ]);
  assert.deepEqual(places(second), [["file", "opforge", editor.path("b")]]);
  const params = {};
  second.fillInitializeParams(params);
  assert.deepEqual(params.workspaceFolders, [{ uri: `file://${editor.path("b")}`, name: "b" }]);
  assert.deepEqual(first.args, ["lsp"]);
});

test("files of a project get the language of cards, also on the other side of a comparison", async () => {
  const editor = new Editor();
  editor.write("game/opforge.yaml", "game/a.yaml", "ci.yaml");
  await editor.activate();
  assert.equal((await editor.open("game/a.yaml")).languageId, "opforge");
  assert.equal((await editor.open("game/a.yaml", "git")).languageId, "opforge");
  assert.equal((await editor.open("game/a.yaml", "output")).languageId, "yaml");
  assert.equal((await editor.open("ci.yaml")).languageId, "yaml");
});

test("a project that `opforge init` makes is noticed, with files that are open, and so is one that goes", async () => {
  const editor = new Editor();
  editor.write("game/a.yaml");
  await editor.activate();
  const document = await editor.open("game/a.yaml");
  editor.write("game/opforge.yaml");
  await editor.changed("opforge.yaml", "created");
  assert.deepEqual(editor.running(), [["opforge", ["game"]]]);
  assert.equal(document.languageId, "opforge");
  fs.rmSync(editor.path("game", "opforge.yaml"));
  await editor.changed("opforge.yaml", "deleted");
  assert.deepEqual(editor.running(), []);
  assert.equal(document.languageId, "yaml");
});

test("an environment that is made later is used", async () => {
  const editor = new Editor();
  editor.write("opforge.yaml");
  await editor.activate();
  editor.write(IN_ENVIRONMENT);
  await Promise.all(editor.watchers.map((watcher) => watcher.created()));
  assert.deepEqual(editor.running(), [[IN_ENVIRONMENT, ["."]]]);
});

test("a folder inside of a project, and a file outside of all folders, have their project", async () => {
  const editor = new Editor();
  editor.write("game/opforge.yaml", "game/operators/a.yaml", "other/opforge.yaml", "other/b.yaml");
  editor.folders = [editor.path("game", "operators")];
  await editor.activate();
  assert.deepEqual(editor.running(), [["opforge", ["game"]]]);
  await editor.open("other/b.yaml");
  assert.deepEqual(editor.running(), [["opforge", ["game", "other"]]]);
});

test("what is in an environment or below node_modules is no project of the workspace", async () => {
  const editor = new Editor();
  editor.write(".venv/lib/toolkit/opforge.yaml", "env/site-packages/toolkit/opforge.yaml");
  editor.write("node_modules/x/opforge.yaml");
  await editor.activate();
  assert.deepEqual(editor.running(), []);
});

test("a folder that is not trusted has its language, and a server once it is trusted", async () => {
  const editor = new Editor();
  editor.isTrusted = false;
  editor.write("opforge.yaml", "a.yaml", IN_ENVIRONMENT);
  await editor.activate();
  assert.equal((await editor.open("a.yaml")).languageId, "opforge");
  assert.deepEqual(editor.clients, []);
  editor.isTrusted = true;
  await editor.fire("onDidGrantWorkspaceTrust");
  assert.deepEqual(editor.running(), [[IN_ENVIRONMENT, ["."]]]);
});

test("a program that cannot be started is told once, and tried again when another one is set", async () => {
  const editor = new Editor();
  editor.write("opforge.yaml", "a.yaml");
  editor.cannotStart = (program) => program === "opforge";
  await editor.activate();
  await editor.open("a.yaml");
  await editor.commands["opforge.showReferences"]("file:///a", {}, []);
  assert.equal(editor.errors.length, 1);
  assert.match(editor.errors[0], /pip install opforge/);
  editor.settings[""] = "opforge-next";
  await editor.fire("onDidChangeConfiguration", { affectsConfiguration: (key) => key === "opforge.path" });
  assert.deepEqual(editor.running(), [["opforge-next", ["."]]]);
});

test("servers that need no change stay, others are stopped; `Start again` starts all anew", async () => {
  const editor = new Editor();
  editor.write("a/opforge.yaml", `a/${IN_ENVIRONMENT}`, "b/opforge.yaml");
  await editor.activate();
  editor.write("c/opforge.yaml");
  await editor.changed("opforge.yaml", "created");
  assert.deepEqual(editor.running(), [
    [`a/${IN_ENVIRONMENT}`, ["a"]],
    ["opforge", ["b", "c"]],
  ]);
  assert.equal(editor.clients.length, 3);
  await editor.commands["opforge.restart"]();
  assert.equal(editor.clients.length, 5);
  await editor.extension.deactivate();
  assert.deepEqual(editor.running(), []);
});

test("the bundle asks for nothing but VS Code and Node", () => {
  const bundle = fs.readFileSync(require.resolve("../dist/extension.js"), "utf8");
  const modules = [...bundle.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) =>
    name.replace(/^node:/, "")
  );
  assert.deepEqual(
    [...new Set(modules)].filter((name) => !require("module").builtinModules.includes(name)),
    ["vscode"]
  );
});

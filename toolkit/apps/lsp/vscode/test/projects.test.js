// Which projects there are, and which opforge is whose.

const assert = require("assert/strict");
const path = require("path");
const { test } = require("node:test");
const { IN_ENVIRONMENT, isInside, outermost, programOf, projectOf } = require("../src/projects");
const { Editor } = require("./stub");

test("a folder is inside of itself and of those around it, but not of one whose name begins alike", () => {
  const folder = path.resolve("game");
  assert.ok(isInside(folder, folder));
  assert.ok(isInside(path.join(folder, "..cards"), folder));
  assert.ok(!isInside(`${folder}-two`, folder));
  assert.ok(!isInside(path.dirname(folder), folder));
});

test("the project of a folder is the nearest with a project file", () => {
  const editor = new Editor();
  editor.write("game/opforge.yaml", "game/cards/operators/a.yaml", "notes/b.yaml");
  assert.equal(projectOf(editor.path("game", "cards", "operators")), editor.path("game"));
  assert.equal(projectOf(editor.path("game")), editor.path("game"));
  assert.equal(projectOf(editor.path("notes")), undefined);
});

test("projects in other projects are left out", () => {
  const [game, inside, other] = ["game", "game/draft", "game-two"].map((name) => path.resolve(name));
  assert.deepEqual(outermost([inside, other, game, game]), [game, other]);
});

test("the program is that of the nearest environment in the workspace folder, else the one on the PATH", () => {
  const editor = new Editor();
  const environment = (...parts) => editor.path(...parts, IN_ENVIRONMENT);
  editor.write(path.join("work", IN_ENVIRONMENT), "work/a/opforge.yaml", path.join("work/b", IN_ENVIRONMENT));
  assert.equal(programOf(editor.path("work", "a"), editor.path("work")), environment("work"));
  assert.equal(programOf(editor.path("work", "b"), editor.path("work")), environment("work", "b"));
  assert.equal(
    programOf(editor.path("work", "a"), editor.path("work", "a")),
    "opforge",
    "not above the workspace folder"
  );
  assert.equal(programOf(editor.path("work", "b")), "opforge", "not outside of all workspace folders");
});

test("a program that is set wins; a relative path begins at the workspace folder", () => {
  const editor = new Editor();
  editor.write(path.join("a", IN_ENVIRONMENT));
  assert.equal(programOf(editor.path("a"), editor.root, "opforge-next"), "opforge-next");
  assert.equal(
    programOf(editor.path("a"), editor.root, "env/bin/opforge"),
    editor.path("env", "bin", "opforge")
  );
});

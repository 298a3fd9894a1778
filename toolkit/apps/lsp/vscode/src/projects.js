// Where the projects of a workspace are, and which opforge is the one of a project.

const fs = require("fs");
const path = require("path");

const PROJECT_FILE = "opforge.yaml";
const IN_ENVIRONMENT = path.join(
  ".venv",
  ...(process.platform === "win32" ? ["Scripts", "opforge.exe"] : ["bin", "opforge"])
);

/** Whether a folder is another one or lies in it. */
function isInside(folder, outer) {
  const below = path.relative(outer, folder);
  return below === "" || (below !== ".." && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below));
}

/** A folder and those that it lies in, from the inside to the outside. */
function* ancestors(folder) {
  for (;;) {
    yield folder;
    const outer = path.dirname(folder);
    if (outer === folder) return;
    folder = outer;
  }
}

/** The project that a folder belongs to: the nearest with a project file at or above it. */
function projectOf(folder) {
  for (const candidate of ancestors(folder)) {
    if (fs.existsSync(path.join(candidate, PROJECT_FILE))) return candidate;
  }
}

/** The projects that lie in no other one, sorted: a server serves those inside of its projects too. */
function outermost(projects) {
  const sorted = [...new Set(projects)].sort();
  return sorted.filter((project) => !sorted.some((outer) => outer !== project && isInside(project, outer)));
}

/**
 * The program of a project: the one that is set, else that of the nearest `.venv` between the project and the
 * workspace folder that it lies in, else the one on the PATH. Nothing is started from outside of the workspace,
 * which is all that somebody who trusts it trusts.
 */
function programOf(project, workspaceFolder, setting) {
  const isInWorkspace = workspaceFolder !== undefined && isInside(project, workspaceFolder);
  const top = isInWorkspace ? workspaceFolder : project;
  if (setting) return /[\\/]/.test(setting) ? path.resolve(top, setting) : setting;
  for (const folder of isInWorkspace ? ancestors(project) : []) {
    const program = path.join(folder, IN_ENVIRONMENT);
    if (fs.existsSync(program)) return program;
    if (folder === top) break;
  }
  return "opforge";
}

module.exports = { IN_ENVIRONMENT, PROJECT_FILE, isInside, outermost, programOf, projectOf };

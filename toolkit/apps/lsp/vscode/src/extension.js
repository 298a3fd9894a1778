// The client of `opforge lsp`: a server for each environment, and what only VS Code can do.
//
// Files of a project have the language `opforge`, so that colours, settings and completions reach no other YAML.

const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { PROJECT_FILE, isInside, outermost, programOf, projectOf } = require("./projects");

const LANGUAGE = "opforge";
const NOT_SEARCHED = "**/{node_modules,site-packages,.venv}/**";
const SCHEMES = ["file", "git"]; // `git` is the other side of a comparison

/** The servers by program: the projects they serve, and their client, unless it could not be started. */
const servers = new Map();

// the language of open files

/** Gives a file of a project the language, and takes it from one that is in no project any more. */
async function setLanguage(document) {
  const { languageId, uri } = document;
  if (!SCHEMES.includes(uri.scheme) || path.basename(uri.fsPath) === PROJECT_FILE) return;
  const isOfProject = projectOf(path.dirname(uri.fsPath)) !== undefined;
  if (languageId === "yaml" && isOfProject)
    await vscode.languages.setTextDocumentLanguage(document, LANGUAGE);
  if (languageId === LANGUAGE && !isOfProject)
    await vscode.languages.setTextDocumentLanguage(document, "yaml");
}

async function opened(document) {
  await setLanguage(document);
  if (document.uri.scheme !== "file" || !["yaml", LANGUAGE].includes(document.languageId)) return;
  const project = projectOf(path.dirname(document.uri.fsPath));
  const served = [...servers.values()].flatMap(({ projects }) => projects);
  if (project !== undefined && !served.some((outer) => isInside(project, outer))) await refresh();
}

// servers

/** The projects in the workspace, around its folders, and of open files. */
async function findProjects() {
  const files = await vscode.workspace.findFiles(`**/${PROJECT_FILE}`, NOT_SEARCHED);
  const folders = (vscode.workspace.workspaceFolders || []).map(({ uri }) => uri.fsPath);
  const documents = vscode.workspace.textDocuments.filter(
    ({ languageId, uri }) => uri.scheme === "file" && ["yaml", LANGUAGE].includes(languageId)
  );
  const starts = [...files, ...documents.map(({ uri }) => uri)].map(({ fsPath }) => path.dirname(fsPath));
  return outermost([...starts, ...folders].map(projectOf).filter(Boolean));
}

function programFor(project) {
  const uri = vscode.Uri.file(project);
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  return programOf(
    project,
    folder && folder.uri.fsPath,
    vscode.workspace.getConfiguration("opforge", uri).get("path")
  );
}

/** A client whose server knows its own projects only: each reports all that it knows. */
class ProjectsClient extends LanguageClient {
  constructor(program, projects, selector) {
    const name = `opforge: ${projects.map((project) => path.basename(project)).join(", ")}`;
    super(
      "opforge",
      name,
      { command: program, args: ["lsp"] },
      {
        documentSelector: selector,
        initializationOptions: { showReferences: true },
        synchronize: { configurationSection: "opforge" }, // the hints that are wanted
        middleware: { workspace: { didChangeWorkspaceFolders: async () => {} } },
      }
    );
    this.projects = projects;
  }

  fillInitializeParams(params) {
    super.fillInitializeParams(params);
    params.workspaceFolders = this.projects.map((project) => ({
      uri: vscode.Uri.file(project).toString(),
      name: path.basename(project),
    }));
  }
}

async function start(program, projects, isFirst) {
  const selector = projects.map((project) => ({
    scheme: "file",
    language: LANGUAGE,
    pattern: new vscode.RelativePattern(vscode.Uri.file(project), "**/*"),
  }));
  if (isFirst) selector.push({ scheme: "untitled", language: LANGUAGE });
  const server = { projects, isFirst, client: new ProjectsClient(program, projects, selector) };
  servers.set(program, server);
  try {
    await server.client.start();
  } catch {
    server.client = undefined;
    offerPath(program);
  }
}

async function offerPath(program) {
  const message = `opforge could not be started as "${program}". Install it with: pip install opforge`;
  const choice = await vscode.window.showErrorMessage(message, "Set the path");
  if (choice) await vscode.commands.executeCommand("workbench.action.openSettings", "opforge.path");
}

async function stop(program) {
  const { client } = servers.get(program);
  servers.delete(program);
  if (client) await client.stop();
}

/** Starts and stops servers, until there is one for each program, with its projects. */
async function update() {
  if (!vscode.workspace.isTrusted) return;
  const wanted = new Map();
  for (const project of await findProjects()) {
    const program = programFor(project);
    wanted.set(program, [...(wanted.get(program) || []), project]);
  }
  const [first] = wanted.keys();
  for (const [program, { projects, isFirst }] of [...servers]) {
    const same = wanted.has(program) && wanted.get(program).join("\n") === projects.join("\n");
    if (!same || isFirst !== (program === first)) await stop(program);
  }
  for (const [program, projects] of wanted) {
    if (!servers.has(program)) await start(program, projects, program === first);
  }
}

let queue = Promise.resolve();

/** Brings servers and languages in line with what is there now, one call after the other. */
function refresh() {
  const previous = queue.catch(() => {}); // whoever asked for it has the error
  queue = previous.then(update).then(() => Promise.all(vscode.workspace.textDocuments.map(setLanguage)));
  return queue;
}

async function stopAll() {
  await queue.catch(() => {});
  await Promise.all([...servers.keys()].map(stop));
}

async function restart() {
  await stopAll();
  await refresh();
}

// commands

/** Lists places that the server knows, as VS Code lists references. */
function showReferences(uri, position, locations) {
  const server = [...servers.values()].find(({ client }) => client);
  if (!server) return;
  const { asPosition, asLocation } = server.client.protocol2CodeConverter;
  return vscode.commands.executeCommand(
    "editor.action.showReferences",
    vscode.Uri.parse(uri),
    asPosition(position),
    locations.map((location) => asLocation(location))
  );
}

exports.activate = async (context) => {
  const watched = [`**/${PROJECT_FILE}`, "**/.venv/{bin/opforge,Scripts/opforge.exe}"].map((pattern) => {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, true, false);
    return [watcher, watcher.onDidCreate(refresh), watcher.onDidDelete(refresh)];
  });
  context.subscriptions.push(
    ...watched.flat(),
    vscode.commands.registerCommand("opforge.showReferences", showReferences),
    vscode.commands.registerCommand("opforge.restart", restart),
    vscode.workspace.onDidOpenTextDocument(opened),
    vscode.workspace.onDidChangeWorkspaceFolders(refresh),
    vscode.workspace.onDidGrantWorkspaceTrust(refresh),
    vscode.workspace.onDidChangeConfiguration(
      (change) => change.affectsConfiguration("opforge.path") && refresh()
    )
  );
  await refresh();
};

exports.deactivate = stopAll;

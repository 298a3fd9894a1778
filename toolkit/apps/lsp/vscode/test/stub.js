// Stands for VS Code and its client of language servers: folders are real, and what the extension does is recorded.

const fs = require("fs");
const Module = require("module");
const os = require("os");
const path = require("path");

/** Files below a folder with a name, but not in folders with one of the excluded names. */
function filesBelow(folder, name, excluded) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory())
      return excluded.includes(entry.name) ? [] : filesBelow(file, name, excluded);
    return entry.name === name ? [file] : [];
  });
}

const uriOf = (file, scheme = "file") => ({ scheme, fsPath: file, toString: () => `${scheme}://${file}` });

/** VS Code with a new folder: `write` makes files in it, `fire` raises events, `clients` are those started. */
class Editor {
  constructor() {
    this.root = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "opforge-"));
    this.clients = [];
    this.errors = [];
    this.documents = [];
    this.folders = [this.root];
    this.listeners = {};
    this.watchers = [];
    this.commands = {};
    this.settings = {};
    this.isTrusted = true;
    this.cannotStart = () => false;
    this.extension = this.#load();
  }

  path(...parts) {
    return path.join(this.root, ...parts);
  }

  write(...names) {
    for (const name of names) {
      fs.mkdirSync(path.dirname(this.path(name)), { recursive: true });
      fs.writeFileSync(this.path(name), "");
    }
  }

  async activate() {
    await this.extension.activate({ subscriptions: [] });
  }

  /** Opens a file, as YAML if no language is known for its name. */
  async open(name, scheme = "file") {
    const languageId = path.basename(name) === "opforge.yaml" ? "opforge" : "yaml";
    const document = { uri: uriOf(this.path(name), scheme), languageId };
    this.documents.push(document);
    await this.fire("onDidOpenTextDocument", document);
    return document;
  }

  async fire(event, value) {
    await Promise.all((this.listeners[event] || []).map((listener) => listener(value)));
  }

  /** Tells the watchers whose pattern names the end of a path that it was made or deleted. */
  async changed(name, event) {
    const watchers = this.watchers.filter(
      ({ pattern }) => path.matchesGlob?.(name, pattern) ?? pattern.endsWith(name)
    );
    await Promise.all(watchers.map((watcher) => watcher[event]()));
  }

  /** The running clients: program and projects by name. */
  running() {
    const running = this.clients.filter((client) => client.isRunning);
    const name = (folder) => path.relative(this.root, folder) || ".";
    return running.map(({ program, projects }) => [
      path.isAbsolute(program) ? name(program) : program,
      projects.map(name),
    ]);
  }

  #on(event) {
    return (listener) => (this.listeners[event] ||= []).push(listener);
  }

  #vscode() {
    const editor = this;
    return {
      RelativePattern: class {
        constructor(base, pattern) {
          Object.assign(this, { base, pattern });
        }
      },
      Uri: { file: (file) => uriOf(file), parse: (text) => ({ text }) },
      commands: {
        registerCommand: (name, command) => (editor.commands[name] = command),
        executeCommand: async (...call) => editor.commands.executed?.push(call),
      },
      languages: {
        setTextDocumentLanguage: async (document, languageId) => {
          document.languageId = languageId;
          await editor.fire("onDidOpenTextDocument", document); // VS Code closes and opens it
        },
      },
      window: { showErrorMessage: async (message) => void editor.errors.push(message) },
      workspace: {
        get isTrusted() {
          return editor.isTrusted;
        },
        get workspaceFolders() {
          return editor.folders.map((folder) => ({ uri: uriOf(folder) }));
        },
        get textDocuments() {
          return editor.documents;
        },
        createFileSystemWatcher: (pattern) => {
          const watcher = { pattern };
          editor.watchers.push(watcher);
          watcher.onDidCreate = (listener) => (watcher.created = listener);
          watcher.onDidDelete = (listener) => (watcher.deleted = listener);
          return watcher;
        },
        findFiles: async (pattern, exclude) => {
          const [, names] = /^\*\*\/\{(.*)\}\/\*\*$/.exec(exclude);
          return editor.folders
            .flatMap((folder) => filesBelow(folder, pattern.slice(3), names.split(",")))
            .map((file) => uriOf(file));
        },
        getConfiguration: (_, uri) => ({
          get: () => editor.settings[path.relative(editor.root, uri.fsPath)] || "",
        }),
        getWorkspaceFolder: (uri) => {
          const folder = editor.folders.find((outer) => !path.relative(outer, uri.fsPath).startsWith(".."));
          return folder && { uri: uriOf(folder) };
        },
        onDidChangeConfiguration: editor.#on("onDidChangeConfiguration"),
        onDidChangeWorkspaceFolders: editor.#on("onDidChangeWorkspaceFolders"),
        onDidGrantWorkspaceTrust: editor.#on("onDidGrantWorkspaceTrust"),
        onDidOpenTextDocument: editor.#on("onDidOpenTextDocument"),
      },
    };
  }

  #client() {
    const editor = this;
    return class LanguageClient {
      constructor(_id, name, { command, args }, options) {
        Object.assign(this, { name, program: command, args, options, isRunning: false });
        editor.clients.push(this);
      }

      async start() {
        if (editor.cannotStart(this.program)) throw new Error("no such program");
        this.isRunning = true;
      }

      async stop() {
        this.isRunning = false;
      }

      fillInitializeParams(params) {
        params.workspaceFolders = editor.folders;
      }
    };
  }

  /** The extension anew, with this editor in place of the modules that it asks for. */
  #load() {
    const modules = {
      vscode: this.#vscode(),
      "vscode-languageclient/node": { LanguageClient: this.#client() },
    };
    const load = Module._load;
    const file = require.resolve("../src/extension.js");
    delete require.cache[file];
    Module._load = (request, ...rest) => modules[request] || load(request, ...rest);
    try {
      return require(file);
    } finally {
      Module._load = load;
    }
  }
}

module.exports = { Editor };

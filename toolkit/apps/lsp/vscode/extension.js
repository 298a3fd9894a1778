// The client of `opforge lsp`: starts it, and does what only VS Code can do (list the uses of a card).

const fs = require("fs");
const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

/** The program: as set, else that of a folder's `.venv`, else the one on the PATH. */
function program() {
  const set = vscode.workspace.getConfiguration("opforge").get("path");
  if (set) return set;
  const inside = process.platform === "win32" ? ["Scripts", "opforge.exe"] : ["bin", "opforge"];
  const folders = (vscode.workspace.workspaceFolders || []).map((folder) => folder.uri.fsPath);
  const found = folders.map((folder) => path.join(folder, ".venv", ...inside)).find(fs.existsSync);
  return found || "opforge";
}

async function start() {
  if (!vscode.workspace.isTrusted) return;
  const command = program();
  client = new LanguageClient(
    "opforge",
    "opforge",
    { command, args: ["lsp"] },
    {
      documentSelector: [
        { scheme: "file", language: "yaml" },
        { scheme: "untitled", language: "yaml" },
      ],
      initializationOptions: { showReferences: true },
    }
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const choice = await vscode.window.showErrorMessage(
      `opforge could not be started as "${command}". Install it with: pip install opforge`,
      "Set the path"
    );
    if (choice) vscode.commands.executeCommand("workbench.action.openSettings", "opforge.path");
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) await running.stop();
}

/** Lists places that the server knows, as VS Code lists references. */
function showReferences(uri, position, locations) {
  if (!client) return;
  const { asPosition, asLocation } = client.protocol2CodeConverter;
  return vscode.commands.executeCommand(
    "editor.action.showReferences",
    vscode.Uri.parse(uri),
    asPosition(position),
    locations.map((location) => asLocation(location))
  );
}

async function restart() {
  await stop();
  await start();
}

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand("opforge.showReferences", showReferences),
    vscode.commands.registerCommand("opforge.restart", restart),
    vscode.workspace.onDidGrantWorkspaceTrust(start),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("opforge.path")) return restart();
    })
  );
  await start();
};

exports.deactivate = stop;

// @ts-check
// The page: head, list, tabs, strip and keys.

import { go, write } from "./address.js";
import { benchView } from "./bench.js";
import { turn, view as cardView } from "./card.js";
import { changesView } from "./changes.js";
import { columns, first, moveTo, neighbour, reveal, view as listView } from "./list.js";
import { choice, copy, counted, mark, showCarets } from "./parts.js";
import { view as rulesView } from "./rules.js";
import { sheetView } from "./sheet.js";
import { store } from "./store.js";
import { tryBanner } from "./tries.js";
import { html, nothing, render } from "./vendor/lit-html.js";

/** @type {[string, string, (store: any) => unknown][]} */
const TABS = [
  ["card", "Card", cardView],
  ["rules", "Rules", rulesView],
  ["bench", "Bench", benchView],
  ["sheet", "Sheet", sheetView],
  ["changes", "Changes", changesView],
];
const THEMES = { system: ["◐", "as the system"], light: ["○", "light"], dark: ["●", "dark"] };

const root = document.createElement("div");
root.id = "page";
const help = document.createElement("dialog");
help.className = "help";
document.body.append(root, help);

function page() {
  const { tab, id } = store.address;
  const current = TABS.find(([key]) => key === tab) ?? TABS[0];
  root.dataset.page = id || current[0] !== "card" ? "main" : "list";
  document.title = [id && store.name(store.row ?? store.card), store.project?.name, "opforge preview"].filter(Boolean).join(" · ");
  return html`
    <a class="skip" href="#main" @click=${skip}>To the card</a>
    ${head()}
    <aside class="list" aria-label="List of cards">${trouble() ? nothing : listView(store)}</aside>
    <main id="main" tabindex="-1">
      <nav class="tabs" aria-label="Views">${TABS.map(
        ([key, title], at) =>
          html`<a href=${write({ tab: key })} aria-current=${key === current[0] ? "page" : nothing} aria-keyshortcuts=${at + 1}><kbd aria-hidden="true">${at + 1}</kbd>${title}</a>`,
      )}</nav>
      ${tryBanner()}
      <div class="content" data-tab=${current[0]}>${trouble() ?? current[2](store)}</div>
    </main>
    ${strip()}
    <p class="unseen" role="status" aria-live="polite">${store.message}</p>`;
}

function skip(event) {
  event.preventDefault();
  document.getElementById("main").focus();
}

function head() {
  const { counts, project, settings, languages } = store;
  const theme = THEMES[settings.theme] ?? THEMES.system;
  const unprinted = store.rows.filter((row) => row.unprinted).length;
  return html`<header class="head">
    <a class="back" href=${write({ tab: "card", id: null })}><span aria-hidden="true">‹</span> ${store.rows.length} cards</a>
    <h1>${project?.name ?? "opforge preview"}</h1>
    <p class="counts">
      <button type="button" class="plain" @click=${() => go({ set: { has: null } })}>${counts.cards} cards</button>
      ${counts.errors ? only("error", counted(counts.errors, "error")) : nothing}
      ${unprinted ? only("error", `${unprinted} not printed`) : nothing}
      ${counts.warnings ? only("warning", counted(counts.warnings, "warning")) : nothing}
    </p>
    <span class="space"></span>
    ${languages.length > 1
      ? choice("Language of the cards", languages.map((lang) => [lang, lang.toUpperCase()]), store.lang, (lang) => store.set({ lang }))
      : nothing}
    <button type="button" class="follow" aria-pressed=${settings.follow ? "true" : "false"} title="Go to each card that changes" @click=${() => store.set({ follow: !settings.follow })}>follow</button>
    <button type="button" class="sign" aria-label="Colours: ${theme[1]}" title="Colours: ${theme[1]}" @click=${nextTheme}>${theme[0]}</button>
    <button type="button" class="sign" aria-label="Help" title="Help" @click=${showHelp}>?</button>
  </header>`;
}

/** A button that leaves only cards with errors or warnings in the list. */
const only = (has, words) =>
  html`<button type="button" class="plain" @click=${() => go({ set: { has } })}>${mark(has, words, false)}</button>`;

function nextTheme() {
  const names = Object.keys(THEMES);
  store.set({ theme: names[(names.indexOf(store.settings.theme) + 1) % names.length] });
}

const notice = (title, text) => html`<div class="notice"><h2>${title}</h2><p>${text}</p></div>`;

/** What is shown in place of cards while there are none. */
function trouble() {
  if (store.trouble === "no token" || store.trouble === "token") {
    return notice("This page needs its key", html`Open the address that <code>opforge preview</code> printed in the terminal. It carries a key that lets this browser read the project.`);
  }
  if (store.trouble) return notice("Nothing to show", store.trouble);
  if (store.stage === "no-project") {
    return notice("No project here", html`There is no <code>opforge.yaml</code> in this folder. <code>opforge init</code> makes a project; the page begins as soon as it is there.`);
  }
  if (store.stage === "reading" && !store.rows.length) {
    const { cards } = store.counts;
    return html`<div class="notice late"><p>Reading ${cards ? `${cards} cards` : "the project"} …</p></div>`;
  }
  return null;
}

function strip() {
  const [first, ...others] = store.notes;
  return html`<footer class="strip">
    <p>${store.flashed
      ? store.flashed
      : first
        ? html`${store.name(first)}${others.length ? ` and ${counted(others.length, "other")}` : ""} changed,
            <a href=${write({ id: first.id })}>show</a>
            <button type="button" class="small" @click=${dismiss}>dismiss</button>`
        : stateOfCard()}</p>
    <p class="live ${store.connected ? "on" : "off"}">${store.connected ? html`<span aria-hidden="true">●</span> live` : store.wasConnected ? html`<span aria-hidden="true">○</span> not connected, trying again` : nothing}</p>
  </footer>`;
}

function dismiss() {
  store.notes = [];
  store.changed();
}

function stateOfCard() {
  const { row } = store;
  if (!row) return nothing;
  const said = [row.unprinted && "cannot be printed", row.errors && counted(row.errors, "error"), row.warnings && counted(row.warnings, "warning")];
  return `${store.name(row)}: ${said.filter(Boolean).join(", ") || "no findings"}`;
}

/** @returns {HTMLElement | null} */
const element = (selector) => document.querySelector(selector);

/** @type {[string, string, () => unknown][]} */
const KEYS = [
  ["/", "search", () => element("input[type=search]")?.focus()],
  ["j", "next card", () => moveTo(store, neighbour(store, 1))],
  ["k", "previous card", () => moveTo(store, neighbour(store, -1))],
  ["n", "next card with a finding", () => moveTo(store, neighbour(store, 1, wrong))],
  ["N", "previous card with a finding", () => moveTo(store, neighbour(store, -1, wrong))],
  ["l", "language of the cards", nextLanguage],
  ["b", "back side", () => turn(store)],
  ["z", "zoom", () => store.set({ zoom: store.settings.zoom > 1 ? 1 : 2 })],
  ["f", "follow", () => store.set({ follow: !store.settings.follow })],
  ["t", "try a value", () => element("[data-try]")?.click()],
  ["p", "play the bench again", () => store.emit("key", "p")],
  ["y", "copy file:line", () => store.row && copy(store, `${store.row.file}:${store.row.line}`)],
  ["?", "help", showHelp],
];
const OTHERS = [
  ["Enter", "open the card"],
  ["Esc", "back to the list"],
  ["1 – 5", "tabs"],
  ["arrows", "next and previous card"],
];

const wrong = (row) => row.errors || row.unprinted || row.warnings;

function nextLanguage() {
  const at = store.languages.indexOf(store.lang);
  store.set({ lang: store.languages[(at + 1) % store.languages.length] });
}

function showHelp() {
  drawHelp();
  if (!help.open) help.showModal();
}

function drawHelp() {
  render(
    html`<form method="dialog">
      <h2>Keys</h2>
      <dl>${[...KEYS, ...OTHERS].map(([key, label]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${label}</dd></div>`)}</dl>
      <label><input type="checkbox" .checked=${store.settings.letters} @change=${(event) => store.set({ letters: event.target.checked })}> single letters are keys</label>
      <h2>Marks</h2>
      <p>${mark("error", "error", false)} · ${mark("warning", "warning", false)} · ${mark("changed", "changed since the revision", false)}</p>
      <p>Saving a file updates this page. The tab Bench answers “why is this 5?”, Sheet shows the pages as they print, Changes compares with git.</p>
      <button class="main">Close</button>
    </form>`,
    help,
  );
}

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  const target = event.target instanceof Element ? event.target : document.body;
  const typing = target.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], dialog[open]");
  if (event.key === "Escape") {
    if (typing instanceof HTMLElement && target instanceof HTMLElement) target.blur();
    else if (!target.closest("[data-own-keys]")) go({ tab: "card", id: null });
    return;
  }
  if (target.matches("input[type=search]") && ["Enter", "ArrowDown"].includes(event.key)) {
    event.preventDefault();
    if (event.key === "ArrowDown") moveTo(store, first());
    else if (first()) go({ id: first() });
    return;
  }
  if (typing || target.closest("[data-own-keys]")) return;
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (step && (target === document.body || target.closest(".rows"))) {
    const sideways = event.key === "ArrowLeft" || event.key === "ArrowRight";
    if (sideways && columns() === 1) return;
    moveTo(store, neighbour(store, sideways ? step : step * columns()));
    event.preventDefault();
    return;
  }
  if (event.key === "Enter" && target === document.body && !store.id) {
    element(".rows li:not([hidden]) a[tabindex='0']")?.click();
    return;
  }
  if (!store.settings.letters) return;
  if (/^[1-5]$/.test(event.key)) {
    go({ tab: TABS[Number(event.key) - 1][0] });
    event.preventDefault();
    return;
  }
  const found = KEYS.find(([key]) => key === event.key);
  if (!found) return;
  event.preventDefault();
  found[2]();
});

const scrolled = new Map(); // tab and card → how far its text was scrolled
let shown = "";

store.onChange(() => {
  const { tab, id } = store.address;
  const content = root.querySelector(".content");
  if (content && shown) scrolled.set(shown, content.scrollTop);
  render(page(), root);
  showCarets(root);
  if (shown !== `${tab} ${id}`) {
    shown = `${tab} ${id}`;
    root.querySelector(".content").scrollTop = scrolled.get(shown) ?? 0;
    reveal(store);
  }
  if (help.open) drawHelp();
});
store.start();

// @ts-check
// Small parts that several tabs show: marks, places, findings, pictures, switches.

import { get, pictureAddress, post, settled } from "./api.js";
import { write } from "./address.js";
import { html, nothing } from "./vendor/lit-html.js";

/** `1 card`, `2 cards`. */
export const counted = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

const SIGNS = { error: "⨯", warning: "△", changed: "●", information: "i" };

/** A mark: a shape and a word. The word is for readers of the screen only where `short`. */
export const mark = (what, word = what, short = true) =>
  html`<span class="mark ${what}" title=${word}><span aria-hidden="true">${SIGNS[what]}</span><span class=${short ? "unseen" : ""}> ${word}</span></span>`;

/** A choice of one of some values, as buttons side by side: `[[value, label]]`. */
export const choice = (label, values, current, choose) => html`
  <span class="choice" role="group" aria-label=${label}>
    ${values.map(
      ([value, text, title]) =>
        html`<button type="button" aria-pressed=${value === current ? "true" : "false"} title=${title ?? nothing} @click=${() => choose(value)}>${text}</button>`,
    )}
  </span>`;

/**
 * A list of which one is chosen: `[[value, text]]`. Without a label one is around it.
 * @param {string | symbol} [label]
 */
export const select = (values, current, choose, label = nothing) => html`<select aria-label=${label}
  @change=${(event) => choose(event.target.value)}>${values.map(
    ([value, text]) => html`<option value=${value} .selected=${value === current}>${text}</option>`,
  )}</select>`;

/** A link to a card, which keeps the tab and the filters. */
export const cardLink = (store, id, text) => html`<a href=${write({ id })}>${text ?? (store.name(store.byId.get(id)) || id)}</a>`;

/** A place in a file, with buttons to copy it and, with an editor, to open it. */
export const placeOf = (store, place) => {
  if (!place?.file) return nothing;
  const text = `${place.file}:${place.line}`;
  const address = editorAddress(store, place);
  return html`<span class="place"><code>${text}</code>
    <button type="button" class="small" @click=${() => copy(store, text)}>copy<span class="unseen"> ${text}</span></button>
    ${address ? html`<a class="button small" href=${address}>open<span class="unseen"> ${text} in the editor</span></a>` : nothing}</span>`;
};

/** Put a text on the clipboard and say so. */
export async function copy(store, text) {
  try {
    await navigator.clipboard.writeText(text);
    store.say(`Copied ${text.length < 80 ? text : "it"}.`);
    store.flash(`Copied ${text.length < 80 ? text : ""}`);
  } catch {
    store.flash("The browser does not allow copying here.");
  }
}

function editorAddress(store, { file, line, column = 1 }) {
  if (!store.editor) return null;
  const values = { file: encodeURI(file), line, column };
  return store.editor.link.replace(/\{(\w+)\}/gu, (all, name) => values[name] ?? all);
}

/** A time of day as it was said by the server. */
export function clock(time) {
  const moment = new Date(typeof time === "number" ? time * 1000 : time);
  return Number.isNaN(moment.getTime()) ? String(time ?? "") : moment.toLocaleTimeString("en-GB");
}

const explained = new Map(); // name of a finding → text, "" while it is asked for
const fixes = new Map(); // key of a finding → {diff, error}: what fixing it changes, which is shown before it is written
const opened = new Set(); // findings whose explanation is open; they stay open over saves

/** Findings with the lines of the source and a caret, as the terminal prints them. */
export const findingsOf = (store, findings, owner = "") =>
  findings?.length ? html`<ul class="findings" aria-label="Findings">${findings.map((one) => finding(store, one, owner))}</ul>` : nothing;

function finding(store, one, owner) {
  const key = `${owner} ${one.name} ${one.message}`;
  return html`<li class="finding ${one.severity}">
    <p>${mark(one.severity, one.severity, false)} <code class="name">${one.name}</code> ${words(one.message)}</p>
    ${one.source?.length ? html`<pre class="source" tabindex="0" aria-label="Source"><code>${sourceLines(one)}</code></pre>` : nothing}
    ${one.next_step ? html`<p class="next">${words(one.next_step)}</p>` : nothing}
    <div class="row">${placeOf(store, one)}
    <details ?open=${opened.has(key)} @toggle=${(event) => toggled(store, event, key, one.name)}>
      <summary>explain</summary><div class="explained">${markdown(explained.get(one.name) ?? "")}</div>
    </details>
    ${one.fix && !store.readOnly && !store.trial ? html`<button type="button" class="small" @click=${() => fix(store, one, key)}>fix …</button>` : nothing}</div>
    ${fixes.has(key) ? fixView(store, one, key) : nothing}
  </li>`;
}

/** Ask what a fix changes, or with the diff that was shown have it written. */
async function fix(store, { name, message, file, line, column }, key, diff = null) {
  const [answer, refusal] = await settled(post("/api/fix", { name, message, file, line, column, diff }));
  if (answer?.written) {
    fixes.delete(key);
    store.say("Fixed.");
  } else fixes.set(key, { diff: answer?.diff ?? "", error: refusal?.message ?? "" });
  store.changed();
}

function fixView(store, one, key) {
  const { diff, error } = fixes.get(key);
  const close = () => {
    fixes.delete(key);
    store.changed();
  };
  return html`<div class="fix">
    ${diffView(diff)}
    ${error ? html`<p role="alert">${mark("error", "error", false)} ${error}</p>` : nothing}
    <p>${diff ? html`<button type="button" class="main" @click=${() => fix(store, one, key, diff)}>write to the file</button>` : nothing}
      <button type="button" @click=${close}>${diff ? "do not write" : "close"}</button></p>
  </div>`;
}

/** A unified diff, its lines coloured. */
export function diffView(diff) {
  if (!diff) return nothing;
  const kind = (line) => (/^(\+\+\+|---|@@)/.test(line) ? "place" : { "+": "added", "-": "removed" }[line[0]] ?? "");
  return html`<pre class="diff" aria-label="diff" tabindex="0">${diff.trimEnd().split("\n").map((line) => html`<span class=${kind(line)}>${line}\n</span>`)}</pre>`;
}

function toggled(store, event, key, name) {
  if (!event.target.open) {
    opened.delete(key);
    return;
  }
  opened.add(key);
  if (explained.has(name)) return;
  explained.set(name, "");
  settled(get(`/api/explain/${encodeURIComponent(name)}`)).then(([answer]) => {
    if (answer) explained.set(name, answer.markdown);
    else explained.delete(name);
    store.changed();
  });
}

function sourceLines({ source, line, column, end_line, end_column }) {
  const width = Math.max(...source.map(([number]) => String(number).length));
  return source.map(([number, text]) => {
    const head = html`<span class="number">${String(number).padStart(width)} │ </span>${text}\n`;
    if (number !== line) return head;
    const end = end_line === line ? end_column : text.length + 1;
    const before = text.slice(0, column - 1).replace(/[^\t]/gu, " ");
    return html`${head}<span class="number">${" ".repeat(width)} │ </span>${before}<span class="caret">${"^".repeat(Math.max(1, end - column))}</span>\n`;
  });
}

/** Scroll each source line sideways to its caret, once. */
export function showCarets(root) {
  for (const source of root.querySelectorAll(".finding .source")) {
    const caret = source.querySelector(".caret");
    if (!caret || source.shown === source.textContent) continue;
    source.shown = source.textContent;
    const end = caret.offsetLeft + caret.offsetWidth - source.offsetLeft;
    source.scrollLeft = end > source.clientWidth ? end - source.clientWidth / 2 : 0;
  }
}

/** A sentence in which `words` between backticks are code. */
export const words = (text) =>
  String(text ?? "")
    .split("`")
    .map((part, at) => (at % 2 ? html`<code>${part}</code>` : part));

/** A help page: headings, code, lists and paragraphs. */
function markdown(text) {
  const blocks = text.split(/^```\w*\n([\s\S]*?)^```$/mu);
  return blocks.map((block, at) =>
    at % 2
      ? html`<pre tabindex="0"><code>${block}</code></pre>`
      : block.split(/\n{2,}|\n(?=#|- )|(?<=^#.*)\n/mu).map((part) => {
          const line = part.trim();
          if (!line) return nothing;
          if (line.startsWith("#")) return html`<h4>${line.replace(/^#+ */u, "")}</h4>`;
          return html`<p>${words(line)}</p>`;
        }),
  );
}

/** A picture that changes without a blink: the next one is shown when it has been decoded. */
export class Picture {
  element = document.createElement("div");
  shown = "";
  #wanted = "";
  #image = null;

  constructor() {
    this.element.className = "picture";
  }

  /** Show a face; `failed()` is called if there is no such picture any more. */
  show(digest, dpi, alt, { bleed = false, failed = () => {} } = {}) {
    if (this.#image && this.#image.alt !== alt) this.#image.alt = alt;
    const address = digest ? pictureAddress(digest, dpi, bleed) : "";
    if (address === this.#wanted) return;
    this.#wanted = address;
    if (!address) {
      this.#image?.remove();
      this.#image = null;
      this.shown = "";
      return;
    }
    const image = new Image();
    image.alt = alt;
    image.src = address;
    image.decode().then(
      () => {
        if (this.#wanted !== address) return;
        if (this.#image) this.#image.replaceWith(image);
        else this.element.append(image);
        this.#image = image;
        this.shown = address;
        image.dataset.face = digest;
      },
      () => {
        if (this.#wanted !== address) return;
        this.#wanted = "";
        failed();
      },
    );
  }
}

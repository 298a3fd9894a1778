// @ts-check
// Values that are tried: they stand in this tab and in the memory of the server, not in a file. With a trial the
// server answers as if they were saved. Each can be dropped, or written after its diff was shown.

import { post, settled } from "./api.js";
import { diffView, mark, words } from "./parts.js";
import { keep, kept, store } from "./store.js";
import { html, nothing } from "./vendor/lit-html.js";

const STORED = "opforge-tries";
const NUMBERS = /(^|\.)(ap|ep|dp|mp|squadpoints|quantity|value)$/;
const WAIT = 120; // ms after the last letter

class Tries {
  list = kept("sessionStorage", STORED) ?? []; // {card, key, value}
  answer = null; // what /api/try said: findings, diff
  refusal = null;
  writing = null; // {card, key, trial, diff, findings, anyway, error}: a diff that is shown before it is written
  #open = new Set();
  #number = 0;
  #timer = 0;
  #completion = null; // {id, from, at, items, active}; `at` is the cursor, and each item has its own end `to`

  constructor() {
    store.on("cards", () => {
      if (this.list.length) this.send();
      if (this.writing) this.#lookAgain();
    });
    store.on("connection", (connected) => connected && this.list.length && this.send());
  }

  find(card, key) {
    return this.list.find((one) => one.card === card && one.key === key);
  }

  /** A POST request with the trial, if there is one; a trial that the server has forgotten is made again. */
  async post(path, body) {
    const [answer, refusal] = await settled(post(path, { ...body, trial: store.trial }));
    if (answer) return answer;
    if (!store.trial || refusal.status !== 404) throw refusal;
    await this.send({ quietly: true });
    return post(path, { ...body, trial: store.trial });
  }

  isOpen(card, key) {
    return this.#open.has(fieldId(card, key)) || Boolean(this.find(card, key));
  }

  open(card, key) {
    this.#open.add(fieldId(card, key));
    store.changed();
    setTimeout(() => document.getElementById(fieldId(card, key))?.focus());
  }

  set(card, key, value) {
    const found = this.find(card, key);
    if (found) found.value = value;
    else this.list.push({ card, key, value });
    this.writing = null;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.send(), WAIT);
    store.changed();
  }

  drop(card, key, said = "The tried value is dropped.") {
    this.list = this.list.filter((one) => one.card !== card || one.key !== key);
    this.#open.delete(fieldId(card, key));
    this.writing = null;
    store.say(said);
    return this.send();
  }

  dropAll() {
    this.list = [];
    this.#open.clear();
    this.writing = null;
    store.say("All tried values are dropped.");
    return this.send();
  }

  /** Tell the server what is tried, and ask again for what is shown. */
  async send({ quietly = false } = {}) {
    const number = ++this.#number;
    keep("sessionStorage", STORED, this.list);
    const tried = this.list.map((one) => ({ ...one }));
    const [answer, refusal] = tried.length ? await settled(post("/api/try", { tries: tried })) : [null, null];
    if (number !== this.#number) return;
    if (refusal?.status === 0) return; // no server: the trial is made again when it is back
    this.answer = answer && { ...answer, tried };
    this.refusal = refusal;
    store.trial = answer?.trial ?? null;
    if (quietly) return;
    if (store.id) store.loadCard(store.id);
    store.emit("tries");
    store.changed();
  }

  /** Show what writing one value would change. */
  async askToWrite({ card, key, value }) {
    const [answer, refusal] = await settled(post("/api/try", { tries: [{ card, key, value }] }));
    const { trial = null, diff = "", findings = [] } = answer ?? {};
    this.writing = { card, key, trial, diff, findings, anyway: false, error: refusal?.message ?? "" };
    store.changed();
  }

  /** After a save, what writing changes may be something else than what was shown. */
  async #lookAgain() {
    const before = this.writing;
    const tried = this.find(before.card, before.key);
    if (!tried) return;
    await this.askToWrite(tried);
    if (this.writing && this.writing.diff !== before.diff && !this.writing.error) {
      this.writing.error = "The file has changed meanwhile; look again.";
      store.changed();
    }
  }

  async write() {
    const { card, key, trial, anyway } = this.writing;
    const [, refusal] = await settled(post("/api/write", { trial, anyway }));
    if (!refusal) return this.drop(card, key, "Written.");
    const findings = refusal.answer.findings ?? this.writing.findings;
    this.writing = { ...this.writing, findings, anyway: refusal.status === 422, error: refusal.message };
    return store.changed();
  }

  cancelWriting() {
    this.writing = null;
    store.changed();
  }

  // Completion

  completion(id) {
    return this.#completion?.id === id ? this.#completion : null;
  }

  async complete(field, card, key) {
    const offset = field.selectionStart;
    const [answer] = await settled(post("/api/complete", { card, key, text: field.value, offset }));
    if (document.activeElement !== field || field.selectionStart !== offset) return;
    const items = answer?.items.slice(0, 40) ?? [];
    const known = this.completion(field.id); // asked for twice at the same place, what was chosen stays
    const active = known?.at === offset ? Math.min(known.active, items.length - 1) : -1;
    this.#completion = items.length ? { id: field.id, from: answer.from, at: offset, items, active } : null;
    store.changed();
  }

  endCompletion() {
    if (!this.#completion) return;
    this.#completion = null;
    store.changed();
  }

  take(field, card, key, item) {
    field.setRangeText(item.text, this.#completion.from, item.to, "end");
    this.#completion = null;
    this.set(card, key, field.value);
  }

  key(event, card, key) {
    const field = event.currentTarget;
    const list = this.completion(field.id);
    if (event.key === "Escape") {
      event.stopPropagation();
      if (list) this.endCompletion();
      else if (!this.find(card, key)) {
        this.#open.delete(fieldId(card, key));
        store.changed();
      }
    } else if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      this.complete(field, card, key);
    } else if (list && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      list.active = Math.max(-1, Math.min(list.items.length - 1, list.active + step));
      store.changed();
      setTimeout(() => document.getElementById(`${field.id}-${list.active}`)?.scrollIntoView({ block: "nearest" }));
    } else if (list && list.active >= 0 && (event.key === "Enter" || event.key === "Tab")) {
      event.preventDefault();
      this.take(field, card, key, list.items[list.active]);
    }
  }
}

export const tries = new Tries();

const fieldId = (card, key) => `try-${card}-${key.replace(/\W+/g, "-")}`;

/** What a key is called: AP, SQUADPOINTS, name (de), effect of skill 1. */
function labelOf(key) {
  const [, part, rest] = /^(?:skills\[(\d+)\]\.)?(.*)$/.exec(key);
  const word = rest.replace(/\.(\w+)$/, " ($1)");
  const said = /^(ap|ep|dp|mp|squadpoints|value)$/.test(word) ? word.toUpperCase() : word;
  return part === undefined ? said : `${said} of skill ${Number(part) + 1}`;
}

/** A button, and when it is pressed a field for another value. `value` is what the file has. */
export function tryField(card, key, value, label = labelOf(key)) {
  const id = fieldId(card, key);
  if (!tries.isOpen(card, key)) {
    return html`<button type="button" class="try-button" data-try aria-label=${`try another ${label}`}
      @click=${() => tries.open(card, key)}>try</button>`;
  }
  const tried = tries.find(card, key);
  const shown = tried ? tried.value : value;
  return html`<div class="try-field ${tried ? "tried" : ""}">
    ${NUMBERS.test(key) ? numberField(id, card, key, shown, label) : textField(id, card, key, shown, label)}
    ${tried ? html`<button type="button" @click=${() => tries.drop(card, key)}>drop</button>` : nothing}
    ${tried ? findingsOf(card, key, String(shown)) : nothing}
  </div>`;
}

function numberField(id, card, key, value, label) {
  const set = (event) => {
    if (event.target.value !== "" && Number.isInteger(event.target.valueAsNumber)) {
      tries.set(card, key, event.target.valueAsNumber);
    }
  };
  return html`<input id=${id} type="number" step="1" min="0" max="99" aria-label=${`try ${label}`} .value=${String(value ?? 0)}
    @input=${set} @keydown=${(event) => tries.key(event, card, key)}>`;
}

function textField(id, card, key, value, label) {
  const completes = key.endsWith("effect");
  const list = tries.completion(id);
  const typed = (event) => {
    tries.set(card, key, event.target.value);
    if (completes && /[\p{L}\d" ]$/u.test(event.target.value.slice(0, event.target.selectionStart))) {
      tries.complete(event.target, card, key);
    } else tries.endCompletion();
  };
  return html`<div class="try-text">
    <textarea id=${id} rows=${completes ? 3 : 1} spellcheck="false" aria-label=${`try ${label}`}
      role=${completes ? "combobox" : nothing} aria-autocomplete=${completes ? "list" : nothing}
      aria-expanded=${completes ? Boolean(list) : nothing} aria-controls=${completes ? `${id}-list` : nothing}
      aria-activedescendant=${list && list.active >= 0 ? `${id}-${list.active}` : nothing}
      .value=${value ?? ""} @input=${typed} @keydown=${(event) => tries.key(event, card, key)}
      @blur=${() => tries.endCompletion()}></textarea>
    ${list ? html`<ul id=${`${id}-list`} class="try-list" role="listbox" aria-label="completion">${list.items.map((item, at) =>
      html`<li id=${`${id}-${at}`} role="option" aria-selected=${at === list.active}
        @mousedown=${(event) => event.preventDefault()}
        @click=${() => tries.take(document.getElementById(id), card, key, item)}>
        <span>${item.label}</span> <small>${item.detail}</small></li>`)}</ul>` : nothing}
  </div>`;
}

/** Whether a finding is shown below the field of the effect that is tried. */
export const isAtField = ({ card, name, line, column }) =>
  (tries.answer?.findings ?? []).some((one) => one.key?.endsWith("effect") && one.card === card && one.name === name && one.line === line
    && one.column === column && tries.find(card, one.key));

/** Findings in this value, each below its words with a caret where its place in the value is known. */
function findingsOf(card, key, value) {
  const findings = (tries.answer?.findings ?? []).filter((one) => one.card === card && (one.key ? one.key === key : one.severity === "error"));
  if (!findings.length) return nothing;
  // while a new value is typed, the findings are those of the value before, whose words were elsewhere
  const current = tries.answer.tried.some((one) => one.card === card && one.key === key && String(one.value) === value);
  return html`<div class="try-findings" role="status">${findings.map((finding) => html`
    ${finding.offset === undefined || !current ? nothing : html`<pre>${caret(value, finding.offset, finding.end_offset)}</pre>`}
    ${findingLine(finding)}`)}</div>`;
}

const findingLine = ({ severity, name, message, next_step: next }) =>
  html`<p class="try-finding">${mark(severity, severity, false)} <code>${name}</code> ${words(message)}
    ${next ? html`<small>${words(next)}</small>` : nothing}</p>`;

/** The line of the value with carets under the characters from `begin` to `end`. */
export function caret(value, begin, end = begin + 1) {
  const start = value.lastIndexOf("\n", begin - 1) + 1;
  const stop = value.indexOf("\n", begin);
  const line = value.slice(start, stop < 0 ? undefined : stop);
  const length = Math.max(1, Math.min(end, start + line.length) - begin);
  return `${line}\n${" ".repeat(begin - start)}${"^".repeat(length)}`;
}

/** What is tried, above everything else; nothing where nothing is. */
export function tryBanner() {
  const { list, writing } = tries;
  if (!list.length) return nothing;
  return html`<div class="try-banner" role="region" aria-label="tried values">
    <p><strong>${list.length === 1 ? "1 value" : `${list.length} values`} tried, not in the file</strong>
      ${list.length > 1 ? html`<button type="button" @click=${() => tries.dropAll()}>drop all</button>` : nothing}</p>
    ${tries.refusal ? html`<p class="try-finding">${mark("error", "error", false)} ${words(tries.refusal.message)}</p>` : nothing}
    <ul>${list.map((one) => html`<li>
      <span><b>${store.name(store.byId.get(one.card)) || one.card}</b> ${labelOf(one.key)} <q>${one.value}</q></span>
      <button type="button" aria-label=${`drop ${labelOf(one.key)}`} @click=${() => tries.drop(one.card, one.key)}>drop</button>
      ${store.readOnly ? nothing : html`<button type="button" aria-label=${`write ${labelOf(one.key)}`}
        @click=${() => tries.askToWrite(one)}>write …</button>`}
    </li>`)}</ul>
    ${writing ? writingView(writing) : nothing}
  </div>`;
}

function writingView({ diff, findings, anyway, error, trial }) {
  return html`<div class="try-writing">
    ${diffView(diff)}
    ${error ? html`<p class="try-finding" role="alert">${mark("error", "error", false)} ${words(error)}</p>` : nothing}
    ${findings.map(findingLine)}
    <p>${trial ? html`<button type="button" class="main" @click=${() => tries.write()}>${anyway ? "write it all the same"
      : "write to the file"}</button>` : nothing}
      <button type="button" @click=${() => tries.cancelWriting()}>do not write</button></p>
  </div>`;
}

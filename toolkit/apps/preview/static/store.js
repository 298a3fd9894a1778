// @ts-check
// What the page knows: the project, its rows, the open card, pictures and settings. Every change is followed by
// one drawing of what differs.

import * as address from "./address.js";
import { get, hasToken, post, settled, takeToken } from "./api.js";
import { listen } from "./events.js";

const STORED = "opforge-settings";
const SETTINGS = { theme: "system", lang: "", follow: false, letters: true, look: "print", crop: "cut", zoom: 1 };

class Store {
  connected = false;
  wasConnected = false;
  trouble = ""; // why there is nothing to show
  stage = "starting"; // starting, reading, ready, no-project
  project = null;
  counts = { cards: 0, errors: 0, warnings: 0 };
  revisions = [];
  readOnly = true;
  editor = null;
  since = null;
  generation = "";
  rows = [];
  byId = new Map();
  gone = new Map(); // id of a card that is gone → its new id, or null
  details = new Map(); // id → answer of /api/card/ID
  faces = new Map(); // "ID LANG SIDE" → digest
  found = new Set(); // ids whose texts have the words of the search
  notes = []; // what the strip says of other cards
  message = ""; // for the live region
  flashed = ""; // what the strip says for some seconds
  trial = null; // name of the values that are tried and not in the files
  settings = SETTINGS;
  address = address.read();
  #findings = [];
  #findingsOf = "";
  #loading = new Map(); // id → the request that is under way, and the one after it
  #listeners = new Map();
  #views = [];
  #drawing = false;

  /** Call `draw()` after each change. */
  onChange(draw) {
    this.#views.push(draw);
  }

  /** Call `handler(data)` for each event of this type, after the store has taken it in. */
  on(type, handler) {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), handler]);
  }

  /** Call the handlers of an event that comes from the page itself. */
  emit(type, data) {
    for (const handler of this.#listeners.get(type) ?? []) handler(data);
  }

  /** Say that something has changed; the page is drawn once, however many changes came together. */
  changed() {
    if (this.#drawing) return;
    this.#drawing = true;
    queueMicrotask(() => {
      this.#drawing = false;
      for (const draw of this.#views) draw();
    });
  }

  /** Say something to those who do not see the page. */
  say(message) {
    this.message = message;
    this.changed();
  }

  /** Say something in the strip, for some seconds. */
  flash(text) {
    this.flashed = text;
    setTimeout(() => {
      if (this.flashed === text) this.flashed = "";
      this.changed();
    }, 3000);
    this.changed();
  }

  /** Everything behind the question mark of the address. */
  get query() {
    return this.address.params.toString();
  }

  get id() {
    return this.address.id;
  }

  /** The row of the open card, or undefined. */
  get row() {
    return this.byId.get(this.id);
  }

  /** What the server said of the open card, or undefined. */
  get card() {
    return this.details.get(this.id);
  }

  /** Languages of the project, the shown one, and the name of an entry in it. */
  get languages() {
    return this.project?.languages ?? [];
  }

  get lang() {
    const chosen = this.settings.lang;
    return this.languages.includes(chosen) ? chosen : (this.languages[0] ?? "en");
  }

  name(entry) {
    return localised(entry?.name, this.lang) || entry?.id || "";
  }

  /** Keep a setting in this browser. */
  set(changes) {
    Object.assign(this.settings, changes);
    keep("localStorage", STORED, this.settings);
    if ("theme" in changes) this.applyTheme();
    if ("lang" in changes && this.id) this.loadCard(this.id);
    this.changed();
  }

  applyTheme() {
    document.documentElement.dataset.theme = this.settings.theme;
  }

  async start() {
    Object.assign(this.settings, kept("localStorage", STORED));
    this.applyTheme();
    await takeToken();
    this.address = address.read();
    addEventListener("hashchange", () => this.#moved());
    this.changed();
    if (!hasToken()) {
      this.trouble = "no token";
      this.changed();
      return;
    }
    const lead = listen((type, data, id) => this.#event(type, data, id));
    await this.load();
    lead(() => this.generation);
  }

  /** Ask for everything anew: at the start, with a new run of the server, and after a gap. */
  async load() {
    const [, refusal] = await settled(this.#load());
    if (!refusal) this.trouble = "";
    else if (refusal.status === 401) this.trouble = "token";
    else if (refusal.status && !this.rows.length) this.trouble = refusal.message;
    this.changed();
  }

  async #load() {
    this.#takeState(await get("/api/state"));
    await this.#loadRows();
    if (this.id && this.stage === "ready") await this.loadCard(this.id);
  }

  async #loadRows() {
    if (this.stage !== "ready") return;
    const answer = await get("/api/cards");
    if (older(answer.generation, this.generation)) return this.#loadRows();
    this.generation = answer.generation;
    const before = this.byId;
    this.rows = answer.cards;
    this.byId = new Map(this.rows.map((row) => [row.id, row]));
    for (const id of before.keys()) if (!this.byId.has(id)) this.gone.set(id, this.gone.get(id) ?? null);
    for (const id of this.byId.keys()) this.gone.delete(id);
    this.changed();
  }

  /** Ask for a card; what is known of it stays until the answer is here. Once more if it is being asked for. */
  loadCard(id) {
    const running = this.#loading.get(id);
    if (running) return (running.again ??= running.answered.then(() => this.loadCard(id)));
    const answered = this.#askForCard(id).finally(() => this.#loading.delete(id));
    this.#loading.set(id, { answered, again: null });
    return answered;
  }

  async #askForCard(id) {
    const trial = this.trial ? `&trial=${this.trial}` : "";
    const [card, refusal] = await settled(get(`/api/card/${encodeURIComponent(id)}?lang=${this.lang}${trial}`));
    if (card) {
      this.details.delete(id);
      this.details.set(id, card);
      for (const [old] of this.details) if (this.details.size > 60 && old !== this.id) this.details.delete(old);
      for (const [lang, { face }] of Object.entries(card.faces)) this.#takeFace(id, lang, face);
      for (const [lang, { face }] of Object.entries(card.back ?? {})) this.#takeFace(id, lang, face, "back");
    } else if (refusal.status === 404) this.gone.set(id, refusal.answer.renamed ?? this.gone.get(id) ?? null);
    this.changed();
  }

  #takeFace(id, lang, digest, side = "front") {
    this.faces.set(`${id} ${lang} ${side}`, digest);
  }

  /** The picture of a card in the shown language, or undefined while there is none. */
  face(id, lang = this.lang, side = "front") {
    return this.faces.get(`${id} ${lang} ${side}`);
  }

  /** Ask for pictures of cards that are on screen. */
  async loadFaces(ids, dpi) {
    const { lang, trial } = this;
    const [answer] = await settled(post("/api/faces", { ids, lang, dpi, trial }));
    if (!answer) return;
    for (const [id, digest] of Object.entries(answer.faces)) this.#takeFace(id, lang, digest);
    this.changed();
  }

  /** All findings, also those of no card. They are asked for when they are to be shown. */
  findings() {
    if (this.#findingsOf !== this.generation && this.stage === "ready") {
      this.#findingsOf = this.generation;
      settled(get("/api/findings")).then(([answer]) => {
        this.#findings = answer?.findings ?? this.#findings;
        this.changed();
      });
    }
    return this.#findings;
  }

  /** Look for words in rules texts and effects. */
  async search(words) {
    const [answer] = words ? await settled(get(`/api/search?q=${encodeURIComponent(words)}`)) : [{ ids: [] }];
    if (!answer || (this.address.params.get("q") ?? "") !== words) return;
    this.found = new Set(answer.ids);
    this.changed();
  }

  #moved() {
    const before = this.address;
    this.address = address.read();
    if (this.id && this.id !== before.id) {
      this.notes = this.notes.filter((note) => note.id !== this.id);
      this.loadCard(this.id);
    }
    const words = this.address.params.get("q") ?? "";
    if (words !== (before.params.get("q") ?? "")) this.search(words);
    this.changed();
  }

  #takeState(state) {
    this.stage = state.stage;
    this.project = state.project ?? this.project;
    this.counts = state.counts;
    this.revisions = state.revisions;
    this.readOnly = state.read_only;
    this.editor = state.editor;
    this.since = state.since;
    if (!this.settings.lang && state.lang) this.settings.lang = state.lang;
    if (state.generation) this.generation = state.generation;
  }

  #event(type, data, id) {
    if (type === "connection") {
      const again = data && !this.connected && this.wasConnected;
      this.connected = data;
      this.wasConnected ||= data;
      if (again) this.say("Connected again.");
      else if (!data) this.say("Not connected, trying again.");
      if (data && (this.trouble || this.stage === "starting")) this.load();
    } else if (type === "state") {
      const before = this.stage;
      this.#takeState(data);
      if (before !== "ready" && this.stage === "ready") this.load();
    } else if (type === "cards") {
      if (data.all) this.load();
      else this.#takeRows(data);
    } else if (type === "card") {
      if (data.id === this.id) this.loadCard(data.id);
      else this.details.delete(data.id);
    } else if (type === "face") {
      this.#takeFace(data.id, data.lang, data.face);
    }
    if (id) this.generation = id;
    this.emit(type, data);
    this.changed();
  }

  #takeRows({ rows = [], gone = [], renamed = {}, after = {} }) {
    const others = [];
    let order = null;
    for (const row of rows) {
      if (!this.byId.has(row.id)) {
        order ??= [...this.byId.keys()];
        order.splice(after[row.id] ? order.indexOf(after[row.id]) + 1 : 0, 0, row.id);
      }
      this.byId.set(row.id, row);
      this.gone.delete(row.id);
      if (row.id === this.id) {
        this.loadCard(row.id);
      } else {
        this.details.delete(row.id);
        others.push(row);
      }
    }
    for (const id of gone) {
      this.byId.delete(id);
      this.gone.set(id, renamed[id] ?? null);
    }
    if (order) this.byId = new Map(order.filter((id) => this.byId.has(id)).map((id) => [id, this.byId.get(id)]));
    this.rows = [...this.byId.values()];
    this.#tellOthers(others);
  }

  #tellOthers(rows) {
    if (!rows.length) return;
    if (this.settings.follow) {
      address.go({ id: rows[0].id }, { replace: true });
      this.say(`${this.name(rows[0])} changed.`);
      return;
    }
    const ids = new Set(rows.map((row) => row.id));
    this.notes = [...rows, ...this.notes.filter((row) => !ids.has(row.id))];
    this.say(rows.length === 1 ? `${this.name(rows[0])} changed.` : `${rows.length} other cards changed.`);
  }
}

/** @type {(name: "localStorage" | "sessionStorage") => Storage} */
const storageOf = (name) => window[name];

/** What this browser (`localStorage`) or this tab (`sessionStorage`) keeps; nothing where it may not keep anything. */
export function kept(storage, key) {
  try {
    return JSON.parse(storageOf(storage).getItem(key));
  } catch {
    return null;
  }
}

export function keep(storage, key, value) {
  try {
    storageOf(storage).setItem(key, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing still works
  }
}

/** A text in a language: texts are strings, or strings by language. */
export function localised(text, lang) {
  if (text === null || text === undefined) return "";
  if (typeof text === "string") return text;
  return text[lang] ?? Object.values(text)[0] ?? "";
}

/** Whether a generation, "RUN-N", is before another of the same run. */
export function older(one, other) {
  const [run, number] = split(one);
  const [otherRun, otherNumber] = split(other);
  return run === otherRun && number < otherNumber;
}

function split(generation = "") {
  const at = generation.lastIndexOf("-");
  return [generation.slice(0, at), Number(generation.slice(at + 1))];
}

export const store = new Store();

/** What a tab shows of the answer to a GET request, which is made once for each address and state of the project. */
export class Loader {
  answer = null;
  refusal = null;
  busy = false;
  #asked = "";
  #number = 0;

  constructor() {
    store.on("connection", (connected) => connected && this.refusal && this.again());
  }

  /** Ask for what is at an address unless that is here or on its way; `taken(answer, before)` takes an answer in. */
  async load(path, taken) {
    const asked = `${path} ${store.generation}`;
    if (asked === this.#asked || store.stage !== "ready") return;
    this.#asked = asked;
    const number = ++this.#number;
    this.busy = true;
    store.changed();
    const [answer, refusal] = await settled(get(path));
    if (number !== this.#number) return;
    const before = this.answer;
    this.busy = false;
    this.refusal = refusal;
    if (refusal?.status !== 0) this.answer = answer; // no server: what is shown stays
    if (answer) taken(answer, before);
    store.changed();
  }

  /** Ask again although nothing else is asked for. */
  again() {
    this.#asked = "";
    store.changed();
  }
}

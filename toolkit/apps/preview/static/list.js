// @ts-check
// The list of cards: search, filters, order, as rows or as a wall of faces. Rows are built once and changed one by
// one, so that 5,000 of them can be filtered while one types.

import { go, write } from "./address.js";
import { choice, counted, mark, Picture, select } from "./parts.js";
import { localised } from "./store.js";
import { html, nothing, render } from "./vendor/lit-html.js";

const HAS = [
  ["error", "errors", "Only cards with errors"],
  ["warning", "warnings", "Only cards with warnings"],
  ["changed", "changed", "Only cards that changed since the revision"],
];
const ORDERS = [["", "in file order"], ["name", "by name"], ["kind", "by kind"], ["errors", "errors first"]];
const narrow = matchMedia("(max-width: 719.98px)");
let cursor = null; // the row that Tab reaches
let order = []; // all rows in the order that was chosen
let sequence = []; // ids that are shown, in their order
let known = {}; // what was filtered and ordered last
let asked = ""; // the words whose texts were asked for

/** The neighbour of the open card, or of the row that Tab reaches. */
export function neighbour(store, step, wanted = /** @type {(row: any) => boolean} */ (() => true)) {
  let at = sequence.indexOf(store.id ?? cursor);
  if (at < 0) at = step > 0 ? -1 : sequence.length;
  for (at += step; at >= 0 && at < sequence.length; at += step) {
    if (wanted(store.byId.get(sequence[at]))) return sequence[at];
  }
  return null;
}

/** The first card that the filters leave. */
export const first = () => sequence[0] ?? null;

/** Go to a row: open it if a card is open already, else only mark it. */
export function moveTo(store, id) {
  if (id === null) return;
  cursor = id;
  if (store.id) go({ id }, { replace: true });
  else store.changed();
  queueMicrotask(() => {
    const focused = [rows, faces].find((one) => one.element.contains(document.activeElement));
    const list = focused ?? (!store.id && faces.element.isConnected ? faces : rows);
    list.reveal(id, Boolean(focused) || !store.id);
  });
}

/** Scroll the list so that the open card can be seen. */
export const reveal = (store) => store.id && rows.reveal(store.id, false);

/** How many cards lie side by side where the focus is. */
export function columns() {
  const list = faces.element.isConnected && !rows.element.contains(document.activeElement) ? faces : rows;
  if (!list.element.classList.contains("wall")) return 1;
  return getComputedStyle(list.element).gridTemplateColumns.split(" ").length;
}

/** Cards as links, one below the other or as a wall of faces. Faces are asked for when they come into view. */
class CardList {
  element = document.createElement("ul");
  #items = new Map(); // id → {item, row, look, picture, seen}
  #order = null;
  #shown = null;
  #store = null;
  #waiting = 0;
  #watcher = new IntersectionObserver((entries) => this.#scrolled(entries), { rootMargin: "160px" });

  constructor(label) {
    this.element.className = "rows";
    this.element.setAttribute("aria-label", label);
  }

  update(store, wall) {
    this.#store = store;
    if (wall && !this.element.classList.contains("wall")) this.#askForFaces();
    this.element.classList.toggle("wall", wall);
    if (this.#order !== order || this.#shown !== sequence) this.#arrange(store);
    const current = store.id ?? cursor;
    const reached = this.#items.get(current)?.item.hidden === false ? current : sequence[0];
    for (const id of sequence) {
      const known = this.#items.get(id);
      const row = store.byId.get(id);
      const look = `${store.lang} ${wall} ${id === store.id} ${id === reached} ${store.address.tab} ${wall && known.seen && (store.face(id) ?? "wanted")}`;
      if (known.row === row && known.look === look && known.query === store.query) continue;
      Object.assign(known, { row, look, query: store.query });
      this.#draw(known, row, wall, id === reached);
    }
    return this.element;
  }

  /** Scroll to a card, and put the focus on it if that is wanted. */
  reveal(id, focus) {
    const item = this.#items.get(id)?.item;
    item?.scrollIntoView({ block: "nearest" });
    if (focus) item?.querySelector("a")?.focus({ preventScroll: true });
  }

  #arrange(store) {
    for (const [id, { item }] of this.#items) {
      if (store.byId.has(id)) continue;
      this.#watcher.unobserve(item);
      item.remove();
      this.#items.delete(id);
    }
    const shown = new Set(sequence);
    let before = null;
    for (const { id } of order) {
      let known = this.#items.get(id);
      if (!known) {
        const item = document.createElement("li");
        item.dataset.id = id;
        this.#items.set(id, (known = { item, row: null, look: "", query: "", picture: null, seen: false }));
        this.#watcher.observe(item);
      }
      known.item.hidden = !shown.has(id);
      const next = before ? before.nextSibling : this.element.firstChild;
      if (next !== known.item) this.element.insertBefore(known.item, next);
      before = known.item;
    }
    this.#order = order;
    this.#shown = sequence;
  }

  #draw(known, row, wall, reached) {
    const store = this.#store;
    known.item.className = row.stale ? "stale" : "";
    if (wall && known.seen) {
      known.picture ??= new Picture();
      known.picture.show(store.face(row.id), 96, "", { failed: () => this.#askForFaces() });
    } else {
      known.picture = null;
    }
    const marks = html`${row.errors ? mark("error", counted(row.errors, "error")) : row.unprinted ? mark("error", "cannot be printed") : row.warnings ? mark("warning", counted(row.warnings, "warning")) : nothing}${row.changed ? mark("changed") : nothing}`;
    const name = html`<span class="name" dir="auto">${store.name(row)}</span>`;
    render(
      html`<a href=${write({ id: row.id, tab: opening(store) })} tabindex=${reached ? 0 : -1} aria-current=${row.id === store.id ? "true" : nothing}
        @focus=${() => (cursor = row.id)}>${
          wall
            ? html`<span class="tile">${known.picture?.element ?? nothing}</span><span class="caption">${marks}${name}</span>`
            : html`<span class="marks">${marks}</span>${name}<span class="numbers">${numbers(row)}</span>`
        }</a>`,
      known.item,
    );
  }

  #scrolled(entries) {
    for (const { target, isIntersecting } of entries) {
      const known = this.#items.get(target.dataset.id);
      if (known) known.seen = isIntersecting;
    }
    if (!this.element.classList.contains("wall")) return;
    this.#store?.changed();
    this.#askForFaces();
  }

  #askForFaces() {
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => {
      const ids = sequence.filter((id) => this.#items.get(id)?.seen).slice(0, 60);
      if (ids.length) this.#store.loadFaces(ids, 96);
    }, 40);
  }

  /** Ask for the faces in view again, in another language for example. */
  refresh() {
    if (this.element.isConnected && this.element.classList.contains("wall")) this.#askForFaces();
  }
}

const rows = new CardList("Cards");
const faces = new CardList("Faces");

/** The faces of the cards that the filters leave. */
export const wall = (store) => faces.update(store, true);

export function view(store) {
  arrange(store);
  const { params } = store.address;
  const { kinds = [], teams = [], traits = [] } = store.project ?? {};
  const has = new Set((params.get("has") ?? "").split(",").filter(Boolean));
  const filtered = ["q", "kind", "team", "trait", "has"].some((name) => params.get(name));
  return html`
    <div class="tools" role="search">
      <label class="search"><span class="unseen">Search names, ids, texts and effects</span>
        <input type="search" placeholder="Search" autocomplete="off" spellcheck="false" .value=${params.get("q") ?? ""}
          aria-keyshortcuts="/" @input=${(event) => filterBy({ q: event.target.value })}>
        <kbd aria-hidden="true">/</kbd></label>
      <div class="filters">
        ${filter(store, "kind", "Kind", kinds.map((kind) => [kind, kind]))}
        ${filter(store, "team", "TEAM", teams.map((team) => [team.id, localised(team.name, store.lang)]))}
        ${filter(store, "trait", "Trait", traits.map((trait) => [trait.id, store.name(trait)]))}
      </div>
      <div class="filters">
        <span class="choice" role="group" aria-label="Only cards with">
        ${HAS.map(
          ([what, word, title]) => html`<button type="button" class=${what} aria-pressed=${has.has(what) ? "true" : "false"} title=${title}
            @click=${() => filterBy({ has: toggled(has, what) })}>${mark(what, word, true)}</button>`,
        )}</span>
        ${choice("Show as", [["", "List"], ["wall", "Wall"]], params.get("view") ?? "", (view) => filterBy({ view }))}
      </div>
      <div class="found"><span>${sequence.length === store.rows.length ? `${sequence.length} cards` : `${sequence.length} of ${store.rows.length}`}</span>
        ${filtered ? html`<button type="button" class="small" @click=${() => filterBy({ q: null, kind: null, team: null, trait: null, has: null })}>show all</button>` : nothing}
        <span class="select">
          ${select(ORDERS, params.get("sort") ?? "", (sort) => filterBy({ sort }), "Order")}</span>
      </div>
    </div>
    ${rows.update(store, params.get("view") === "wall" && (narrow.matches || Boolean(store.id) || store.address.tab !== "card"))}
    ${store.stage === "ready" && !sequence.length ? html`<p class="empty">${store.rows.length ? "No card is like that." : "No cards yet: opforge new operator begins one."}</p>` : nothing}`;
}

const filterBy = (set) => go({ set }, { replace: true });

function toggled(has, what) {
  const next = new Set(has);
  if (!next.delete(what)) next.add(what);
  return [...next].join(",");
}

function filter(store, name, label, options) {
  const current = store.address.params.get(name) ?? "";
  if (!options.length) return nothing;
  return html`<span class="select ${current ? "set" : ""}">
    ${select([["", label], ...options], current, (value) => filterBy({ [name]: value }), label)}</span>`;
}

/** Filter and order the rows if anything of that has changed. */
function arrange(store) {
  const { found, lang } = store;
  const { params } = store.address;
  const query = ["q", "kind", "team", "trait", "has", "sort"].map((name) => params.get(name) ?? "").join("\n");
  if (!asked && params.get("q")) store.search((asked = params.get("q")));
  if (known.rows === store.rows && known.query === query && known.found === found && known.lang === lang) return;
  if (known.lang !== lang) queueMicrotask(() => [rows, faces].forEach((list) => list.refresh()));
  known = { rows: store.rows, query, found, lang };
  const sorting = sorted(store);
  if (order.length !== sorting.length || order.some((row, at) => row.id !== sorting[at].id)) order = sorting;
  const shown = sorting.filter(matching(store)).map((row) => row.id);
  if (sequence.length !== shown.length || sequence.some((id, at) => id !== shown[at])) sequence = shown;
}

function matching(store) {
  const { params } = store.address;
  const [kind, team, trait] = ["kind", "team", "trait"].map((name) => params.get(name));
  const has = (params.get("has") ?? "").split(",").filter(Boolean);
  const wanted = (params.get("q") ?? "").trim().toLocaleLowerCase();
  return (row) =>
    (!kind || row.kind === kind) &&
    (!team || row.team === team) &&
    (!trait || row.traits.includes(trait)) &&
    (!has.length || has.some((what) => (what === "changed" ? row.changed : row[`${what}s`] || (what === "error" && row.unprinted)))) &&
    (!wanted || namesOf(row).includes(wanted) || store.found.has(row.id));
}

function namesOf(row) {
  return [row.id, ...Object.values(row.name)].join("\n").toLocaleLowerCase();
}

function sorted(store) {
  const order = store.address.params.get("sort");
  if (!order) return store.rows;
  const compare = new Intl.Collator(store.lang).compare;
  const kinds = store.project?.kinds ?? [];
  const by = {
    name: (one, other) => compare(store.name(one), store.name(other)),
    kind: (one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind),
    errors: (one, other) => other.errors - one.errors || other.warnings - one.warnings,
  }[order];
  return by ? [...store.rows].sort(by) : store.rows;
}

const opening = (store) => (["card", "rules", "bench"].includes(store.address.tab) ? store.address.tab : "card");

function numbers(row) {
  if (row.stats) return html`${["ap", "ep", "dp", "mp"].map((stat) => html`<b title=${stat.toUpperCase()}>${row.stats[stat]}</b>`)}`;
  return html`<span class="kind">${row.kind}</span>`;
}

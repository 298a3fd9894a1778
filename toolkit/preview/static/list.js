// The list of cards: search, filters, order, as rows or as a wall of faces. Rows are built once and changed one by
// one, so that 5,000 of them can be filtered while one types.

import { go, write } from "./address.js";
import { choice, mark, Picture } from "./parts.js";
import { localised } from "./store.js";
import { html, nothing, render } from "./vendor/lit-html.js";

const HAS = ["error", "warning", "changed"];
const element = document.createElement("ul");
element.className = "rows";
element.setAttribute("aria-label", "Cards");
const items = new Map(); // id → {item, row, look, picture, seen}
let cursor = null; // the row that Tab reaches
let sequence = []; // ids that are shown, in their order
let known = {}; // what was filtered and ordered last
let asked = ""; // the words whose texts were asked for

const watcher = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const item = items.get(target.dataset.id);
      if (item) item.seen = isIntersecting;
    }
    watcher.update?.();
  },
  { rootMargin: "160px" },
);

const isWall = (store) => store.address.params.get("view") === "wall";

/** Ids that the filters leave, in the order of the list. */
export const shownIds = () => sequence;

/** The neighbour of the open card, or of the row that Tab reaches. */
export function neighbour(store, step, wanted = () => true) {
  const ids = sequence;
  let at = ids.indexOf(store.id ?? cursor);
  if (at < 0) at = step > 0 ? -1 : ids.length;
  for (at += step; at >= 0 && at < ids.length; at += step) {
    if (wanted(store.byId.get(ids[at]))) return ids[at];
  }
  return null;
}

/** Go to a row: open it if a card is open already, else only mark it. */
export function moveTo(store, id) {
  if (id === null) return;
  const focused = element.contains(document.activeElement);
  cursor = id;
  if (store.id) go({ id }, { replace: true });
  else store.changed();
  queueMicrotask(() => {
    const link = items.get(id)?.item.querySelector("a");
    items.get(id)?.item.scrollIntoView({ block: "nearest" });
    if (focused || !store.id) link?.focus({ preventScroll: true });
  });
}

export function view(store) {
  update(store);
  const { params } = store.address;
  const { kinds = [], teams = [], traits = [] } = store.project ?? {};
  const has = new Set((params.get("has") ?? "").split(",").filter(Boolean));
  const filtered = ["q", "kind", "team", "trait", "has"].some((name) => params.get(name));
  return html`
    <div class="tools" role="search">
      <label class="search"><span class="unseen">Search names, ids, texts and effects</span>
        <input type="search" placeholder="Search" autocomplete="off" spellcheck="false" .value=${params.get("q") ?? ""}
          aria-keyshortcuts="/" @input=${(event) => go({ set: { q: event.target.value } }, { replace: true })}>
        <kbd aria-hidden="true">/</kbd></label>
      <div class="filters">
        ${filter(store, "kind", "Kind", kinds.map((kind) => [kind, kind]))}
        ${filter(store, "team", "TEAM", teams.map((team) => [team.id, localised(team.name, store.lang)]))}
        ${filter(store, "trait", "Trait", traits.map((trait) => (trait.id ? [trait.id, localised(trait.name, store.lang) || trait.id] : [trait, trait])))}
      </div>
      <div class="filters">
        <span class="choice" role="group" aria-label="Only cards with">
        ${HAS.map(
          (what) => html`<button type="button" class=${what} aria-pressed=${has.has(what) ? "true" : "false"} title=${TITLES[what]}
            @click=${() => go({ set: { has: toggled(has, what) } }, { replace: true })}>${mark(what, WORDS[what], true)}</button>`,
        )}</span>
        ${choice("Show as", [["", "List"], ["wall", "Wall"]], params.get("view") ?? "", (value) => go({ set: { view: value } }, { replace: true }))}
      </div>
      <div class="found"><span>${sequence.length === store.rows.length ? `${sequence.length} cards` : `${sequence.length} of ${store.rows.length}`}</span>
        ${filtered ? html`<button type="button" class="small" @click=${() => go({ set: { q: null, kind: null, team: null, trait: null, has: null } }, { replace: true })}>show all</button>` : nothing}
        <label class="select"><span class="unseen">Order</span>
          <select .value=${params.get("sort") ?? ""} @change=${(event) => go({ set: { sort: event.target.value } }, { replace: true })}>
            <option value="">in file order</option><option value="name">by name</option><option value="kind">by kind</option><option value="errors">errors first</option>
          </select></label>
      </div>
    </div>
    ${element}
    ${store.stage === "ready" && !sequence.length ? html`<p class="empty">${store.rows.length ? "No card is like that." : "No cards yet: opforge new operator begins one."}</p>` : nothing}`;
}

const WORDS = { error: "errors", warning: "warnings", changed: "changed" };
const TITLES = {
  error: "Only cards with errors",
  warning: "Only cards with warnings",
  changed: "Only cards that changed since the revision",
};

function toggled(has, what) {
  const next = new Set(has);
  if (!next.delete(what)) next.add(what);
  return [...next].join(",");
}

function filter(store, name, label, options) {
  const current = store.address.params.get(name) ?? "";
  if (!options.length) return nothing;
  return html`<label class="select ${current ? "set" : ""}"><span class="unseen">${label}</span>
    <select @change=${(event) => go({ set: { [name]: event.target.value } }, { replace: true })}>
      <option value="" ?selected=${!current}>${label}</option>
      ${options.map(([value, text]) => html`<option value=${value} ?selected=${value === current}>${text}</option>`)}
    </select></label>`;
}

function update(store) {
  const { rows, address, found, lang } = store;
  const query = address.params.toString();
  const wall = isWall(store);
  if (asked === "" && address.params.get("q")) store.search((asked = address.params.get("q")));
  if (known.rows !== rows || known.query !== query || known.found !== found || known.lang !== lang) {
    known = { rows, query, found, lang };
    arrange(store);
  }
  element.classList.toggle("wall", wall);
  const current = store.id ?? cursor;
  const reached = sequence.includes(current) ? current : sequence[0];
  for (const id of sequence) {
    const item = items.get(id);
    const row = store.byId.get(id);
    const look = `${lang} ${wall} ${id === store.id} ${id === reached} ${wall && item.seen && (store.face(id) ?? "wanted")}`;
    if (item.row === row && item.look === look) continue;
    Object.assign(item, { row, look });
    draw(store, item, row, wall, id === reached);
  }
  watcher.update = () => {
    store.changed();
    if (isWall(store)) askForFaces(store);
  };
}

/** Which rows are shown, and in which order. */
function arrange(store) {
  for (const [id, { item }] of items) {
    if (store.byId.has(id)) continue;
    watcher.unobserve(item);
    item.remove();
    items.delete(id);
  }
  const shown = new Set(store.rows.filter(matching(store)).map((row) => row.id));
  const rows = sorted(store);
  let before = null;
  for (const row of rows) {
    let known = items.get(row.id);
    if (!known) {
      const item = document.createElement("li");
      item.dataset.id = row.id;
      items.set(row.id, (known = { item, row: null, look: "", picture: null, seen: false }));
      watcher.observe(item);
    }
    known.item.hidden = !shown.has(row.id);
    const next = before ? before.nextSibling : element.firstChild;
    if (next !== known.item) element.insertBefore(known.item, next);
    before = known.item;
  }
  sequence = rows.map((row) => row.id).filter((id) => shown.has(id));
}

function matching(store) {
  const { params } = store.address;
  const [kind, team, trait] = ["kind", "team", "trait"].map((name) => params.get(name));
  const has = (params.get("has") ?? "").split(",").filter(Boolean);
  const wanted = (params.get("q") ?? "").trim().toLocaleLowerCase();
  return (row) =>
    (!kind || row.kind === kind) &&
    (!team || row.team === team) &&
    (!trait || row.traits?.includes(trait)) &&
    (!has.length || has.some((what) => (what === "changed" ? row.changed : row[`${what}s`]))) &&
    (!wanted || namesOf(row).includes(wanted) || store.found.has(row.id));
}

function namesOf(row) {
  const names = typeof row.name === "string" ? [row.name] : Object.values(row.name ?? {});
  return [row.id, ...names].join("\n").toLocaleLowerCase();
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

function draw(store, known, row, wall, reached) {
  const { item } = known;
  item.className = row.stale ? "stale" : "";
  if (wall && known.seen) {
    known.picture ??= new Picture();
    known.picture.show(store.face(row.id), 96, "", { failed: () => askForFaces(store) });
  } else if (!wall || !known.seen) {
    known.picture = null;
  }
  const link = (content) => html`<a href=${write({ id: row.id, tab: opening(store) })} tabindex=${reached ? 0 : -1} aria-current=${row.id === store.id ? "true" : nothing}
      @focus=${() => (cursor = row.id)}>${content}</a>`;
  const marks = html`${row.errors ? mark("error", count(row.errors, "error")) : row.warnings ? mark("warning", count(row.warnings, "warning")) : nothing}${row.changed ? mark("changed") : nothing}`;
  const name = html`<span class="name">${store.name(row)}</span>`;
  render(
    link(
      wall
        ? html`<span class="tile">${known.picture?.element ?? nothing}</span><span class="caption">${marks}${name}</span>`
        : html`<span class="marks">${marks}</span>${name}<span class="numbers">${numbers(row)}</span>`,
    ),
    item,
  );
}

const opening = (store) => (["card", "rules", "bench"].includes(store.address.tab) ? store.address.tab : "card");

const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

function numbers(row) {
  if (row.stats) return html`${["ap", "ep", "dp", "mp"].map((stat) => html`<b title=${stat.toUpperCase()}>${row.stats[stat]}</b>`)}`;
  return html`<span class="kind">${row.kind}</span>`;
}

let waiting = 0;

function askForFaces(store) {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const ids = sequence.filter((id) => items.get(id)?.seen).slice(0, 60);
    if (ids.length) store.loadFaces(ids, 96);
  }, 40);
}

// @ts-check
// The tab Changes: what differs from a revision of git, as `opforge changes` lists it, with both faces.

import { write } from "./address.js";
import { pictureAddress } from "./api.js";
import { choice, counted, select } from "./parts.js";
import { Loader, store } from "./store.js";
import { html, nothing } from "./vendor/lit-html.js";

const SORTS = [["behaviour", "Behaviour changed"], ["wording", "Wording changed"], ["looks", "Looks changed"]];
const VIEWS = [["both", "side by side"], ["slider", "slider"], ["blink", "blink"]];
const MOST = 1500; // words; longer texts are shown whole, one after the other

class Changes extends Loader {
  since = "";
  view = "both";
  open = new Set(); // ids of cards that are shown whole
  older = new Map(); // id → whether blink shows the old face, where motion is reduced

  /** Revisions to choose from; the one that the command named may be a folder. */
  get revisions() {
    return store.since && !store.revisions.includes(store.since) ? [store.since, ...store.revisions] : store.revisions;
  }

  get chosen() {
    return this.since || store.since || store.revisions[0] || "";
  }

  loadChosen() {
    if (!this.chosen) return;
    const params = new URLSearchParams({ since: this.chosen, lang: store.lang });
    if (store.trial) params.set("trial", store.trial);
    this.load(`/api/changes?${params}`, (answer, before) => {
      const shown = answer.cards.find((card) => card.id === store.id) ?? answer.cards[0];
      if (shown && !before) this.open.add(shown.id);
      store.say(`${counted(answer.cards.length, "card")} changed since ${answer.since}.`);
    });
  }
}

const changes = new Changes();

function change(values) {
  Object.assign(changes, values);
  store.changed();
}

/** The cards by what changed, the weightiest first, under the headings of `opforge changes`. */
function groups(cards) {
  const replaced = cards.filter((card) => card.action === "replace");
  const sort = (card) => SORTS.find(([key]) => card[key].length)?.[0];
  const known = replaced.filter((card) => !card.unknown);
  const both = cards.filter((card) => card.copies.before && card.copies.now && !replaced.includes(card));
  return [
    ...SORTS.map(([key, title]) => [title, known.filter((card) => sort(card) === key)]),
    ["Could not be read in the older version, so counted as changed", replaced.filter((card) => card.unknown)],
    ["New", cards.filter((card) => card.copies.now && !card.copies.before)],
    ["Gone", cards.filter((card) => card.copies.before && !card.copies.now)],
    ["More or fewer copies", both.filter((card) => card.copies.before !== card.copies.now)],
    ["Behaviour changed, printed text unchanged", both.filter((card) => card.copies.before === card.copies.now
      && (sort(card) || card.older_id === card.id))],
    ["Renamed", both.filter((card) => card.copies.before === card.copies.now && !sort(card) && card.older_id !== card.id)],
  ].filter(([, found]) => found.length);
}

export function changesView() {
  changes.loadChosen();
  const { answer, refusal } = changes;
  if (!changes.chosen) {
    return html`<p class="empty">There is no git repository here to compare with. <code>opforge preview --since FOLDER</code>
      compares with an older copy.</p>`;
  }
  return html`<div class="changes-tab">
    <div class="changes-options">
      <label class="field-label"><span>since</span>
        ${select(changes.revisions.map((name) => [name, name]), changes.chosen, (since) => change({ since }))}</label>
      ${choice("Old and new face", VIEWS, changes.view, (view) => change({ view }))}
      ${answer ? html`<p class="changes-sum">${summary(answer)}</p>` : nothing}
    </div>
    ${refusal ? html`<p class="note">${refusal.message}</p>` : nothing}
    ${answer?.older_incomplete ? html`<p class="note">The older version has errors; what could not be read counts as changed.</p>` : nothing}
    ${answer?.unreadable?.length ? html`<p class="note">Cannot be read now, so not compared: ${answer.unreadable.join(", ")}.</p>` : nothing}
    ${answer && !answer.cards.length ? html`<p class="empty">No card changed since ${answer.since}.</p>` : nothing}
    ${answer ? groups(answer.cards).map(([title, cards]) => html`<section><h3>${title} <small>${cards.length}</small></h3>
      <ul class="changed-cards">${cards.map(cardView)}</ul></section>`)
      : refusal ? nothing : html`<p class="empty late">Comparing …</p>`}
  </div>`;
}

const summary = ({ since, summary: { print, throw_away: away } }) =>
  `Since ${since}: print ${counted(print, "card")}, throw away ${counted(away, "card")}.`;

function cardView(card) {
  const open = changes.open.has(card.id);
  const toggle = (event) => {
    if (event.target.open === open) return;
    if (event.target.open) changes.open.add(card.id);
    else changes.open.delete(card.id);
    store.changed();
  };
  const shown = [...card.behaviour, ...card.wording, ...card.looks];
  return html`<li><details ?open=${open} @toggle=${toggle}>
    <summary><b>${card.name}</b>${card.older_id !== card.id ? html` <span class="tag">was ${card.older_id}</span>` : nothing}
      <small>${shown.map(short).join("; ")}</small></summary>
    ${open ? html`<div class="compared"><div>${faces(card, card.faces)}
      ${card.looks.some(({ what }) => what === "back") ? faces(card, card.backs, ", back") : nothing}</div><div class="compared-facts">
      ${store.byId.has(card.id) ? html`<p><a href=${write({ tab: "card", id: card.id })}>open the card</a></p>` : nothing}
      ${numbers(card)} ${texts(card)} ${differences(shown)} ${todo(card)}</div></div>` : nothing}
  </details></li>`;
}

const short = ({ what, before, after }) =>
  (before || after) && Math.max(before?.length ?? 0, after?.length ?? 0) <= 32 ? `${what} ${before || "–"} → ${after || "–"}` : what;

function todo({ print, throw_away: away, copies }) {
  const said = [away && `throw away ${away}`, print && `print ${print}`,
    copies.before !== copies.now && `copies ${copies.before} → ${copies.now}`].filter(Boolean);
  return said.length ? html`<p class="todo">${said.join(", ")}</p>` : nothing;
}

/** Both faces: beside each other, one over the other with a slider, or in turn. */
function faces(card, pair, side = "") {
  const { before, now } = pair ?? {};
  const picture = (digest, alt) => html`<img src=${pictureAddress(digest, 192)} alt=${alt} width="476" height="665"
    loading="lazy" decoding="async">`;
  if (!before || !now) {
    const only = before ?? now;
    return only ? html`<figure class="faces one">${picture(only, `${card.name}${side}, ${before ? "before" : "now"}`)}
      <figcaption>${before ? "before" : "new"}</figcaption></figure>` : nothing;
  }
  const alt = [`${card.older_name ?? card.name}${side}, before`, `${card.name}${side}, now`];
  if (changes.view === "both" || before === now) {
    return html`<div class="faces pair"><figure>${picture(before, alt[0])}<figcaption>before</figcaption></figure>
      <figure>${picture(now, alt[1])}<figcaption>now</figcaption></figure></div>`;
  }
  if (changes.view === "slider") {
    return html`<div class="faces slider"><div class="over">${picture(before, alt[0])}${picture(now, alt[1])}</div>
      <label><span>before</span><input type="range" min="0" max="100" value="50" aria-label="How much of the new face is seen"
        @input=${(event) => event.target.closest(".faces").style.setProperty("--at", `${event.target.value}%`)}>
        <span>now</span></label></div>`;
  }
  const older = changes.older.get(card.id) ?? false;
  const flip = () => {
    changes.older.set(card.id, !older);
    store.changed();
  };
  return html`<div class="faces blink ${older ? "older" : ""}"><div class="over">${picture(before, alt[0])}${picture(now, alt[1])}</div>
    <button type="button" class="small" aria-pressed=${older ? "true" : "false"} @click=${flip}>${older ? "before" : "now"}: show ${older
      ? "now" : "before"}</button></div>`;
}

function numbers({ stats }) {
  const { before, now } = stats ?? {};
  if (!before || !now) return nothing;
  const changed = Object.keys({ ...before, ...now }).filter((key) => before[key] !== now[key]);
  if (!changed.length) return nothing;
  return html`<dl class="stats">${changed.map((key) => html`<div><dt>${key.toUpperCase()}</dt>
    <dd><del>${before[key] ?? "–"}</del> <span aria-hidden="true">→</span> <ins>${now[key] ?? "–"}</ins></dd></div>`)}</dl>`;
}

function texts({ texts: both }) {
  const { before, now } = both ?? {};
  if (!before && !now) return nothing;
  return store.languages.map((lang) => {
    const [old, fresh] = [before?.[lang] ?? "", now?.[lang] ?? ""];
    if (old === fresh) return nothing;
    return html`<p class="text-diff" lang=${lang}><abbr class="lang">${lang}</abbr>
      ${before && now ? wordDiff(old, fresh).map(([kind, text]) => (kind === "=" ? text
        : kind === "-" ? html`<del>${text}</del>` : html`<ins>${text}</ins>`)) : old || fresh}</p>`;
  });
}

/** What is neither a number nor a text above. */
function differences(shown) {
  const others = shown.filter(({ what, before, after }) => !/^(AP|EP|DP|MP|VALUE|SQUADPOINTS)$/.test(what)
    && !(what.startsWith("text") && before && after));
  if (!others.length) return nothing;
  return html`<dl class="differences">${others.map(({ what, before, after }) => html`<div><dt>${what}</dt>
    <dd>${before === null && after === null ? "changed" : html`<del>${before ?? "–"}</del> → <ins>${after ?? "–"}</ins>`}</dd></div>`)}</dl>`;
}

/** Two texts as runs that stayed, went and came: [["=", text], ["-", text], ["+", text]], by words. */
function wordDiff(old, fresh) {
  const [from, to] = [old.split(/(\s+)/u), fresh.split(/(\s+)/u)];
  if (from.length + to.length > MOST) return [["-", old], ["+", fresh]];
  // longest common subsequence, from the end, so that the runs can be read off from the front
  const lengths = Array.from({ length: from.length + 1 }, () => new Uint16Array(to.length + 1));
  for (let i = from.length - 1; i >= 0; i--) {
    for (let j = to.length - 1; j >= 0; j--) {
      lengths[i][j] = from[i] === to[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const runs = [];
  const add = (kind, text) => {
    const last = runs.at(-1);
    if (last?.[0] === kind) last[1] += text;
    else if (text) runs.push([kind, text]);
  };
  let [i, j] = [0, 0];
  while (i < from.length || j < to.length) {
    if (i < from.length && j < to.length && from[i] === to[j]) {
      add("=", from[i++]);
      j++;
    } else if (j >= to.length || (i < from.length && lengths[i + 1][j] >= lengths[i][j + 1])) add("-", from[i++]);
    else add("+", to[j++]);
  }
  return runs;
}

// @ts-check
// The tab Card: the picture as it prints, and beside it what the file says and what is wrong with it.

import { go } from "./address.js";
import { htmlAddress, post, settled } from "./api.js";
import { wall } from "./list.js";
import { cardLink, choice, clock, counted, findingsOf, Picture, placeOf } from "./parts.js";
import { localised } from "./store.js";
import { tryField } from "./tries.js";
import { html, nothing } from "./vendor/lit-html.js";

const LOOKS = [["print", "print", "As it prints"], ["browser", "browser", "As this browser draws the template"],
  ["difference", "difference", "Both over each other; black is alike"]];
const PIXELS = 96 / 25.4; // of CSS in a millimetre

/** The stage: the picture, the HTML face over it, and the lines of cut and safe area. */
class Stage {
  element = document.createElement("div");
  #paper = document.createElement("div");
  #picture = new Picture();
  #frame = null;
  #lines = document.createElement("div");
  #size = "";

  constructor() {
    this.element.className = "stage";
    this.element.tabIndex = 0;
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", "Picture");
    this.#paper.className = "paper";
    this.#lines.className = "lines";
    this.#paper.append(this.#picture.element, this.#lines);
    this.element.append(this.#paper);
    new ResizeObserver(() => this.#fitFrame()).observe(this.#paper);
  }

  show(store, face, alt, name) {
    const { look, crop, zoom } = store.settings;
    const bleed = crop === "bleed" ? face.bleed : 0;
    const [width, height] = [face.width + 2 * bleed, face.height + 2 * bleed];
    const size = `${width} ${height} ${bleed} ${zoom}`;
    if (size !== this.#size) {
      this.#size = size;
      const part = (margin, whole) => `${(100 * margin) / whole}%`;
      const safe = bleed + face.bleed;
      const values = { width, height, zoom, "bleed-x": part(bleed, width), "bleed-y": part(bleed, height),
        "safe-x": part(safe, width), "safe-y": part(safe, height) };
      for (const [name, value] of Object.entries(values)) this.#paper.style.setProperty(`--${name}`, value);
    }
    this.#paper.classList.toggle("bleed", bleed > 0);
    this.#paper.dataset.look = look;
    this.#picture.show(look === "browser" ? "" : face.face, zoom > 1 ? 384 : 192, alt, {
      bleed: bleed > 0,
      failed: () => store.loadFaces([store.id], 192),
    });
    this.#showFrame(look === "print" ? null : face, bleed, name);
  }

  #showFrame(face, bleed, name) {
    const address = face?.face ? htmlAddress(face.face) : "";
    if (!address) {
      this.#frame?.remove();
      this.#frame = null;
      return;
    }
    if (this.#frame?.getAttribute("src") !== address) {
      const frame = document.createElement("iframe");
      frame.setAttribute("sandbox", "");
      frame.title = `${name} as the browser draws it`;
      frame.tabIndex = -1;
      frame.src = address;
      this.#frame?.remove();
      this.#frame = frame;
      this.#paper.insertBefore(frame, this.#lines);
    }
    this.#frame.face = { ...face, shown: bleed };
    this.#fitFrame();
  }

  /** The HTML face has the size of the card with its bleed; it is scaled to the picture. */
  #fitFrame() {
    if (!this.#frame) return;
    const { width, height, bleed, shown } = this.#frame.face;
    const scale = this.#paper.clientWidth / ((width + 2 * shown) * PIXELS);
    const { style } = this.#frame;
    style.width = `${(width + 2 * bleed) * PIXELS}px`;
    style.height = `${(height + 2 * bleed) * PIXELS}px`;
    style.transform = `scale(${scale}) translate(${(shown - bleed) * PIXELS}px, ${(shown - bleed) * PIXELS}px)`;
  }
}

const stage = new Stage();
let side = "front";

/** Show the other side of the card. */
export function turn(store) {
  side = side === "front" ? "back" : "front";
  store.changed();
}

export function view(store) {
  const { id, row, card } = store;
  if (!id) return overview(store);
  if (!row && !card) return store.stage === "ready" && store.gone.has(id) ? goneNote(store, id) : nothing;
  const entry = row ?? card;
  return html`
    ${row ? nothing : goneNote(store, id)}
    <div class="card-tab">
      <div class="look">${picture(store, entry, card)}</div>
      <article class="facts">
        <header>
          <h2><bdi>${store.name(entry)}</bdi>${otherName(store, entry)}${tryOf(card, "name", `name.${store.lang}`)}</h2>
          <p class="kind"><b>${entry.kind}</b>${entry.team ? html` · ${nameIn(store, store.project?.teams, entry.team)}` : nothing}${entry.traits.map((trait) => html` · <span class="trait">${nameIn(store, store.project?.traits, trait)}</span>`)}</p>
          ${placeOf(store, card?.place ?? { file: entry.file, line: entry.line })}
        </header>
        ${staleNote(store, card)}
        ${findingsOf(store, card?.stale?.findings, `${id} stale`)}
        ${findingsOf(store, card?.findings, id)}
        ${numbers(entry, card)}
        ${(card?.effects ?? []).map(
          (effect) => html`<section class="effect-text">
            ${localised(effect.name, store.lang) ? html`<h3>${localised(effect.name, store.lang)}</h3>` : nothing}
            ${store.languages.map((lang) => (effect.text[lang] ? html`<p lang=${lang}><abbr class="lang">${lang}</abbr> ${effect.text[lang]}</p>` : nothing))}
          </section>`,
        )}
        ${details(store, card)}
      </article>
    </div>`;
}

function picture(store, entry, card) {
  const { settings } = store;
  const faces = side === "back" ? card?.back : card?.faces;
  const known = faces?.[store.lang];
  const face = known && { ...known, face: store.face(entry.id, store.lang, side) ?? known.face };
  if (face) stage.show(store, face, alternative(store, entry, card), store.name(entry));
  return html`
    ${face ? stage.element : html`<div class="stage waiting"></div>`}
    <div class="switches">
      ${choice("Drawn by", LOOKS, settings.look, (look) => store.set({ look }))}
      ${card?.back ? choice("Side", [["front", "front"], ["back", "back"]], side, (chosen) => (chosen === side ? null : turn(store))) : nothing}
      ${choice("Edge", [["cut", "cut"], ["bleed", "bleed", "With bleed, line of cut and safe line"]], settings.crop, (crop) => store.set({ crop }))}
      ${choice("Zoom", [[1, "100 %"], [2, "200 %"]], settings.zoom, (zoom) => store.set({ zoom }))}
    </div>
    ${face?.last_good ? html`<p class="note">Last good picture, of ${clock(face.last_good)}.</p>` : nothing}`;
}

/** The alternative text of a picture: what the card says. */
function alternative(store, entry, card) {
  if (side === "back") return `${store.name(entry)}, back`;
  const texts = (card?.effects ?? []).flatMap((effect) => [localised(effect.name, store.lang), localised(effect.text, store.lang)]);
  return [store.name(entry), ...texts].filter(Boolean).join(". ").replaceAll("..", ".");
}

/** The name of one of the project's TEAMs or traits. */
const nameIn = (store, entries, id) => store.name(entries?.find((one) => one.id === id) ?? { id });

function otherName(store, entry) {
  const others = store.languages.filter((lang) => lang !== store.lang).map((lang) => localised(entry.name, lang));
  const shown = [...new Set(others)].filter((name) => name && name !== store.name(entry));
  return shown.length ? html` <small>${shown.join(" · ")}</small>` : nothing;
}

/** The field to try the first of some values that the card's entry has. */
export function tryOf(card, ...keys) {
  const found = keys.map((key) => card?.tries?.find((one) => one.key === key)).find(Boolean);
  return found ? tryField(card.id, found.key, found.value) : nothing;
}

function numbers(entry, card) {
  const shown = [
    ...Object.entries(entry.stats ?? {}).map(([stat, value]) => [stat, stat.toUpperCase(), value]),
    ["squadpoints", "SQUADPOINTS", entry.squadpoints],
    ["value", "VALUE", entry.value],
    ["quantity", "copies", entry.quantity],
  ].filter(([, , value]) => value !== null && value !== undefined);
  if (!shown.length) return nothing;
  return html`<dl class="stats">${shown.map(
    ([key, label, value]) => html`<div class=${key}><dt>${label}</dt><dd>${value}${tryOf(card, key)}</dd></div>`,
  )}</dl>`;
}

const measured = new Map(); // the last sizes of type of each card: those of a new picture come a moment later

function details(store, card) {
  if (!card) return nothing;
  const key = `${card.id} ${store.lang}`;
  const sizes = card.faces?.[store.lang]?.sizes ?? measured.get(key) ?? [];
  measured.set(key, sizes);
  return html`
    ${sizes.length
      ? html`<details class="more"><summary>Size of type</summary>
          <table><thead><tr><th scope="col">region</th><th scope="col">size</th><th scope="col">smallest allowed</th></tr></thead>
          <tbody>${sizes.map(({ region, size, smallest }) => html`<tr><th scope="row">${region}</th><td>${points(size)}</td><td>${points(smallest)}</td></tr>`)}</tbody></table></details>`
      : nothing}
    ${card.art || card.logo
      ? html`<dl class="files">${card.art ? html`<dt>art</dt><dd><code>${card.art}</code></dd>` : nothing}${card.logo ? html`<dt>logo</dt><dd><code>${card.logo}</code></dd>` : nothing}</dl>`
      : nothing}`;
}

const points = (size) => (typeof size === "number" ? `${Math.round(size * 10) / 10} pt` : "–");

const staleNote = (store, card) =>
  card?.stale ? html`<p class="note stale">${card.stale.findings.some((one) => one.card === card.id) ? "The card" : "The file"} has errors. This is the last good state, of ${clock(card.stale.since)}.</p>` : nothing;

function goneNote(store, id) {
  const renamed = store.gone.get(id);
  return html`<p class="note gone">${id} is no longer in the project.${renamed ? html` It is ${cardLink(store, renamed, renamed)} now.` : nothing}</p>`;
}

/** What is seen while no card is open: the kinds, and what is wrong. */
function overview(store) {
  if (store.stage !== "ready") return nothing;
  const kinds = new Map();
  for (const row of store.rows) kinds.set(row.kind, (kinds.get(row.kind) ?? 0) + 1);
  const chosen = store.address.params.get("kind");
  const findings = store.findings();
  const shown = [...findings].sort((one, other) => Number(other.severity === "error") - Number(one.severity === "error")).slice(0, 50);
  return html`<div class="overview">
    <h2 class="unseen">All cards</h2>
    <ul class="kinds">${[...kinds].map(
      ([kind, number]) => html`<li><button type="button" aria-pressed=${kind === chosen ? "true" : "false"} @click=${() => go({ set: { kind: kind === chosen ? null : kind } })}><b>${number}</b> ${kind}</button></li>`,
    )}</ul>
    ${shown.length
      ? html`<details class="more"><summary>${counted(findings.length, "finding")}</summary>${findingsOf(store, shown, "all")}
          ${findings.length > shown.length ? html`<p class="hint">and ${findings.length - shown.length} more</p>` : nothing}</details>`
      : nothing}
    ${wall(store)}
    <section class="fit">
      <button type="button" ?disabled=${fit.running} title="Measure the texts of the whole set, in every language" @click=${() => fitAll(store)}>${fit.running ? "measuring …" : "Fit all"}</button>
      <span class="hint" role="status">${fit.trouble || (fit.findings ? (fit.findings.length ? `${fit.findings.length} findings` : "All texts fit.") : "Do all texts fit, in every language?")}</span>
      ${findingsOf(store, fit.findings?.slice(0, 50), "fit")}
    </section>
  </div>`;
}

const fit = { running: false, findings: null, trouble: "" };

async function fitAll(store) {
  Object.assign(fit, { running: true, trouble: "" });
  store.changed();
  const [answer, refusal] = await settled(post("/api/fit", {}));
  Object.assign(fit, { running: false, trouble: refusal?.message ?? "", findings: answer?.findings ?? fit.findings });
  store.changed();
}

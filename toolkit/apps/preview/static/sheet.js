// @ts-check
// The tab Sheet: the pages as they print, and the same PDF to save.

import { write } from "./address.js";
import { choice, counted, findingsOf, select } from "./parts.js";
import { Loader, store } from "./store.js";
import { html, nothing, svg } from "./vendor/lit-html.js";

const SIDES = [["", "as the layout"], ["fronts", "fronts"], ["backs", "backs"], ["both", "both"]];
const MARKS = [["", "as the layout"], ["none", "none"], ["corners", "corners"], ["edges", "edges"], ["full", "full"]];
const GALLERY = "gallery"; // in place of the name of a look: all of them
const STARTING = { layout: "", look: "", sides: "", marks: "", kind: "", since: "", low_ink: false, for_two: false, fold: false, proof: false };

const options = { ...STARTING };
const sheet = new Loader();
const gallery = new Loader();
let layouts = []; // all that can be chosen; an answer for one of them may list fewer

// a card could not be printed, and the pages were laid out without it
store.on("sheet", ({ key }) => key === sheet.answer?.key && sheet.again());

function set(changes) {
  Object.assign(options, changes);
  store.changed();
}

function load() {
  const params = new URLSearchParams({ lang: store.lang });
  for (const [key, value] of Object.entries(options)) if (value && value !== GALLERY) params.set(key, value === true ? "1" : value);
  if (store.trial) params.set("trial", store.trial);
  sheet.load(`/api/sheet?${params}`, (answer, before) => {
    if (answer.layouts.length > layouts.length) layouts = answer.layouts;
    if (before && before.key !== answer.key) store.say(`The sheet has ${pagesOf(answer)}.`);
  });
}

const pagesOf = ({ pages }) => counted(pages.length, "page");

const galleryAddress = () => `/api/looks?${new URLSearchParams({ lang: store.lang, ...(store.trial ? { trial: store.trial } : {}) })}`;

export function sheetView() {
  if (options.look === GALLERY) return galleryView();
  load();
  const { answer, refusal } = sheet;
  return html`<div class="sheet-tab">
    ${toolbar(answer)}
    ${refusal ? html`<p class="note" role="alert">${refusal.message}</p>` : nothing}
    ${answer ? findingsOf(store, answer.findings, "sheet") : nothing}
    ${answer ? html`<ol class="pages ${sheet.busy ? "busy" : ""}">${answer.pages.map((page, at) => pageView(answer, page, at))}</ol>`
      : refusal ? nothing : html`<p class="empty late">Laying out the sheet …</p>`}
    ${answer && !answer.pages.length ? html`<p class="empty">No card is to be printed with these options.</p>` : nothing}
  </div>`;
}

/** The same cards in the look of the project and in each shipped one. */
function galleryView() {
  gallery.load(galleryAddress(), () => {});
  const { answer, refusal } = gallery;
  return html`<div class="sheet-tab">
    ${toolbar(null)}
    ${refusal ? html`<p class="note" role="alert">${refusal.message}</p>` : nothing}
    ${answer ? html`<p class="looks-hint">A look is chosen in opforge.yaml: <code>look: ${answer.looks[0]}</code></p>
      <img class="looks ${gallery.busy ? "busy" : ""}" src=${`/looks/${answer.key}.png`}
        alt="Cards in the look of the project, then in the looks ${answer.looks.join(", ")}">` : nothing}
  </div>`;
}

function toolbar(answer) {
  const { kinds = [], layouts: own = [], looks = [] } = store.project ?? {};
  return html`<div class="sheet-options">
    ${chooser("layout", "layout", [["", "of the project"], ...(layouts.length ? layouts : own).map((name) => [name, name])])}
    ${chooser("look", "look", [["", "of the project"], ...looks.map((name) => [name, name]), [GALLERY, "show all"]])}
    ${chooser("sides", "sides", SIDES)} ${chooser("marks", "cut marks", MARKS)}
    ${chooser("kind", "kind", [["", "all kinds"], ...kinds.map((kind) => [kind, kind])])}
    ${store.revisions.length ? chooser("since", "only changed", [["", "no, all cards"], ...store.revisions.map((name) => [name, `since ${name}`])])
      : nothing}
    ${choice("Appearance", [[false, "full"], [true, "low ink", "Outlines and black text, no pictures"]], options.low_ink,
      (value) => set({ low_ink: value }))}
    ${tick("for_two", "for two players")} ${tick("fold", "fold")} ${tick("proof", "safe zone")}
    <span class="sheet-save">${answer ? html`<small>${pagesOf(answer)}, ${counted(answer.cards, "card")}</small>
      <a class="button" href=${`/sheet/${answer.key}.pdf`} download="${store.project?.name ?? "sheet"}.pdf">save PDF</a>` : nothing}</span>
  </div>`;
}

function chooser(key, label, values) {
  return html`<label class="field-label"><span>${label}</span>
    ${select(values, options[key], (value) => set({ [key]: value }))}</label>`;
}

const tick = (key, label) => html`<label class="tick"><input type="checkbox" .checked=${options[key]}
  @change=${(event) => set({ [key]: event.target.checked })}> ${label}</label>`;

/** A page with a link over each slot; numbers are millimetres from its top left corner. */
function pageView(answer, { width, height, side, slots }, at) {
  const dpi = 96;
  return html`<li class="sheet-page">
    <div class="page-paper">
      <img src=${`/sheet/${answer.key}/${at + 1}.png?dpi=${dpi}`} alt="Page ${at + 1}" loading="lazy" decoding="async"
        width=${Math.round((width / 25.4) * dpi)} height=${Math.round((height / 25.4) * dpi)}>
      <svg viewBox="0 0 ${width} ${height}" role="group" aria-label="Cards of page ${at + 1}">${slots.map((slot) => svg`
        <a href=${write({ tab: "card", id: slot.id })} aria-label=${store.name(store.byId.get(slot.id)) || slot.id}>
          <rect x=${slot.x} y=${slot.y} width=${slot.width} height=${slot.height} rx="1.5"></rect></a>`)}</svg>
    </div>
    <p>${at + 1} <small>${side}</small></p>
  </li>`;
}

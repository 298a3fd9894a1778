// @ts-check
// The tab Bench, "why is this 5?": what stands on the FIELD, cards, dice and rulings; beside it what comes of it.

import { pictureAddress } from "./api.js";
import { bench, cardOf, full, nameOf, SIDES, WINDOWS } from "./bench_model.js";
import { resultView } from "./bench_result.js";
import { radios, stepper } from "./controls.js";
import { select } from "./parts.js";
import { store } from "./store.js";
import { html, nothing } from "./vendor/lit-html.js";

const STATS = ["ap", "ep", "dp", "mp"];
const STATUSES = ["NORMAL", "EXHAUSTED", "HIT", "OUT"];
const DECISIONS = { critical: "CRITICAL", reroll: "Reroll", set: "Set a die", choose: "Choose", either: "Either … or …", may: "May",
  performance: "PERFORMANCE", item_to: "ITEM for", card: "Card", discard: "Discard", order: "Order", place: "Place",
  strategy_discard: "STRATEGY to discard" };

const option = (row) => ({ value: row.id, text: store.name(row), detail: row.team ? `${row.id} · ${row.team}` : row.id,
  words: Object.values(row.name ?? {}).join(" ") });
const lists = new Map(); // by first entry and kinds; kept while rows and language stay, for 5,000 cards

/** The cards of some kinds to choose from, below `none` if there is to be no card. */
function choices(kinds, none = null) {
  const key = `${none} ${kinds}`;
  let list = lists.get(key);
  if (list?.rows !== store.rows || list.lang !== store.lang) {
    const options = store.rows.filter((row) => kinds.includes(row.kind)).map(option);
    list = { rows: store.rows, lang: store.lang, options: none ? [{ value: null, text: none }, ...options] : options };
    lists.set(key, list);
  }
  return list.options;
}

const same = (words) => words.map((word) => [word, word]);
const titleOf = (name) => (name ? nameOf(cardOf(name)) : "nobody");

const combobox = (label, placeholder, options, value, choose) => html`<op-combobox .label=${label}
  .placeholder=${placeholder} .options=${options} .value=${value ?? null} @choose=${(event) => choose(event.detail)}></op-combobox>`;
const labelled = (label, ...rest) => html`<div class="bench-pick"><span>${label}</span>${combobox(label, ...rest)}</div>`;

export function benchView() {
  bench.start();
  if (!bench.scenario) {
    return html`<div class="bench"><p class="bench-empty">${bench.refusal?.message ?? "Getting the bench ready …"}</p></div>`;
  }
  bench.wantFaces();
  return html`<div class="bench">
    <div class="bench-setup">
      ${beginning()} ${field()} ${selectedView()} ${pair()} ${windows()} ${dice()} ${decisions()} ${more()}
    </div>
    <section class="bench-result" aria-label="Result" aria-busy=${bench.playing}>${resultView()}</section>
  </div>`;
}

function beginning() {
  return html`<div class="bench-begin">
    ${combobox("begin as scenario", "begin as scenario …", bench.scenarios, null, (name) => bench.begin(name))}
    <button type="button" @click=${() => bench.clear()} title="Begin with the open card alone">clear</button>
  </div>`;
}

function field() {
  return html`<div class="field" role="group" aria-label="FIELD" @keydown=${fieldKey}>
    ${["red", "blue"].map((side) => html`<div class="field-row ${side}" role="group" aria-label=${side}>
      <h3>${side}</h3>
      <div class="slots">${bench.scenario.field[side].map((id, at) => slot(side, at, id))}</div>
    </div>`)}
  </div>`;
}

function slot(side, at, id) {
  const name = id && full(side, id);
  const { by, on } = bench.step;
  const role = name && name === by ? "attacks" : name && name === on ? "is attacked" : "";
  const row = store.byId.get(id);
  const digest = id && store.face(id);
  const state = name ? bench.state(name) : {};
  const selected = bench.selected.side === side && bench.selected.at === at;
  const words = id ? [nameOf(id), role, state.hitcounter ? `HITCOUNTER ${state.hitcounter}` : "", state.status ?? ""] : ["empty"];
  const stats = row?.stats && STATS.map((stat) => row.stats[stat]).join("/");
  return html`<div class="slot ${role.replace(" ", "-")} ${selected ? "selected" : ""}">
    <button type="button" class="slot-card" data-slot=${`${side}-${at}`} tabindex=${selected ? 0 : -1}
      aria-pressed=${selected} aria-label=${`${side} ${at + 1}: ${words.filter(Boolean).join(", ")}`}
      @click=${() => pick(side, at)}>
      ${id && digest ? html`<img src=${pictureAddress(digest, 96)} alt="" width="63" height="88" decoding="async">`
        : html`<span class="slot-blank">${id ? (row ? "" : "?") : "+"}</span>`}
      ${state.hitcounter ? html`<span class="slot-counter" title="HITCOUNTER">${state.hitcounter}</span>` : nothing}
      ${state.status && state.status !== "NORMAL" ? html`<span class="slot-status">${state.status}</span>` : nothing}
      <span class="slot-name">${id ? nameOf(id) : "empty"}</span>
      ${stats ? html`<span class="slot-stats">${stats}</span>` : nothing}
    </button>
    ${id ? html`<div class="slot-roles">
      <button type="button" tabindex="-1" aria-pressed=${role === "attacks"} title="attacks"
        aria-label=${`${nameOf(id)} attacks`} @click=${() => bench.role("by", name)}>⚔</button>
      <button type="button" tabindex="-1" aria-pressed=${role === "is attacked"} title="is attacked"
        aria-label=${`${nameOf(id)} is attacked`} @click=${() => bench.role("on", name)}>◎</button>
    </div>` : nothing}
  </div>`;
}

function pick(side, at) {
  bench.selected = { side, at };
  store.changed();
}

function fieldKey(event) {
  const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const move = moves[event.key];
  if (!move || !event.target.dataset.slot) return;
  event.preventDefault();
  event.stopPropagation();
  const places = bench.scenario.field.blue.length;
  const at = Math.max(0, Math.min(places - 1, bench.selected.at + move[1]));
  const side = move[0] < 0 ? "red" : move[0] > 0 ? "blue" : bench.selected.side;
  event.currentTarget.querySelector(`[data-slot="${side}-${at}"]`).focus();
  pick(side, at);
}

function selectedView() {
  const { side, at } = bench.selected;
  const id = bench.scenario.field[side][at] ?? null;
  const name = id && full(side, id);
  return html`<div class="slot-editor ${side}" role="group" aria-label=${`FIELDPOSITION ${side} ${at + 1}`}>
    <div class="slot-who">
      <span class="slot-place">${side} ${at + 1}</span>
      ${combobox(`OPERATOR at ${side} ${at + 1}`, "pick an OPERATOR …", choices(["operator"], "empty"), id,
        (chosen) => bench.put(side, at, chosen))}
      ${id ? html`<button type="button" @click=${() => bench.put(side, at, null)}>remove</button>` : nothing}
    </div>
    ${name ? html`
      <div class="steppers">
        ${stepper("HITCOUNTER", bench.state(name).hitcounter ?? 0, (value) => bench.setState(name, "hitcounter", value),
          { least: 0, of: ` of ${nameOf(id)}` })}
        ${STATS.map((stat) => stepper(stat.toUpperCase(), bench.state(name)[stat] ?? 0,
          (value) => bench.setState(name, stat, value), { of: ` of ${nameOf(id)}, lasting change` }))}
      </div>
      <div class="slot-more">
        <label>status ${select(same(STATUSES), bench.state(name).status ?? "NORMAL",
          (status) => bench.setState(name, "status", status === "NORMAL" ? null : status))}</label>
        ${combobox(`card attached to ${nameOf(id)}`, "attached card", choices(["item", "attack", "defence"], "no card attached"),
          bench.state(name).attached, (card) => bench.setState(name, "attached", card))}
      </div>` : nothing}
  </div>`;
}

function pair() {
  const people = (sides) => sides.flatMap((side) => bench.scenario.field[side].filter(Boolean).map((id) => ({
    value: full(side, id), text: nameOf(id), detail: side })));
  const { by, on } = bench.step;
  return html`<div class="bench-pair">
    ${labelled("attacker", "pick the attacker", people(SIDES), by, (name) => bench.role("by", name))}
    ${labelled("target", "pick the target", people(["red", "blue"]), on, (name) => bench.role("on", name))}
  </div>`;
}

function windows() {
  return html`<div class="bench-windows">${WINDOWS.map(([key, label, kind]) =>
    labelled(label, "no card", choices([kind], "no card"), bench.step[key], (card) => bench.change(() => { bench.step[key] = card; })))}
  </div>`;
}

function dice() {
  const names = diceNames();
  const rolled = bench.rolled;
  const shown = Math.max(2, rolled.length);
  return html`<div class="bench-dice">
    ${Array.from({ length: shown }, (_, at) => html`<div class="die"><span>${names[at]}</span>
      ${radios(names[at], [1, 2, 3, 4, 5, 6].map((value) => ({ value, text: value })), rolled[at],
        (value) => bench.setDie(at, value))}</div>`)}
    <button type="button" class="bench-roll" @click=${() => bench.roll()}>roll</button>
  </div>`;
}

/** What each die is, in the order rolled, as the trace calls them. */
function diceNames() {
  const entries = (bench.answer?.steps ?? []).flatMap((step) => step.entries);
  const found = entries.filter((entry) => entry.kind === "die").map((entry) => entry.text.replace(/: \d+$/, ""));
  const seen = {};
  return Array.from({ length: Math.max(2, bench.rolled.length) }, (_, at) => {
    const name = (found[at] ?? ["ATTACK D6", "DEFENCE D6"][at] ?? `D6 number ${at + 1}`).replace(/ of .*/, "");
    seen[name] = (seen[name] ?? 0) + 1;
    return seen[name] > 1 ? `${name} (${seen[name]})` : name;
  });
}

function decisions() {
  const asked = bench.answer?.asked ?? [];
  if (!asked.length) return nothing;
  return html`<div class="bench-asked" aria-label="What was asked"><h3>What was asked</h3>
    ${asked.map((one) => html`<div class="asked">
      <p><strong>${DECISIONS[one.what] ?? one.what}</strong> <span class="side ${one.of}">${one.of}</span>
        <span class="why">${one.why}</span></p>
      ${radios(`${DECISIONS[one.what] ?? one.what}, ${one.of}`, one.offered.map((offer, at) => ({ value: at,
        text: offer.text, disabled: !offer.answer && at !== one.taken,
        title: offer.answer ? undefined : "a scenario file cannot say this" })), one.taken,
        (at) => at !== one.taken && one.offered[at].answer && bench.decide(one, one.offered[at]))}
    </div>`)}
  </div>`;
}

function more() {
  const { scenario, setup } = bench;
  const used = ["hands", "strategies"].some((key) => SIDES.some((side) => scenario[key]?.[side]?.length));
  const ruled = scenario.mode || scenario.ruleset || Object.keys(scenario.options ?? {}).length || scenario.turn === "red";
  const rest = Object.keys(scenario).filter((key) => ["decks", "item_decks", "save_zone", "discards", "markers", "strict"]
    .includes(key));
  const before = scenario.do.length > 1;
  return html`
    <details class="bench-more"><summary>hands and STRATEGY${used ? html` <small>in use</small>` : nothing}</summary>
      ${SIDES.map((side) => html`<div class="bench-zone ${side}"><h4 class="side ${side}">${side}</h4>
        ${cardList("hands", side, "hand", ["attack", "defence", "effect", "strategy"])}
        ${cardList("strategies", side, "STRATEGY in play", ["strategy"])}</div>`)}
    </details>
    <details class="bench-more"><summary>mode and rulings${ruled ? html` <small>changed</small>` : nothing}</summary>
      <div class="bench-rules">
        ${chooser("mode", setup.modes, setup.mode)} ${chooser("ruleset", setup.rulesets, setup.ruleset)}
        <label>TURN of ${select(same(SIDES), scenario.turn ?? "blue", (side) => bench.change(() => { scenario.turn = side; }))}</label>
        ${Object.entries(setup.options).map(([key, values]) => ruling(key, values))}
      </div>
    </details>
    ${before || rest.length ? html`<details class="bench-more"><summary>from the scenario</summary>
      ${before ? html`<ol class="bench-steps">${scenario.do.map((step) => html`<li class=${step === bench.step ? "current" : ""}>
        ${[step.action, titleOfStep(step.by), step.on ? `on ${titleOfStep(step.on)}` : "", step.card ?? ""].join(" ")}</li>`)}
        </ol>` : nothing}
      ${rest.length ? html`<p>Kept as the scenario has them: ${rest.join(", ")}.</p>` : nothing}
    </details>` : nothing}`;
}

const titleOfStep = (name) => (!name ? "" : name.includes(".") ? titleOf(name) : name);

function cardList(key, side, label, kinds) {
  const cards = bench.scenario[key]?.[side] ?? [];
  const without = (at) => cards.filter((_, index) => index !== at);
  return html`<div class="card-list"><span>${label}</span>
    ${cards.map((id, at) => html`<button type="button" class="chip" aria-label=${`take ${nameOf(id)} away`}
      @click=${() => bench.setList(key, side, without(at))}>${nameOf(id)} <span aria-hidden="true">×</span></button>`)}
    ${combobox(`add to ${label} of ${side}`, "add …", choices(kinds), null, (id) => bench.setList(key, side, [...cards, id]))}
  </div>`;
}

function chooser(key, entries, standard) {
  const choose = (id) => bench.change((scenario) => {
    if (id === standard) delete scenario[key];
    else scenario[key] = id;
    bench.fitField();
  });
  const values = entries.map((entry) => [entry.id, store.name(entry)]);
  return html`<label>${key} ${select(values, bench.scenario[key] ?? standard, choose)}</label>`;
}

function ruling(key, values) {
  const ruleset = bench.setup.rulesets.find((one) => one.id === (bench.scenario.ruleset ?? bench.setup.ruleset));
  const standard = ruleset?.options?.[key];
  const chosen = bench.scenario.options?.[key] ?? standard;
  const choose = (value) => bench.change((scenario) => {
    scenario.options = { ...scenario.options, [key]: value };
    if (value === standard) delete scenario.options[key];
  });
  if (!values) return stepper(key.replaceAll("_", " "), chosen ?? 0, choose, { least: 0 });
  return html`<label>${key.replaceAll("_", " ")} ${select(same(values), chosen, choose)}</label>`;
}

// The tab Rules: what each SKILL or effect says and does.

import { tryOf } from "./card.js";
import { findingsOf, mark, placeOf } from "./parts.js";
import { localised } from "./store.js";
import { isAtField } from "./tries.js";
import { html, nothing } from "./vendor/lit-html.js";

const STEPS = { 1: ["SUPPRESSION", "M-1"], 2: ["SKILL", "M-2"], 3: ["TEAMWORK", "M-3"], 4: ["STRATEGY", "M-4"], 5: ["ATTACK and DEFENCE cards", "M-5"], 6: ["ATTACK D6 and DEFENCE D6", "M-6"] };
let scrolled = "";

export function view(store) {
  const { card, row, id } = store;
  if (!id) return html`<p class="empty">Choose a card to see its rules.</p>`;
  if (!card) return nothing;
  const part = store.address.params.get("part");
  if (part && scrolled !== `${id} ${part}`) {
    scrolled = `${id} ${part}`;
    setTimeout(() => document.querySelector(`[data-part="${CSS.escape(part)}"]`)?.scrollIntoView({ block: "center" }));
  }
  return html`<div class="rules-tab">
    <h2>${store.name(row ?? card)}</h2>
    ${findingsOf(store, card.findings?.filter((one) => !isAtField(one)), id)}
    ${(card.effects ?? []).map((effect) => effectView(store, card, effect, part))}
    ${card.effects?.length ? nothing : html`<p class="empty">This card has no effect.</p>`}
    ${scenarios(store, card)}
    ${usedBy(store, card)}
  </div>`;
}

function effectView(store, card, effect, part) {
  return html`<section class="effect ${effect.part === part ? "marked" : ""}" data-part=${effect.part}>
    <h3>${localised(effect.name, store.lang) || effect.part} <small>${localised(effect.name, store.lang) ? effect.part : ""}</small></h3>
    <pre class="source" tabindex="0" aria-label="Effect"><code>${coloured(effect.source ?? "")}</code></pre>
    <div class="row">${placeOf(store, effect.place)}${tryOf(card, effect.key ?? keyOf(effect.part))}</div>
    <div class="texts">${store.languages.map(
      (lang) => html`<div><h4><abbr class="lang">${lang}</abbr>${byHand(effect, lang) ? html` <small>written by hand</small>` : nothing}</h4><p lang=${lang}>${effect.text?.[lang] ?? "–"}</p></div>`,
    )}</div>
    ${objects(effect.objects ?? [])}
  </section>`;
}

const keyOf = (part) => part.replace(/^skill (\d+)$/u, (all, number) => `skills[${number - 1}].effect`);

const byHand = ({ by_hand: hand }, lang) => (typeof hand === "object" && hand ? (Array.isArray(hand) ? hand.includes(lang) : hand[lang]) : Boolean(hand));

/** An effect with the nouns of the rules set apart from its glue. */
export const coloured = (source) =>
  source.split(/(\b[A-Z]{2}[A-Za-z0-9]*\b|[+-]?\b\d+\b|"[^"]*"|#.*)/u).map((part, at) => {
    if (at % 2 === 0) return part;
    return html`<span class=${/^[+-]?\d/.test(part) ? "number-word" : part.startsWith('"') ? "string" : part.startsWith("#") ? "comment" : "noun"}>${part}</span>`;
  });

function objects(all) {
  if (!all.length) return nothing;
  const groups = new Map();
  for (const one of all) {
    const key = one.hook?.step ?? one.hook?.event ?? "";
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return html`<ol class="steps">${[...groups].map(
    ([key, group]) => html`<li><h4>${stepName(key, group[0])}</h4>${group.map(
      (one) => html`<p class="object">${one.text ? html`<span class="preformatted">${one.text}</span>` : html`<code>${one.origin?.text}</code>`}
        ${[...new Set((one.actions ?? []).map((action) => action.layer).filter(Boolean))].map((layer) => html`<span class="tag">${layer}</span>`)}</p>`,
    )}</li>`,
  )}</ol>`;
}

function stepName(key, one) {
  const [name, rule] = STEPS[key] ?? [];
  const said = one.rule ?? rule;
  return html`${name ? `Step ${key} ${name}` : key ? `Event: ${key}` : "Always"} ${said ? html`<span class="tag">${said}</span>` : nothing}`;
}

function scenarios(store, { scenarios: all = [] }) {
  if (!all.length) return nothing;
  return html`<section><h3>Scenarios</h3><ul class="plain scenarios">${all.map(
    ({ name, place, passes }) => html`<li>${outcome(passes)} ${name} ${placeOf(store, place)}</li>`,
  )}</ul></section>`;
}

function outcome(passes) {
  if (passes === true) return html`<span class="mark passes"><span aria-hidden="true">✓</span> passes</span>`;
  if (passes === false) return mark("error", "fails", false);
  return html`<span class="mark"><span aria-hidden="true">–</span> not run</span>`;
}

function usedBy(store, { used_by: all }) {
  const entries = Array.isArray(all) ? all : Object.entries(all ?? {}).flatMap(([kind, names]) => names.map((name) => ({ kind, name })));
  if (!entries.length) return nothing;
  return html`<section><h3>Used by</h3><ul class="plain">${entries.map(
    (one) => html`<li>${typeof one === "string" ? one : html`<small>${one.kind}</small> ${localised(one.name, store.lang) || one.id} ${placeOf(store, one.place)}`}</li>`,
  )}</ul></section>`;
}

// @ts-check
// The tab Rules: what each SKILL or effect says and does.

import { tryOf } from "./card.js";
import { findingsOf, mark, placeOf } from "./parts.js";
import { localised } from "./store.js";
import { isAtField } from "./tries.js";
import { html, nothing } from "./vendor/lit-html.js";

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
    ${findingsOf(store, card.findings.filter((one) => !isAtField(one)), id)}
    ${card.effects.map((effect) => effectView(store, card, effect, part))}
    ${card.effects.length ? nothing : html`<p class="empty">This card has no effect.</p>`}
    ${scenarios(store, card)}
    ${usedBy(store, card)}
  </div>`;
}

function effectView(store, card, effect, part) {
  return html`<section class="effect ${effect.part === part ? "marked" : ""}" data-part=${effect.part}>
    <h3>${localised(effect.name, store.lang) || effect.part} <small>${localised(effect.name, store.lang) ? effect.part : ""}</small></h3>
    ${effect.source
      ? html`<pre class="source" tabindex="0" aria-label="Effect"><code>${coloured(effect.source.trim())}</code></pre>
          <div class="row">${placeOf(store, effect.place)}${tryOf(card, effect.key)}</div>`
      : nothing}
    <div class="texts">${store.languages.map(
      (lang) => html`<div><h4><abbr class="lang">${lang}</abbr>${effect.by_hand[lang] ? html` <small>written by hand</small>` : nothing}</h4><p lang=${lang}>${effect.text[lang] ?? "–"}</p></div>`,
    )}</div>
    ${objects(effect.objects)}
  </section>`;
}

/** An effect with the nouns of the rules set apart from its glue. */
const coloured = (source) =>
  source.split(/(\b[A-Z]{2}[A-Za-z0-9]*\b|[+-]?\b\d+\b|"[^"]*"|#.*)/u).map((part, at) => {
    if (at % 2 === 0) return part;
    return html`<span class=${/^[+-]?\d/.test(part) ? "number-word" : part.startsWith('"') ? "string" : part.startsWith("#") ? "comment" : "noun"}>${part}</span>`;
  });

/** Effect objects by step or event, in the order in which MODIFY takes them. */
function objects(all) {
  if (!all.length) return nothing;
  const groups = new Map();
  for (const one of all) {
    const [sentence, hook = "", ...actions] = one.text.split("\n").map((line) => line.trim());
    const [, head = hook, when = ""] = /^(step \d+ [^,]*)(?:, (.*))?$/u.exec(hook) ?? [];
    const group = groups.get(head) ?? { step: one.hook.step ?? 99, rule: one.hook.step && `M-${one.hook.step}`, items: [] };
    group.items.push({ sentence, when, actions });
    groups.set(head, group);
  }
  const ordered = [...groups].sort(([, one], [, other]) => one.step - other.step);
  return html`<ol class="steps">${ordered.map(
    ([head, { rule, items }]) => html`<li><h4>${head}${rule ? html` <span class="tag">${rule}</span>` : nothing}</h4>
      ${items.map(({ sentence, when, actions }) => html`<div class="object"><p><code>${coloured(sentence)}</code></p>${when ? html`<p class="when">${when}</p>` : nothing}${actions.map(action)}</div>`)}</li>`,
  )}</ol>`;
}

function action(line) {
  const [, does, layer] = /^(.*?)(?:\s+\[layer (.*)\])?$/u.exec(line);
  return html`<p>${does}${layer ? html` <span class="tag">layer ${layer}</span>` : nothing}</p>`;
}

function scenarios(store, { scenarios: all }) {
  if (!all.length) return nothing;
  return html`<section><h3>Scenarios</h3><ul class="plain scenarios">${all.map(
    (one) => html`<li>${outcome(one)} ${one.name} ${placeOf(store, one.place)}</li>`,
  )}</ul></section>`;
}

function outcome({ passes, skipped }) {
  if (passes === true) return html`<span class="mark passes"><span aria-hidden="true">✓</span> passes</span>`;
  if (passes === false) return mark("error", "fails", false);
  if (skipped) return html`<span class="mark" title=${skipped}><span aria-hidden="true">–</span> skipped</span>`;
  return html`<span class="mark"><span aria-hidden="true">–</span> not run</span>`;
}

function usedBy(store, { used_by: entries }) {
  if (!entries.length) return nothing;
  return html`<section><h3>Used by</h3><ul class="plain">${entries.map(
    (one) => html`<li><small>${one.kind}</small> ${store.name(one)} ${placeOf(store, one.place)}</li>`,
  )}</ul></section>`;
}

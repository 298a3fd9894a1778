// @ts-check
// What comes of an attack on the bench: the two sums, then the trace by step of MODIFY.

import { write } from "./address.js";
import { bench, full, nameOf, signature } from "./bench_model.js";
import { copy, findingsOf } from "./parts.js";
import { store } from "./store.js";
import { html, nothing } from "./vendor/lit-html.js";

export function resultView() {
  const { answer, refusal, news } = bench;
  if (refusal) return refusalView(refusal);
  if (!answer) {
    return html`<p class="bench-empty">${bench.ready ? "Playing …" : "Put an OPERATOR on each side and say who attacks whom."}</p>`;
  }
  return html`
    ${answer.stale ? html`<div class="bench-stale"><p class="note">What is in the files cannot be played. This is the last good state.</p>
      ${findingsOf(store, answer.stale.findings?.slice(0, 3), "bench")}</div>` : nothing}
    ${news ? html`<p class="bench-news"><strong>After the save of ${news.time}:</strong> ${news.lines.map((line) =>
      html`<span class="change">${line}</span>`)}</p>` : nothing}
    ${answer.refused ? refusedView(answer.refused) : html`${verdictView(answer)} ${sumsView(answer)}`}
    ${notesView([...(answer.notes ?? []), ...(answer.warnings ?? [])])}
    ${answer.steps ? traceView(answer) : nothing}
    ${copyView(answer)}`;
}

const notesView = (notes) =>
  notes.length ? html`<ul class="bench-notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>` : nothing;

function verdictView({ result, attacked, attacker }) {
  if (!result) return html`<p class="verdict">No attack was compared.</p>`;
  const counter = attacked.hitcounter === result.hitcounter ? "" : `HITCOUNTER ${attacked.hitcounter} → ${result.hitcounter}`;
  const status = attacked.status === result.status ? "" : result.status;
  return html`<div class="verdict ${result.hits ? "hit" : "miss"}">
    <p class="verdict-word">${result.hits ? html`Hit for <b>${result.damage}</b>` : "Miss"}
      ${result.critical ? html`<span class="badge">CRITICAL</span>` : nothing}</p>
    <p>${nameOf(attacker.id)} AP ${result.ap} against ${nameOf(attacked.id)} EP ${result.ep}${[counter, status].filter(Boolean)
      .map((text) => html` · ${text}`)}</p>
  </div>`;
}

/** The two sums, their terms as buttons that light the line of the trace from which they come. */
function sumsView(answer) {
  const lines = linesOfTerms(answer);
  return html`<div class="sums">${["ap", "ep"].filter((stat) => answer.sums[stat]).map((stat) => {
    const sum = answer.sums[stat];
    return html`<p class="sum" data-sum=${stat}>${pieces(sum).map((piece) => {
      if (piece.term === undefined) return piece.text;
      const line = lines[stat][piece.term];
      return html`<button type="button" class="term" aria-describedby=${line ?? nothing}
        @pointerenter=${() => light(line, true)} @pointerleave=${() => light(line, false)}
        @focus=${() => light(line, true)} @blur=${() => light(line, false)}
        @click=${() => document.getElementById(line)?.scrollIntoView({ block: "nearest" })}>${piece.text}</button>`;
    })}</p>`;
  })}</div>`;
}

/**
 * The text of a sum in pieces; those that are terms say which.
 * @returns {{text: string, term?: number}[]}
 */
function pieces({ text, terms }) {
  const found = [];
  let from = 0;
  terms.forEach((term, at) => {
    const amount = Math.abs(term.amount);
    const sign = { multiply: "×", divide: "÷" }[term.layer] ?? (term.layer === "subtract" || term.amount < 0 ? "-" : "+");
    const change = term.layer.startsWith("at ") ? `${term.layer} ${term.amount}` : `${sign} ${amount}`;
    const words = term.layer === "fix" ? `${term.amount} fixed by ${term.name}` : `${change} ${term.name}`;
    const begin = text.indexOf(words, from);
    if (begin < 0) return;
    if (begin > from) found.push({ text: text.slice(from, begin) });
    found.push({ text: words.replace("-", "−"), term: at });
    from = begin + words.length;
  });
  if (from < text.length) found.push({ text: text.slice(from) });
  return found;
}

/** By stat, for each term of the sum the id of the line of the trace in which it was made. */
function linesOfTerms({ sums, steps, attacker, attacked }) {
  const entries = steps.flatMap((step, at) => step.entries.map((entry, number) => ({ entry, id: lineId(at, number) })));
  const found = {};
  for (const [stat, who] of [["ap", attacker], ["ep", attacked]]) {
    const used = new Set();
    found[stat] = (sums[stat]?.terms ?? []).map((term) => {
      const fits = ({ entry, id }) => !used.has(id) && entry.kind === "change" && entry.stat === stat.toUpperCase()
        && entry.layer === term.layer && entry.amount === term.amount
        && (entry.who === who.id || entry.who === full(who.side, who.id))
        && (entry.origin ? entry.origin.name === term.name : / D6$|^CRITICAL$/.test(term.name));
      const hit = entries.find(fits);
      if (hit) used.add(hit.id);
      return hit?.id;
    });
  }
  return found;
}

const lineId = (step, entry) => `trace-${step}-${entry}`;

function light(id, on) {
  const line = id && document.getElementById(id);
  if (line) line.toggleAttribute("data-lit", on);
}

function traceView(answer) {
  return html`<div class="trace" aria-label="Trace">${answer.steps.map((step, at) => {
    const entries = step.entries.map((entry, number) => [entry, number]);
    if (!entries.length || (step.name === "Before MODIFY" && entries.every(([entry]) => entry.kind === "event"))) {
      return step.step ? html`<section class="trace-step nothing"><h3><span class="step-number">${step.step}</span>
        ${step.name}</h3><p>nothing</p></section>` : nothing;
    }
    return html`<section class="trace-step"><h3><span class="step-number">${step.step ?? ""}</span> ${step.name}</h3>
      <ul>${entries.map(([entry, number]) => lineView(entry, lineId(at, number), step.entries[number - 1]))}</ul></section>`;
  })}</div>`;
}

function lineView(entry, id, above) {
  const { origin } = entry;
  const again = origin && above?.origin && above.origin.sentence === origin.sentence && above.origin.entry === origin.entry;
  const isNew = bench.news?.old && !bench.news.old.has(signature(entry));
  const said = entry.said?.[store.lang] ?? entry.text;
  const numbers = entry.stat && entry.before !== null && entry.after !== null;
  return html`<li id=${id} class="line ${entry.skipped ? "skipped" : ""} ${isNew ? "new" : ""}">
    ${origin && !again ? html`<p class="line-sentence"><strong>${origin.name}</strong>
      <q>${origin.sentence}</q> ${placeView(origin)}</p>` : nothing}
    <p class="line-text"><span class="rule">${entry.rule}</span>
      <span>${entry.skipped ? html`<em>nothing:</em> ${said}` : numbers ? said.replace(/: [^:]*$/, "") : said}</span>
      ${numbers ? html`<span class="line-numbers">${entry.before} → <b>${entry.after}</b></span>` : nothing}</p>
  </li>`;
}

/** A link to the sentence: the Rules tab of its card; for what is no card, its place to copy. */
function placeView({ entry, part, file, line, column }) {
  if (!file) return nothing;
  const text = `${file}:${line}`;
  if (store.byId.has(entry)) {
    return html`<a class="where" href=${write({ tab: "rules", id: entry, set: { part } })}
      aria-label=${`${nameOf(entry)}, ${part}, ${text}`}>${text}</a>`;
  }
  return html`<button type="button" class="where" title="copy this place" aria-label=${`copy ${text}`}
    @click=${() => copy(store, `${text}:${column}`)}>${text}</button>`;
}

function refusedView({ rule, sentence, because = [] }) {
  return html`<div class="verdict refused"><p class="verdict-word">Refused${rule ? html` by <b>${rule}</b>` : nothing}</p>
    <p>${sentence}</p>
    ${because.map((origin) => html`<p class="line-sentence"><strong>${origin.name}</strong> <q>${origin.sentence}</q>
      ${placeView(origin)}</p>`)}</div>`;
}

function refusalView(refusal) {
  return html`<div class="verdict refused"><p class="verdict-word">Not played</p><p>${refusal.message}</p>
    ${findingsOf(store, refusal.answer?.findings, "bench")}
    ${refusal.answer?.yaml ? html`<textarea readonly rows="8" .value=${refusal.answer.yaml}></textarea>` : nothing}</div>`;
}

function copyView({ yaml }) {
  if (!yaml) return nothing;
  const select = (event) => event.target.select();
  return html`<div class="bench-copy">
    <button type="button" @click=${() => bench.copy()}>copy as scenario</button>
    ${bench.copied === "copied" ? html`<span role="status">copied</span>` : nothing}
    ${bench.copied === "by hand" ? html`<span>The browser does not let the page copy: take it from here.</span>` : nothing}
    <details ?open=${bench.copied === "by hand"}><summary>as a scenario file</summary>
      <p class="hint">In a file that has <code>scenarios:</code> already, leave out the first line.</p>
      <textarea readonly aria-label="the attack as a scenario" rows=${Math.min(24, yaml.split("\n").length)}
        .value=${yaml} @focus=${select}></textarea></details>
  </div>`;
}

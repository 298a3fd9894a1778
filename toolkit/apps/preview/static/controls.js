// @ts-check
// Controls: a choice of few as buttons, a stepper, and <op-combobox>, a list with a search field.

import { html, nothing, render } from "./vendor/lit-html.js";

/** One choice of few, as buttons in a row; arrow keys move. `choices`: {value, text, disabled?, label?}. */
export function radios(label, choices, value, choose) {
  const enabled = choices.filter((choice) => !choice.disabled);
  const current = enabled.find((choice) => choice.value === value) ?? enabled[0];
  const key = (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const typed = enabled.findIndex((choice) => String(choice.text) === event.key); // the figure of a die
    if ((!step && typed < 0) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const at = step ? (enabled.indexOf(current) + step + enabled.length) % enabled.length : typed;
    event.currentTarget.querySelectorAll("button:not(:disabled)")[at]?.focus();
    choose(enabled[at].value);
  };
  return html`<div class="choice radios" role="radiogroup" aria-label=${label} @keydown=${key}>
    ${choices.map((choice) => html`<button type="button" role="radio" aria-label=${choice.label ?? nothing}
      aria-checked=${choice.value === value} tabindex=${choice === current ? 0 : -1} ?disabled=${choice.disabled}
      title=${choice.title ?? nothing} @click=${() => choose(choice.value)}>${choice.text}</button>`)}
  </div>`;
}

/** A whole number with buttons for one less and one more. `of` ends its name for screen readers. */
export function stepper(label, value, change, { least = -99, greatest = 99, of = "" } = {}) {
  const signed = least < 0 && value > 0 ? `+${value}` : String(value).replace("-", "−");
  return html`<div class="stepper" role="group" aria-label=${`${label}${of}`}>
    <span class="stepper-label">${label}</span>
    <button type="button" aria-label=${`${label} less`} ?disabled=${value <= least} @click=${() => change(value - 1)}>−</button>
    <output class=${value ? "changed" : ""}>${signed}</output>
    <button type="button" aria-label=${`${label} more`} ?disabled=${value >= greatest} @click=${() => change(value + 1)}>+</button>
  </div>`;
}

const MOST = 60; // so many are shown; typing finds the others
let numbers = 0;

/**
 * A list to choose from with a search field, in the light DOM so that the page's CSS reaches it. Properties: `label`
 * (its name for screen readers), `value`, `placeholder`, and `options`: an array of {value, text, detail?, words?}.
 * It sends a `choose` event whose detail is the value. Typing filters, arrows move, Enter takes, Escape closes.
 */
export class Combobox extends HTMLElement {
  constructor() {
    super();
    this.number = ++numbers;
    this.open = false;
    this.active = 0;
    this.query = "";
    this._props = { label: "", value: null, options: [], placeholder: "" };
  }

  set label(label) { this._set("label", label); }
  set value(value) { this._set("value", value); }
  get value() { return this._props.value; }
  set options(options) { this._set("options", options); }
  set placeholder(placeholder) { this._set("placeholder", placeholder); }

  _set(name, value) {
    if (this._props[name] === value) return;
    this._props[name] = value;
    if (this.isConnected) this.draw();
  }

  connectedCallback() {
    this.addEventListener("focusout", (event) => {
      if (!this.contains(/** @type {Node | null} */ (event.relatedTarget))) this.close();
    });
    this.draw();
  }

  found() {
    const words = fold(this.query).split(/\s+/).filter(Boolean);
    const all = this._props.options;
    if (!words.length) return all;
    const hits = all.filter((option) => {
      const text = fold(`${option.text} ${option.detail ?? ""} ${option.words ?? ""} ${option.value ?? ""}`);
      return words.every((word) => text.includes(word));
    });
    // what begins with the query comes first, so that Enter takes what was meant
    const first = (option) => (fold(option.text).startsWith(words[0]) || option.value === this.query ? 0 : 1);
    return hits.map((option, at) => [first(option), at, option]).sort((a, b) => a[0] - b[0] || a[1] - b[1])
      .map((entry) => entry[2]);
  }

  show() {
    if (this.open) return;
    this.open = true;
    this.query = "";
    const at = this._props.options.findIndex((option) => option.value === this._props.value);
    this.active = at >= 0 && at < MOST ? at : 0;
    this.draw();
    this._reveal();
  }

  close() {
    if (!this.open) return;
    this.open = false;
    this.query = "";
    this.draw();
  }

  take(option) {
    this.close();
    if (option && option.value !== this._props.value) {
      this.dispatchEvent(new CustomEvent("choose", { detail: option.value, bubbles: true }));
    }
    this.draw(true);
  }

  key(event) {
    const found = this.open ? this.found().slice(0, MOST) : [];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      event.stopPropagation();
      if (!this.open) return this.show();
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.active = Math.max(0, Math.min(found.length - 1, this.active + step));
      this.draw();
      this._reveal();
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (!this.open) this.show();
      else if (found.length) this.take(found[this.active]);
    } else if (event.key === "Escape" && this.open) {
      event.preventDefault();
      event.stopPropagation();
      this.close();
      this.draw(true);
    }
    return undefined;
  }

  typed(event) {
    const text = event.target.value;
    if (!this.open) this.show();
    this.query = text;
    this.active = 0;
    this.draw();
  }

  _reveal() {
    this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }

  draw(reset = false) {
    const { label, value, placeholder } = this._props;
    const chosen = this._props.options.find((option) => option.value === value);
    const id = `combobox-${this.number}`;
    const found = this.open ? this.found() : [];
    const shown = found.slice(0, MOST);
    render(html`
      <input type="text" role="combobox" autocomplete="off" spellcheck="false" aria-label=${label}
        aria-expanded=${this.open} aria-controls=${id} aria-autocomplete="list"
        aria-activedescendant=${this.open && shown.length ? `${id}-${this.active}` : nothing}
        placeholder=${this.open && chosen ? chosen.text : placeholder}
        @focus=${(event) => event.target.select()} @click=${() => this.show()} @input=${(event) => this.typed(event)}
        @keydown=${(event) => this.key(event)}>
      <ul id=${id} role="listbox" aria-label=${label} ?hidden=${!this.open}>
        ${shown.map((option, at) => html`
          <li id=${`${id}-${at}`} role="option" aria-selected=${at === this.active}
            @mousedown=${(event) => event.preventDefault()} @click=${() => this.take(option)}>
            <span>${option.text}</span>${option.detail ? html` <small>${option.detail}</small>` : nothing}
          </li>`)}
        ${found.length > MOST ? html`<li class="more" role="presentation">and ${found.length - MOST} more: type to find
          them</li>` : nothing}
        ${this.open && !found.length ? html`<li class="more" role="presentation">nothing fits “${this.query}”</li>`
          : nothing}
      </ul>`, this);
    const input = this.querySelector("input");
    const text = this.open ? this.query : (chosen?.text ?? "");
    if (reset || input.value !== text) input.value = text;
  }
}

/** Lower case without accents, for searching. */
function fold(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

customElements.define("op-combobox", Combobox);

// The tab Bench.

import { html } from "./vendor/lit-html.js";

/** What the tab shows; called again after each change of the store. */
export const benchView = () => html`<p class="empty">Bench comes here.</p>`;

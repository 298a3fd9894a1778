// The tab Changes.

import { html } from "./vendor/lit-html.js";

/** What the tab shows; called again after each change of the store. */
export const changesView = () => html`<p class="empty">Changes comes here.</p>`;

// The tab Sheet.

import { html } from "./vendor/lit-html.js";

/** What the tab shows; called again after each change of the store. */
export const sheetView = () => html`<p class="empty">Sheet comes here.</p>`;

// Trying values that are not in the file.

import { nothing } from "./vendor/lit-html.js";

/** A button that opens the field of a value of the open card; `key` is that of its `tries`. */
export const tryField = () => nothing;

/** The banner over the tabs: how many values are tried, write, drop. */
export const tryBanner = () => nothing;

// What the page uses of lit-html, for the check of types; its own declarations are not part of this folder.
export type Template = object;
export function html(strings: TemplateStringsArray, ...values: unknown[]): Template;
export function svg(strings: TemplateStringsArray, ...values: unknown[]): Template;
export function render(value: unknown, container: Element | DocumentFragment, options?: object): unknown;
export const nothing: symbol;

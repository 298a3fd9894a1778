// @ts-check
// The state of the page that stands in its address: `#/card/viper?kind=operator&team=night-owls&has=error`.

/** The tab, the open card or null, and everything behind the question mark. */
export function read(hash = location.hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [tab = "", id = ""] = path.split("/").map(decodeSafely);
  return { tab: tab || "card", id: id || null, params: new URLSearchParams(query) };
}

function decodeSafely(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The address with some things changed; null takes a parameter out.
 * @param {{tab?: string, id?: string | null, set?: Record<string, string | null>}} changes
 */
export function write({ tab, id, set = {} }, from = read()) {
  const params = new URLSearchParams(from.params);
  for (const [name, value] of Object.entries(set)) {
    if (value === null || value === "") params.delete(name);
    else params.set(name, value);
  }
  const open = id === undefined ? from.id : id;
  const query = params.toString();
  return `#/${tab ?? from.tab}${open ? `/${encodeURIComponent(open)}` : ""}${query ? `?${query}` : ""}`;
}

/** Go there. With `replace`, "back" does not return to where we are. */
export function go(changes, { replace = false } = {}) {
  const address = write(changes);
  if (address === location.hash) return;
  if (replace) {
    history.replaceState(null, "", address);
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else {
    location.hash = address;
  }
}

// @ts-check
// One stream of events for all tabs of this browser: a browser allows six connections to one host, and a stream
// in each tab would use them up. The tab that holds the lock reads the stream and passes events on.

import { headers } from "./api.js";

const NAME = "opforge-events";
const SILENCE = 40_000; // ms; the server sends a comment every 15 s
const channel = new BroadcastChannel(NAME);
let connected = false;
/** @type {(type: string, data: unknown, id?: string) => void} */
let handle = () => {};
let since = () => ""; // the generation of what the page shows, "RUN-N"

/**
 * Call `handler(type, data, id)` for each event of the server, and `handler("connection", true | false)`.
 *
 * Events of other tabs' streams come at once. Returns a function that has this tab take over the stream when
 * its turn comes; its argument returns the generation of what the page has already.
 */
export function listen(handler) {
  handle = handler;
  channel.onmessage = ({ data }) => {
    if (data.type === "who leads") {
      if (connected) channel.postMessage({ type: "connection", data: true });
    } else {
      tell(data);
    }
  };
  channel.postMessage({ type: "who leads" });
  return (generation) => {
    since = generation;
    navigator.locks.request(NAME, lead);
  };
}

function tell({ type, data, id }) {
  if (type === "connection") connected = data;
  handle(type, data, id);
}

function tellAll(event) {
  tell(event);
  channel.postMessage(event);
}

async function lead() {
  let wait = 500;
  for (;;) {
    try {
      await readStream(() => (wait = 500));
    } catch {
      // no server, or the connection broke: both are "not connected"
    }
    tellAll({ type: "connection", data: false });
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 1.5, 3000);
  }
}

async function readStream(opened) {
  const abort = new AbortController();
  let timer = setTimeout(() => abort.abort(), SILENCE);
  const last = since();
  const response = await fetch("/events", {
    headers: headers({ Accept: "text/event-stream", ...(last && { "Last-Event-ID": last }) }),
    cache: "no-store",
    signal: abort.signal,
  });
  if (!response.ok) throw new Error(String(response.status));
  opened();
  tellAll({ type: "connection", data: true });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => abort.abort(), SILENCE);
      const blocks = (rest + value.replaceAll("\r", "")).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) readEvent(block);
    }
  } finally {
    clearTimeout(timer);
  }
}

function readEvent(block) {
  const event = { type: "message", data: "", id: "" };
  for (const line of block.split("\n")) {
    const [, field, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (field === "event") event.type = value;
    else if (field === "data") event.data += value;
    else if (field === "id") event.id = value;
  }
  if (event.data) tellAll({ ...event, data: JSON.parse(event.data) });
}

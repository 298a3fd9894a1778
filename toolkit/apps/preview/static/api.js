// @ts-check
// Requests to the preview server: the token, JSON in and out, and refusals as errors.

const KEY = "opforge-token";
let token = "";
const channel = new BroadcastChannel("opforge-token");

/** A refusal of the server: a sentence, the status, and the answer that came with it. */
export class Refusal extends Error {
  constructor(message, status, answer = {}) {
    super(message);
    this.status = status;
    this.answer = answer;
  }
}

/** Take the token out of the address, from this tab's storage, or from another tab of the same preview. */
export async function takeToken() {
  const found = /(?:^#|&)token=([\w-]+)/.exec(location.hash);
  if (found) {
    token = found[1];
    history.replaceState(null, "", location.pathname + location.search + "#/");
    sessionStorage.setItem(KEY, token);
  } else {
    token = sessionStorage.getItem(KEY) ?? "";
  }
  channel.onmessage = ({ data }) => {
    if (data === "token?" && token) channel.postMessage({ token });
  };
  if (!token) await ask();
}

async function ask() {
  await new Promise((answered) => {
    const listener = ({ data }) => {
      if (!data.token) return;
      token = data.token;
      sessionStorage.setItem(KEY, token);
      answered();
    };
    channel.addEventListener("message", listener);
    channel.postMessage("token?");
    setTimeout(answered, 300);
  });
}

export const hasToken = () => Boolean(token);

export const headers = (more = {}) => ({ Authorization: `Bearer ${token}`, ...more });

/** The answer of a GET request under /api. Raises a Refusal, with status 0 if there is no server. */
export const get = (path) => request(path, { headers: headers() });

/** The answer of a POST request under /api. */
export const post = (path, body) =>
  request(path, { method: "POST", headers: headers({ "Content-Type": "application/json" }), body: JSON.stringify(body) });

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, { cache: "no-store", ...options });
  } catch {
    throw new Refusal("The preview does not answer.", 0);
  }
  const answer = await response.json().catch(() => ({})); // a refusal may have no body
  if (!response.ok) throw new Refusal(answer.error ?? `The preview answered ${response.status}.`, response.status, answer);
  return answer;
}

/** The answer to a request, or why the server refused it: `[answer, null]` or `[null, refusal]`. */
export const settled = (request) =>
  request.then(
    (answer) => [answer, null],
    (error) => {
      if (!(error instanceof Refusal)) throw error;
      return [null, error];
    },
  );

/** The address of a picture. Dots an inch: 96, 192 or 384. */
export const pictureAddress = (digest, dpi, bleed = false) => `/face/${digest}.png?dpi=${dpi}${bleed ? "&bleed=1" : ""}`;

export const htmlAddress = (digest) => `/face/${digest}.html`;

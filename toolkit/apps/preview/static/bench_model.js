// @ts-check
// What stands on the bench, and what playing it answers. An attack is a scenario in the form of a scenario file; the
// server plays it after each change and after each save.

import { get, settled } from "./api.js";
import { keep, kept, store } from "./store.js";
import { tries } from "./tries.js";

export const SIDES = ["blue", "red"];
export const WINDOWS = [["attack_card", "ATTACK card", "attack"], ["defence_card", "DEFENCE card", "defence"],
  ["late_attack_card", "late ATTACK card", "attack"]];
const STORED = "opforge-bench";

export const other = (side) => (side === "blue" ? "red" : "blue");
export const full = (side, id) => `${side}.${id}`;
export const cardOf = (name) => name?.slice(name.indexOf(".") + 1);
const sideOf = (name) => name?.slice(0, name.indexOf("."));
export const nameOf = (id) => store.name(store.byId.get(id)) || id;

class Bench {
  setup = null; // what GET /api/bench says: modes, rulesets, scenarios
  scenarios = []; // those of the project, to choose from
  scenario = null; // OPERATORs are named with their side in it: blue.viper
  seed = 1;
  selected = { side: "blue", at: 0 };
  answer = null;
  refusal = null; // why there is no answer
  news = null; // {time, lines}: what the last save changed
  copied = "";
  playing = false;
  #last = null; // the last answer, also while there is none because of an error
  #plays = 0;
  #starting = null;
  #faces = "";

  /** Begin when the tab is opened for the first time. */
  start() {
    this.#starting ??= this.#start();
  }

  /** After a save, or when the server is back: get ready if that failed, else play again. */
  again() {
    if (this.scenario) {
      settled(this.#getReady()); // modes and scenarios may be others; without a server they stay
      this.play({ saved: true });
    } else if (this.refusal) {
      this.refusal = null;
      this.#starting = this.#start();
    }
  }

  async #getReady() {
    this.setup = await get("/api/bench");
    this.scenarios = this.setup.scenarios.map(({ name, file, line }) => ({ value: name, text: name, detail: `${file}:${line}` }));
  }

  async #start() {
    [, this.refusal] = await settled(this.#getReady());
    if (this.refusal) return store.changed();
    const before = kept("sessionStorage", STORED);
    this.scenario = before?.field && before.do?.length ? before : this.#firstAttack();
    this.fitField();
    return this.play();
  }

  /** The open OPERATOR, or the first, against the first of another TEAM; an open card in its window. */
  #firstAttack() {
    const operators = store.rows.filter((row) => row.kind === "operator" && !row.errors);
    const open = store.row;
    const by = open?.kind === "operator" ? open : operators[0];
    const on = operators.find((row) => row.team !== by?.team) ?? operators.find((row) => row !== by);
    const step = attack(by?.id, on?.id);
    if (open?.kind === "attack") step.attack_card = open.id;
    if (open?.kind === "defence") step.defence_card = open.id;
    return { field: { blue: [by?.id ?? null], red: [on?.id ?? null] }, do: [step] };
  }

  get mode() {
    return this.setup.modes.find((mode) => mode.id === (this.scenario.mode ?? this.setup.mode)) ?? this.setup.modes[0];
  }

  fitField() {
    const places = this.mode?.field_positions ?? 4;
    for (const side of SIDES) {
      const row = this.scenario.field[side] ?? [];
      this.scenario.field[side] = Array.from({ length: places }, (_, at) => row[at] ?? null);
    }
  }

  /** The step that the bench is about: the last attack. */
  get step() {
    const steps = this.scenario.do;
    return steps.findLast((step) => step.action === "attack") ?? steps[steps.length - 1];
  }

  has(name) {
    return Boolean(name) && this.scenario.field[sideOf(name)]?.includes(cardOf(name));
  }

  /** Change the scenario, and play it. */
  change(edit) {
    edit(this.scenario);
    for (const name of Object.keys(this.scenario.state ?? {})) {
      if (!this.#stands(sideOf(name), cardOf(name))) delete this.scenario.state[name];
    }
    const { step } = this;
    if (step.by && !this.has(step.by)) step.by = null;
    if (step.on && !this.has(step.on)) step.on = null;
    this.news = null;
    this.copied = "";
    keep("sessionStorage", STORED, this.scenario);
    this.play();
    store.changed();
  }

  /** Put an OPERATOR, or nobody, at a FIELDPOSITION; one that stands elsewhere changes places. */
  put(side, at, id) {
    this.change(({ field }) => {
      const replaced = field[side][at];
      const before = id === null ? -1 : field[side].indexOf(id);
      if (before >= 0) field[side][before] = replaced;
      field[side][at] = id;
      const { step } = this;
      if (id !== null && replaced !== null && before < 0) {
        for (const key of ["by", "on"]) if (step[key] === full(side, replaced)) step[key] = full(side, id);
      }
      if (id !== null && !step.by && (!step.on || sideOf(step.on) !== side)) step.by = full(side, id);
      else if (id !== null && !step.on && sideOf(step.by) !== side) step.on = full(side, id);
    });
  }

  /** Make an OPERATOR the attacker (`by`) or the target (`on`); the other one is then of the other side. */
  role(key, name) {
    this.change(() => {
      const { step } = this;
      const rest = key === "by" ? "on" : "by";
      step[key] = name;
      if (name && sideOf(step[rest]) === sideOf(name)) {
        const there = this.scenario.field[other(sideOf(name))];
        const opposite = there[this.scenario.field[sideOf(name)].indexOf(cardOf(name))];
        const found = opposite ?? there.find(Boolean);
        step[rest] = found ? full(other(sideOf(name)), found) : null;
      }
    });
  }

  /** What differs from a fresh OPERATOR: a counter, a lasting change, a status, an attached card. */
  state(name) {
    return this.scenario.state?.[name] ?? {};
  }

  setState(name, key, value) {
    this.change((scenario) => {
      scenario.state ??= {};
      const state = (scenario.state[name] ??= {});
      if (value) state[key] = value;
      else delete state[key];
      if (!Object.keys(state).length) delete scenario.state[name];
    });
  }

  setList(key, side, cards) {
    this.change((scenario) => {
      scenario[key] = { ...scenario[key], [side]: cards };
    });
  }

  async begin(name) {
    const [answer, refusal] = await settled(get(`/api/bench?scenario=${encodeURIComponent(name)}`));
    if (refusal) {
      this.refusal = refusal;
      return store.changed();
    }
    this.scenario = withSides(answer.scenario);
    this.fitField();
    if (!this.scenario.do.some((step) => step.action === "attack")) {
      const { blue, red } = this.scenario.field;
      this.scenario.do.push(attack(blue.find(Boolean), red.find(Boolean)));
    }
    return this.change(() => {});
  }

  /** Begin anew with the open card. */
  clear() {
    this.scenario = this.#firstAttack();
    this.fitField();
    this.change(() => {});
  }

  /** The scenario as a file would have it: short names, cards of the windows in the hands, nothing empty. */
  request() {
    const { scenario } = this;
    const short = (name) => (this.#stands(other(sideOf(name)), cardOf(name)) ? name : cardOf(name));
    const steps = scenario.do.map((step) => {
      const names = ["by", "on", "swap"].filter((key) => step[key]?.includes("."));
      return withoutNull({ ...step, ...Object.fromEntries(names.map((key) => [key, short(step[key])])) });
    });
    const hands = { blue: [...(scenario.hands?.blue ?? [])], red: [...(scenario.hands?.red ?? [])] };
    const { step } = this;
    const own = sideOf(step.by) ?? "blue";
    const left = { blue: [...hands.blue], red: [...hands.red] };
    for (const [key] of WINDOWS) {
      const side = key === "defence_card" ? other(own) : own;
      const card = step[key];
      if (!card) continue;
      const at = left[side].indexOf(card);
      if (at >= 0) left[side].splice(at, 1);
      else hands[side].push(card);
    }
    const state = Object.entries(scenario.state ?? {}).map(([name, values]) => [short(name), values]);
    const request = { ...scenario, hands, state: Object.fromEntries(state), do: steps };
    for (const key of ["hands", "strategies", "decks", "item_decks", "save_zone", "discards"]) {
      if (request[key] && !SIDES.some((side) => request[key][side]?.length)) delete request[key];
      else if (request[key]) {
        request[key] = Object.fromEntries(Object.entries(request[key]).filter(([, cards]) => cards.length));
      }
    }
    for (const key of ["state", "options"]) {
      if (request[key] && !Object.keys(request[key]).length) delete request[key];
    }
    return withoutNull(request);
  }

  #stands(side, id) {
    return this.scenario.field[side]?.includes(id) || this.scenario.save_zone?.[side]?.includes(id);
  }

  get ready() {
    return Boolean(this.scenario && this.step.by && this.step.on);
  }

  /** Play; `saved` says that a save is the reason, so that what it changed is reported. */
  async play({ saved = false } = {}) {
    if (!this.scenario) return;
    const number = ++this.#plays;
    if (!this.ready) {
      this.answer = this.refusal = null;
      this.playing = false;
      store.changed();
      return;
    }
    this.playing = true;
    const before = this.#last;
    const [answer, refusal] = await settled(tries.post("/api/bench", { scenario: this.request(), seed: this.seed }));
    if (number !== this.#plays) return; // a newer play is on its way
    this.playing = false;
    if (refusal && refusal.status === 0 && before) return store.changed(); // no server: what is shown stays
    this.answer = answer;
    this.refusal = refusal;
    this.#last = answer ?? before;
    if (answer && before && saved) {
      const lines = differences(before, answer);
      if (lines.length) {
        this.news = { time: new Date().toLocaleTimeString("en-GB"), lines, old: signatures(before) };
        store.say(`After the save: ${lines.join(", ")}.`);
      }
    } else if (answer) {
      this.#dropUnused(answer);
      store.say(verdict(answer));
    }
    store.changed();
  }

  /** Answers to what was not asked this time are forgotten, so that they are not in the copied scenario. */
  #dropUnused(answer) {
    const taken = answer.scenario?.do?.[answer.at];
    if (!taken) return;
    const { step } = this;
    for (const key of ["critical", "reroll", "set", "choose", "either", "may", "performance", "cards", "order", "place"]) {
      if (key in step && !(key in taken)) delete step[key];
      else if (key in step) step[key] = taken[key];
    }
    keep("sessionStorage", STORED, this.scenario);
  }

  /** Ask for the pictures of those on the FIELD, once for each set of them. */
  wantFaces() {
    const ids = [...new Set(SIDES.flatMap((side) => this.scenario.field[side]).filter((id) => store.byId.has(id)))];
    const wanted = ids.filter((id) => !store.face(id));
    const key = `${wanted.join(" ")} ${store.lang}`;
    if (!wanted.length || key === this.#faces) return;
    this.#faces = key;
    store.loadFaces(ids, 96);
  }

  /** The dice of the attack: as they are set, and beyond that as they fell in the last play. */
  get rolled() {
    const fell = this.answer?.rolled?.[this.answer.at] ?? [];
    const set = this.step.dice ?? [];
    return Array.from({ length: Math.max(fell.length, Math.min(2, set.length)) }, (_, at) => set[at] ?? fell[at]);
  }

  setDie(at, result) {
    const dice = [...this.rolled, ...(this.step.dice ?? []).slice(this.rolled.length)];
    while (dice.length < at) dice.push(1);
    dice[at] = result;
    this.change(() => {
      this.step.dice = dice;
    });
  }

  roll() {
    this.seed = 1 + Math.floor(Math.random() * 1_000_000);
    this.change(() => {
      delete this.step.dice;
    });
  }

  /** Take another answer to what the engine asked. */
  decide(asked, option) {
    this.change(({ do: steps }) => {
      Object.assign(steps[asked.step], option.answer);
      for (const [key, value] of Object.entries(option.answer)) if (value === null) delete steps[asked.step][key];
    });
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.answer.yaml);
      this.copied = "copied";
      store.say("The scenario is in the clipboard.");
    } catch {
      this.copied = "by hand";
      store.say("The browser does not let the page copy; the text is below.");
    }
    store.changed();
  }
}

export const bench = new Bench();
store.on("cards", () => bench.again());
store.on("connection", (connected) => connected && bench.refusal && bench.again());
store.on("tries", () => bench.again());
store.on("key", (letter) => letter === "p" && store.address.tab === "bench" && bench.play());

/** The step of an attack of an OPERATOR of blue on one of red, of which either may be missing. */
const attack = (by, on) => ({ action: "attack", by: by ? full("blue", by) : null, on: on ? full("red", on) : null });

function withSides(scenario) {
  const side = (id) => SIDES.find((one) => scenario.field[one]?.includes(id) || scenario.save_zone?.[one]?.includes(id));
  const name = (written) => (!written || written.includes(".") ? written : full(side(written) ?? "blue", written));
  const state = Object.entries(scenario.state ?? {}).map(([key, values]) => [name(key), values]);
  const steps = scenario.do.map((step) => {
    const named = ["by", "on", "swap"].filter((key) => step[key] && !SIDES.includes(step[key]));
    return { ...step, ...Object.fromEntries(named.map((key) => [key, name(step[key])])) };
  });
  return { ...scenario, state: Object.fromEntries(state), do: steps };
}

const withoutNull = (record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

/** What is reported of a play, by name. */
function facts(answer) {
  if (answer.refused) return { outcome: `refused by ${answer.refused.rule}` };
  const { result } = answer;
  if (!result) return { outcome: "no attack was compared" };
  return { outcome: result.hits ? "hit" : "miss", AP: result.ap, EP: result.ep, damage: result.damage,
    CRITICAL: result.critical ? "yes" : "no", HITCOUNTER: result.hitcounter, status: result.status };
}

function differences(before, now) {
  const [old, fresh] = [facts(before), facts(now)];
  const lines = Object.keys(fresh).filter((key) => key in old && old[key] !== fresh[key])
    .map((key) => `${key} ${old[key]} → ${fresh[key]}`);
  if (!lines.length && JSON.stringify(before.sums) !== JSON.stringify(now.sums)) lines.push("the sums changed");
  return lines;
}

export const signature = (entry) => `${entry.rule} ${entry.text} ${entry.origin?.sentence ?? ""}`;
const signatures = (answer) => new Set((answer.steps ?? []).flatMap((step) => step.entries.map(signature)));

function verdict(answer) {
  if (answer.refused) return `Refused by ${answer.refused.rule}: ${answer.refused.sentence}`;
  const { result } = answer;
  if (!result) return "No attack was compared.";
  return result.hits ? `Hit for ${result.damage}. AP ${result.ap} against EP ${result.ep}.`
    : `Miss. AP ${result.ap} against EP ${result.ep}.`;
}

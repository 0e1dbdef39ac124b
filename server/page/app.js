// The frame: language, tabs, which table, and what waits to be sent.
import { $, busy, button, calm, h, notice, show } from "./dom.js";
import { flush, get, keep, kept, onSent, Offline, waiting } from "./net.js";
import { LANGUAGES, language, setLanguage, t } from "./text.js";
import { countScreen } from "./count.js";
import { ledgerScreen } from "./ledger.js";
import { tableScreen } from "./tables.js";

export const state = { tab: "count", table: null, tables: kept("tables", []), rules: null, decks: null };
const SCREENS = { count: countScreen, ledger: ledgerScreen, table: tableScreen };

export async function rules() {
  if (!state.rules || state.rulesLanguage !== language()) {
    try {
      state.rules = (await get("/rules")).rules;
      keep("rules", state.rules);
    } catch (error) {
      if (!(error instanceof Offline) || !kept("rules", null)) throw error;
      state.rules = kept("rules", null);
    }
    state.rulesLanguage = language();
  }
  return state.rules;
}

export async function facesOf(kind) {
  const known = kept(`faces${kind}`, null);
  if (known) return known;
  const { faces } = await get(`/faces/${kind}`);
  keep(`faces${kind}`, Object.keys(faces));
  return Object.keys(faces);
}

export async function ruleOf(name) {
  return (await rules()).find((rule) => rule.rule === name) || null;
}

export function setTable(table) {
  state.table = table;
  keep("current", table ? table.id : null);
  if (table) {
    keep(`table.${table.id}`, table);
    const others = state.tables.filter((each) => each.id !== table.id);
    state.tables = [{ id: table.id, name: table.name }, ...others];
    keep("tables", state.tables);
  }
}

export function forgetTable(id) {
  state.tables = state.tables.filter((each) => each.id !== id);
  keep("tables", state.tables);
  localStorage.removeItem(`suanhu.table.${id}`);
  if (state.table && state.table.id === id) setTable(null);
}

export async function openTable(id) {
  try {
    setTable(await get(`/tables/${id}`));
  } catch (error) {
    const known = kept(`table.${id}`, null);
    if (error instanceof Offline && known) setTable(known);
    else if (error.status === 404) { forgetTable(id); throw error; }
    else throw error;
  }
}

// A name that is written from right to left must not turn the sums beside it round.
const LEFTWARDS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]|[\ud802\ud803\ud83a\ud83b]/;

export function nameOf(player, table = state.table) {
  const found = table && table.players.find((each) => each.id === player);
  if (!found) return player;
  return LEFTWARDS.test(found.name) ? `\u2068${found.name}\u2069` : found.name;
}

export function go(tab) {
  state.tab = tab;
  draw();
  scrollTo(0, 0);
}

// A screen asks before it draws whether it is still the one that is wanted: an answer may come late. What is given back
// is told when it stands.
let drawn = 0;
let shown = null;
export function draw() {
  frame();
  drawn += 1;
  const mine = drawn;
  const wanted = () => mine === drawn;
  if (shown !== state.tab) show($("main"), busy("opening"));
  shown = state.tab;
  return SCREENS[state.tab]($("main"), wanted).catch(async (error) => {
    await calm();
    if (!wanted()) return;
    show($("main"), h("p", { class: "box" }, error.status === 401 ? t("need_token") : error.message),
      button("send_now", () => draw()));
  });
}

function frame() {
  document.documentElement.lang = language();
  document.title = t("title");
  const next = LANGUAGES[(LANGUAGES.findIndex(([name]) => name === language()) + 1) % LANGUAGES.length];
  show(
    $("bar"),
    h("h1", {}, state.table ? `${t("title")} · ${state.table.name}` : t("title")),
    h("button", { type: "button", id: "language", lang: next[0], onclick: () => { setLanguage(next[0]); draw(); } }, next[1]),
  );
  const left = waiting().length;
  show(
    $("tabs"),
    ["count", "ledger", "table"].map((tab) =>
      h("button", { type: "button", id: `tab-${tab}`, "aria-current": state.tab === tab && "page", onclick: () => go(tab) },
        t(`tab_${tab}`), tab === "ledger" && left ? ` (${left})` : "")),
  );
}

async function start() {
  const link = new URLSearchParams(location.hash.slice(1));
  if (link.get("token")) keep("token", link.get("token"));
  const wanted = link.get("table") || kept("current", null);
  if (location.hash) history.replaceState(null, "", location.pathname);
  onSent(async (item, answer) => {
    if (answer && state.table && item.tableId === state.table.id) setTable(answer.table);
    await calm();
    // What is being typed on the third screen stays.
    if (state.tab === "table") frame();
    else draw();
  });
  if (wanted) {
    try { await openTable(wanted); } catch (error) { notice(error.status === 401 ? t("need_token") : error.message, true); }
  }
  if (!state.table) state.tab = "table";
  draw();
  flush();
  if (isSecureContext && "serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {});
}

// What other phones at the table wrote shows by itself.
async function look() {
  if (state.tab !== "ledger" || !state.table || document.hidden || $("sheet").open) return;
  try {
    const { id, seq } = state.table;
    const now = await get(`/tables/${id}`);
    if (now.seq !== seq && state.tab === "ledger" && state.table && state.table.id === id && !$("sheet").open) draw();
  } catch { /* Out of reach: the next look may find it. */ }
}

setInterval(look, 6000);
start();

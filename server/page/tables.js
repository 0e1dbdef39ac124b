// Opening a table, who sits at it, what is played, and its decks.
import { button, busy, calm, choose, closeSheet, field, fileButton, guarded, h, notice, sheet, sheetTurn, show } from "./dom.js";
import { Offline, download, get, kept, newKey, picture, send, upload } from "./net.js";
import { t } from "./text.js";
import { draw, facesOf, forgetTable, openTable, rules, setTable, state } from "./app.js";
import { reduced } from "./count.js";
import { restoreFrom } from "./ledger.js";

export async function tableScreen(main, wanted) {
  if (!state.table) { await openForm(main, wanted); return; }
  const list = await rules();
  let decks = [];
  try { decks = (await get(`/tables/${state.table.id}/decks`)).decks; } catch (error) { if (!(error instanceof Offline)) throw error; }
  await calm();
  if (!wanted()) return;
  const rule = list.find((each) => each.rule === state.table.rule);
  show(
    main,
    h("h2", {}, t("players")), players(),
    h("h2", {}, t("rule")), settings(list, rule, decks),
    h("h2", {}, t("deck")), deckList(decks, rule),
    h("h2", {}, t("other_table")),
    h("div", { class: "row" },
      state.tables.filter((each) => each.id !== state.table.id).map((each) => h("button", { type: "button", onclick: () => guarded(async () => { await openTable(each.id); draw(); }) }, each.name)),
      button("open_table", () => { setTable(null); draw(); }),
      button("invite", () => guarded(invite), { id: "invite" })),
    h("div", { class: "row" },
      restoreButton(),
      button("leave_table", () => { forgetTable(state.table.id); draw(); }),
      button("delete_table", () => guarded(deleteTable), { class: "bad" })),
  );
}

const restoreButton = () => fileButton("restore_backup", { accept: ".zip,application/zip", id: "restore" }, ([file]) => guarded(() => restoreFrom(file)));

function wholeNumber(input) {
  if (!/^[0-9]{1,9}$/.test(input.value.trim())) throw new Error(t("whole_number"));
  return Number(input.value);
}

async function openForm(main, wanted) {
  const list = await rules();
  await calm();
  if (!wanted()) return;
  const chosen = { rule: kept("rule", "sanjing"), options: {} };
  const names = t("default_names").split(",");
  const name = h("input", { type: "text", maxlength: "24", id: "table-name", value: t("my_table") });
  const stake = h("input", { type: "number", min: "1", step: "1", inputmode: "numeric", id: "stake", value: "1" });
  const place = h("div");
  const people = h("div");
  const redraw = () => {
    const rule = list.find((each) => each.rule === chosen.rule);
    show(place, optionForm(rule, chosen.options));
    const many = Math.max(rule.default_players, ...rule.players);
    const before = [...people.querySelectorAll("input")].map((input) => input.value);
    show(people, Array.from({ length: many }, (_, seat) => h("label", {}, h("span", {}, t("player_n", { n: seat + 1 })),
      h("input", { type: "text", maxlength: "24", class: "player", value: before[seat] ?? (seat < rule.default_players ? names[seat] : "") }))));
  };
  const open = async () => {
    const players = [...people.querySelectorAll("input")].map((input) => input.value.trim()).filter(Boolean);
    const table = await send("POST", "/tables", { name: name.value, rule: chosen.rule, options: chosen.options, stake: wholeNumber(stake), players });
    localStorage.setItem("suanhu.rule", JSON.stringify(chosen.rule));
    setTable(table);
    state.tab = "count";
    draw();
  };
  show(
    main,
    h("h2", {}, t("open_table")),
    field("table_name", name),
    field("rule", choose(chosen.rule, list.map((rule) => [rule.rule, rule.title]), (value) => { chosen.rule = value; chosen.options = {}; redraw(); }, { id: "rule" })),
    place, field("stake", stake), h("h2", {}, t("players")), people,
    button("open_table", () => guarded(open), { class: "main", id: "open" }),
    state.tables.length ? [h("h2", {}, t("join_table")), h("div", { class: "row" }, state.tables.map((each) => h("button", { type: "button", onclick: () => guarded(async () => { await openTable(each.id); state.tab = "count"; draw(); }) }, each.name)))] : null,
    h("div", { class: "row" }, restoreButton()),
  );
  redraw();
}

function optionForm(rule, options) {
  const details = rule.option_details || [];
  if (!details.length) return null;
  const set = (option, text) => {
    const value = option.values.length ? option.values.find((each) => String(each) === text) : Math.trunc(Number(text));
    if (value === undefined || (!option.values.length && !(value >= option.least))) return;
    if (value === option.default) delete options[option.name]; else options[option.name] = value;
  };
  return h("details", {}, h("summary", {}, t("options")), details.map((option) => h("label", {}, h("span", {}, option.meaning),
    option.values.length
      ? choose(options[option.name] ?? option.default, option.values.map((value) => [value, valueText(value)]), (text) => set(option, text), { "data-option": option.name })
      : h("input", { type: "number", min: String(option.least), step: "1", value: String(options[option.name] ?? option.default), onchange: (event) => set(option, event.target.value), "data-option": option.name }))));
}

function valueText(value) {
  return value === true ? "✓" : value === false ? "✗" : String(value);
}

async function change(method, path, body, told = null) {
  const mine = sheetTurn();
  await guarded(async () => {
    const answer = await send(method, `/tables/${state.table.id}${path}`, body, newKey());
    setTable(answer.table);
    closeSheet(mine);
    if (told) notice(t(told));
  });
  await draw();
}

function players() {
  const order = [...state.table.seats, ...state.table.players.filter((player) => !player.present).map((player) => player.id)];
  return [
    order.map((id, place) => {
      const player = state.table.players.find((each) => each.id === id);
      return h("div", { class: "row person" }, h("b", {}, player.name, player.present ? "" : ` (${t("away")})`),
        player.present && place > 0 ? button("move_up", () => moveUp(id)) : null,
        button("rename", () => nameSheet("rename", player.name, (name) => change("PATCH", `/players/${id}`, { name }))),
        player.present ? button("leave", () => change("PATCH", `/players/${id}`, { present: false })) : button("come_back", () => change("PATCH", `/players/${id}`, { present: true })));
    }),
    button("add_player", () => nameSheet("add_player", "", (name) => change("POST", "/players", { name })), { id: "add-player" }),
  ];
}

function moveUp(id) {
  const seats = [...state.table.seats];
  const place = seats.indexOf(id);
  if (place < 1) return undefined;
  [seats[place - 1], seats[place]] = [seats[place], seats[place - 1]];
  return change("PUT", "/seats", { seats, dealer: seats.includes(state.table.dealer) ? state.table.dealer : null });
}

function nameSheet(key, value, done) {
  const input = h("input", { type: "text", maxlength: "24", id: "name", value });
  sheet(t(key), input, button("ok", () => input.value.trim() && done(input.value.trim()), { class: "main", id: "name-ok" }));
  input.focus();
}

function settings(list, rule, decks) {
  const options = { ...state.table.options };
  const stake = h("input", { type: "number", min: "1", step: "1", inputmode: "numeric", value: String(state.table.stake) });
  const holder = h("div", {}, optionForm(rule, options));
  let chosen = rule.rule;
  let given = options;
  const picked = (value) => {
    const now = list.find((each) => each.rule === value);
    chosen = value;
    given = value === rule.rule ? options : {};
    show(holder, optionForm(now, given));
    ofKind(now.kind);
  };
  const deck = h("select");
  const ofKind = (kind) => show(deck, [["auto", t("deck_auto")], ...decks.filter((each) => each.kind === kind).map((each) => [each.name, each.name])]
    .map(([name, text]) => h("option", { value: name, selected: name === state.table.deck }, text)));
  ofKind(rule.kind);
  return [
    choose(rule.rule, list.map((each) => [each.rule, each.title]), picked),
    holder, field("stake", stake), field("deck", deck),
    button("save", () => guarded(() => change("PATCH", "", { rule: chosen, options: given, stake: wholeNumber(stake), deck: deck.value }, "written")), { id: "save-table" }),
  ];
}

function deckList(decks, rule) {
  return [
    decks.length ? null : h("p", { class: "soft" }, t("no_decks")),
    decks.filter((deck) => deck.own).map(deckRow),
    decks.some((deck) => !deck.own) ? h("details", {}, h("summary", {}, t("shipped_decks")), decks.filter((deck) => !deck.own && deck.kind === rule.kind).map(deckRow)) : null,
    h("div", { class: "row" },
      button("learn_deck", () => guarded(() => learnSheet(rule)), { id: "learn" }),
      fileButton("import_deck", { accept: ".deck", id: "import-deck" }, importDeck)),
  ];
}

function deckRow(deck) {
  const path = `/tables/${state.table.id}/decks/${encodeURIComponent(deck.name)}`;
  return h("div", { class: "row" }, h("span", { class: "deck" }, `${deck.name} · ${deck.kind}`),
    button("export_deck", () => guarded(() => download(path, `${deck.name}.deck`))),
    deck.own ? button("delete", () => guarded(() => deleteDeck(deck, path)), { class: "bad" }) : null);
}

async function deleteDeck(deck, path) {
  if (!confirm(t("delete_deck_sure", { name: deck.name }))) return;
  await send("DELETE", path);
  draw();
}

function importDeck([file]) {
  const take = (name) => guarded(async () => {
    const mine = sheetTurn();
    try {
      await upload(`/tables/${state.table.id}/decks/import`, [["file", file], ["name", name]]);
    } catch (error) {
      if (error.code !== "deck_exists") throw error;
      nameSheet("deck_other_name", name, take);
      return;
    }
    closeSheet(mine);
    draw();
  });
  take("");
}

// Whoever sees that the names are right may have them learned all the same.
const DOUBTED = new Set(["exchanged", "namesake", "order", "order_assumed", "order_strange", "two_decks", "unalike"].map((code) => `deck_${code}`));

async function learnSheet(rule) {
  const faces = h("textarea", { rows: "4", id: "faces" });
  faces.value = (await facesOf(rule.kind)).join("");
  const name = h("input", { type: "text", maxlength: "40", id: "deck-name" });
  const partial = h("input", { type: "checkbox" });
  const insist = h("input", { type: "checkbox", id: "insist" });
  const insisting = h("label", { class: "check", hidden: true }, insist, h("span", {}, t("insist")));
  let files = [];
  const photo = fileButton("pick_photo", { accept: "image/*", multiple: true, id: "deck-photo" }, (chosen) => {
    files = chosen;
    show(wait, h("p", {}, chosen.map((each) => each.name).join(" · ")));
  }, "file second");
  const learn = async () => {
    if (!files.length) { show(wait, h("p", { class: "box" }, t("photo_first"))); return; }
    show(wait, busy("learning"));
    const mine = sheetTurn();
    try {
      const parts = [["name", name.value], ["cards", faces.value], ["partial", String(partial.checked)], ["insist", String(insist.checked)], ...(await Promise.all(files.map(reduced))).map((file) => ["photos", file])];
      const deck = await upload(`/tables/${state.table.id}/decks`, parts);
      closeSheet(mine);
      notice([t("learned", { n: deck.faces.length }), ...deck.warnings.map((warning) => warning.text)].join(" · "));
      draw();
    } catch (error) {
      insisting.hidden = insisting.hidden && !DOUBTED.has(error.code);
      show(wait, h("p", { class: "box" }, error.message));
    }
  };
  const wait = h("div");
  sheet(t("learn_deck"), h("p", { class: "soft" }, t("learn_hint")), field("deck_name", name), field("faces", faces), photo,
    h("label", { class: "check" }, partial, h("span", {}, t("partial"))), insisting, wait, button("learn_deck", () => guarded(learn), { class: "main", id: "learn-go" }));
}

async function invite() {
  const parts = new URLSearchParams();
  const token = kept("token", null);
  if (token) parts.set("token", token);
  parts.set("table", state.table.id);
  const link = `${location.origin}/#${parts}`;
  const code = h("div");
  const copy = async () => {
    try { await navigator.clipboard.writeText(link); notice(t("link_copied")); } catch { /* It stands there to be copied by hand. */ }
  };
  const alone = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  sheet(t("invite"), h("p", { class: alone ? "box ask" : "soft" }, t(alone ? "invite_local" : "invite_hint")), code, h("p", { style: "overflow-wrap: anywhere" }, link),
    h("div", { class: "row" },
      navigator.share ? button("share", () => navigator.share({ title: t("title"), url: link }).catch(() => {})) : null,
      navigator.clipboard ? button("copy_link", copy) : null));
  const url = URL.createObjectURL(await picture(`/tables/${state.table.id}/invitation`, { link }));
  show(code, h("img", { src: url, alt: t("invite"), id: "code", onload: () => URL.revokeObjectURL(url) }));
}

async function deleteTable() {
  if (!confirm(t("delete_sure"))) return;
  const { id } = state.table;
  await send("DELETE", `/tables/${id}`);
  forgetTable(id);
  draw();
}


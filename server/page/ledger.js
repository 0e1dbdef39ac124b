// The evening: totals, every round, settling, and taking it home.
import { button, calm, closeSheet, field, guarded, h, notice, sheet, sheetTurn, show, signed } from "./dom.js";
import { Offline, blobUrl, discard, download, file, flush, get, keep, kept, newKey, queue, send, upload, waiting } from "./net.js";
import { language, t } from "./text.js";
import { draw, nameOf, openTable, ruleOf, setTable, state } from "./app.js";
import { correctHand, explanation, seating } from "./count.js";
import { slipSheet } from "./slip.js";

let book = null;

export async function ledgerScreen(main, wanted) {
  if (!state.table) {
    show(main, h("p", { class: "box" }, t("open_first")), button("open_table", () => { state.tab = "table"; draw(); }, { class: "main" }));
    return;
  }
  const path = `/tables/${state.table.id}`;
  let found = null;
  try {
    found = await get(`${path}/ledger`);
  } catch (error) {
    if (!(error instanceof Offline)) throw error;
  }
  await calm();
  if (!wanted()) return;
  if (found) {
    book = found;
    setTable(book.table);
    keep(`ledger.${state.table.id}`, book);
  } else {
    // Rounds are taken in all the same.
    book = kept(`ledger.${state.table.id}`, { table: state.table, lines: [], settlement: { transfers: [], fewest: true } });
    notice(t("offline"), true);
  }
  show(
    main,
    unsent(),
    h("div", { class: Object.values(book.table.totals).some((total) => Math.abs(total) >= 1e5) ? "totals large" : "totals", id: "totals" }, book.table.players.map((player) =>
      h("div", {}, player.name, player.present ? null : ` (${t("away")})`, h("b", {}, signed(book.table.totals[player.id]))))),
    h("div", { class: "row" },
      button("drawn", () => guarded(drawnSheet), { id: "drawn" }),
      button("by_hand", () => amountsSheet("by_hand"), { id: "by-hand" }),
      button("adjust", () => amountsSheet("adjustment"), { id: "adjust" }),
      button("undo", () => act("POST", `${path}/undo?seen=${book.table.seq}`, "undone"), { id: "undo", disabled: !book.lines.length }),
      button("settle", settleSheet, { id: "settle", class: "main" })),
    h("div", { id: "lines" }, book.lines.length ? book.lines.slice().reverse().map(lineButton) : h("p", { class: "soft" }, t("nothing_yet"))),
    h("h2", {}, t("export")),
    h("div", { class: "row" },
      button("print", printPage, { id: "print" }),
      button("csv", () => guarded(() => download(`${path}/ledger.csv?${inWords()}`, `${book.table.name}.csv`))),
      button("backup", () => guarded(() => download(`${path}/backup`, `suanhu-${book.table.opened_at.slice(0, 10)}.zip`)))),
  );
}

// The language, and how far the clock of this phone is ahead of UTC.
const inWords = () => new URLSearchParams({ lang: language(), offset: String(-new Date().getTimezoneOffset()) });

function unsent() {
  const items = waiting();
  if (!items.length) return null;
  return h("div", { class: "box ask", id: "unsent" }, h("p", {}, h("b", {}, t("unsent", { n: items.length }))),
    items.filter((item) => item.fault).map((item) => h("div", { class: "row" }, h("span", {}, item.fault), button("throw_away", () => { discard(item); draw(); }, { class: "bad" }))),
    button("send_now", async () => { await flush(); draw(); }));
}

function lineButton(line) {
  const entry = line.entry || last(line);
  const won = entry.winner ? nameOf(entry.winner, book.table) : "";
  const points = entry.score && entry.score.points !== null ? ` ${entry.score.points} ${entry.score.unit || ""}` : "";
  const amounts = Object.entries(entry.amounts).filter(([, amount]) => amount).map(([player, amount]) => [h("span", {}, nameOf(player, book.table), " ", signed(amount)), " "]);
  return h("button", { type: "button", class: `line ${line.counts ? "" : "out"}`, "data-number": line.number, onclick: () => lineSheet(line) },
    h("span", { class: "soft" }, String(line.number)),
    h("span", {}, `${t(`kind_${entry.kind}`)} ${won}${points} `, h("small", {}, amounts, line.corrected && line.counts ? ` (${t("corrected")})` : "", entry.note ? ` · ${entry.note}` : "")));
}

const last = (line) => line.versions.map((version) => version.entry).filter(Boolean).pop();

function entryView(entry) {
  const people = [];
  for (const [key, player] of [["who_won", entry.winner], ["dealer", entry.dealer]]) if (player) people.push(`${t(key)} ${nameOf(player, book.table)}`);
  if (entry.discarder) people.push(t("from_player", { name: nameOf(entry.discarder, book.table) }));
  if (entry.rested.length) people.push(t("rests", { names: entry.rested.map((player) => nameOf(player, book.table)).join(" ") }));
  return [
    people.length ? h("p", {}, people.join(" · ")) : null,
    entry.hand ? h("p", { class: "cards", style: "white-space: normal" }, entry.hand) : null,
    entry.note ? h("p", {}, entry.note) : null,
    h("ul", { class: "pays" }, Object.entries(entry.amounts).map(([player, amount]) => h("li", {}, nameOf(player, book.table), " ", h("b", {}, signed(amount))))),
    entry.score && entry.score.groups && entry.score.groups.length ? explanation(entry.score) : null,
  ];
}

function lineSheet(line) {
  const path = `/tables/${state.table.id}/rounds/${line.number}`;
  const entry = line.entry || last(line);
  const before = line.versions.slice(0, -1).filter((version) => version.entry);
  sheet(
    `${line.number} · ${t(`kind_${entry.kind}`)} · ${new Date(line.at).toLocaleTimeString(language(), { hour: "2-digit", minute: "2-digit" })}`,
    line.counts ? null : h("p", {}, h("b", {}, t("struck"))),
    entryView(entry),
    entry.photo ? h("div", { class: "row" }, button("photo", () => guarded(() => photoSheet(line, entry.photo))),
      button("forget_photo", () => act("DELETE", `/tables/${state.table.id}/photos/${entry.photo}`), { class: "bad" })) : null,
    h("div", { class: "row" },
      entry.hand && line.counts ? button("slip", () => lineSlip(line, entry), { id: "line-slip" }) : null,
      entry.hand && line.counts && entry.rule === state.table.rule ? button("correct_hand", () => guarded(() => correctHand(line)), { id: "correct-hand" }) : null,
      button(entry.hand ? "correct_amounts" : "correct", () => amountsSheet(entry.kind === "adjustment" ? "adjustment" : "by_hand", line), { id: "correct" }),
      line.counts ? button("strike", () => act("DELETE", `${path}?seen=${line.versions.at(-1).seq}`), { class: "bad", id: "strike" }) : null),
    before.length ? h("details", {}, h("summary", {}, t("was_before")), before.map((version) => h("div", { class: "box" }, entryView(version.entry)))) : null,
  );
}

function lineSlip(line, entry) {
  const path = `/tables/${state.table.id}/rounds/${line.number}/slip`;
  const day = new Date(line.at).toLocaleDateString("sv-SE");
  slipSheet(Boolean(entry.photo), (query, withPhoto) => file(`${path}?${query}&photo=${withPhoto}`), day);
}

async function photoSheet(line, sha256) {
  const mine = sheetTurn();
  const url = await blobUrl(`/tables/${state.table.id}/photos/${sha256}`);
  await calm();
  if (mine !== sheetTurn()) return;
  sheet(String(line.number), h("img", { src: url, alt: "", style: "width: 100%", onload: () => URL.revokeObjectURL(url) }));
}

async function act(method, path, told) {
  const mine = sheetTurn();
  await guarded(async () => {
    const answer = await send(method, path, undefined, newKey());
    if (answer && answer.table) setTable(answer.table);
    closeSheet(mine);
    if (told) notice(t(told));
  });
  // What is tapped meanwhile would be meant for the lines that were there before.
  await draw();
}

async function drawnSheet() {
  const rule = await ruleOf(state.table.rule);
  const { seats, rested } = seating(rule, state.table, state.table.dealer);
  sheet(t("drawn"), h("p", {}, seats.map((player) => nameOf(player)).join(" ")), button("ok", async () => {
    closeSheet();
    const sent = await queue(state.table.id, `/tables/${state.table.id}/rounds`, { kind: "drawn", seats, rested, dealer: state.table.dealer, note: "" });
    notice(t(sent ? "written" : "written_later"));
    draw();
  }, { class: "main", id: "drawn-ok" }));
}

function amountsSheet(kind, line = null) {
  const entry = line && (line.entry || last(line));
  const shown = state.table.players.filter((player) => player.present || (entry && entry.amounts[player.id]));
  const inputs = new Map(shown.map((player) => [player.id, h("input", { type: "text", inputmode: "text", autocomplete: "off", "data-player": player.id, value: entry && entry.amounts[player.id] ? String(entry.amounts[player.id]) : "", oninput: () => tell() })]));
  const note = h("input", { type: "text", maxlength: "400", id: "note", value: entry ? entry.note : "" });
  const sum = h("p", { id: "sum" });
  const done = button("save", () => guarded(save), { class: "main", id: "save" });
  const amounts = () => {
    const found = {};
    for (const [player, input] of inputs) {
      const typed = input.value.trim().replace("−", "-").replace("＋", "+");
      if (typed && !/^[+-]?\d{1,9}$/.test(typed)) return null;
      if (typed && Number(typed)) found[player] = Number(typed);
    }
    return found;
  };
  const tell = () => {
    const found = amounts();
    const total = found ? Object.values(found).reduce((all, each) => all + each, 0) : NaN;
    const empty = shown.filter((player) => !inputs.get(player.id).value.trim());
    show(sum, found ? t("sum_is", { n: total }) : t("whole_number"), found && total && empty.length === 1
      ? h("button", { type: "button", onclick: () => { inputs.get(empty[0].id).value = String(-total); tell(); } }, t("fill_rest", { name: empty[0].name })) : null);
    done.disabled = !found || total !== 0 || !Object.keys(found).length || (kind === "adjustment" && !note.value.trim());
  };
  const save = async () => {
    const body = { kind, amounts: amounts(), note: note.value };
    closeSheet();
    if (line) {
      await send("PUT", `/tables/${state.table.id}/rounds/${line.number}?seen=${line.versions.at(-1).seq}`, body, newKey());
      notice(t("written"));
    } else {
      const sent = await queue(state.table.id, `/tables/${state.table.id}/rounds`, body);
      notice(t(sent ? "written" : "written_later"));
    }
    draw();
  };
  note.addEventListener("input", tell);
  sheet(t(line ? "correct" : kind === "adjustment" ? "adjust" : "by_hand"), h("p", { class: "soft" }, t("amounts_hint")),
    shown.map((player) => h("label", {}, h("span", {}, player.name), inputs.get(player.id))), field("note", note), sum, done);
  tell();
}

function settleSheet() {
  const { transfers, fewest } = book.settlement;
  if (!transfers.length) { sheet(t("settle"), h("p", {}, t("all_even"))); return; }
  sheet(t("settle"), h("p", {}, t(fewest ? "settle_note" : "settle_some")),
    h("ul", { class: "pays", id: "transfers" }, transfers.map((each) => h("li", {}, t("pays_to", { a: nameOf(each.payer, book.table), b: nameOf(each.payee, book.table) }), " ", h("b", {}, String(each.amount))))),
    button("settle_done", () => act("POST", `/tables/${state.table.id}/settlement?seen=${book.table.seq}`, "written"), { class: "main", id: "settle-done" }));
}

async function printPage() {
  await guarded(async () => {
    const url = await blobUrl(`/tables/${state.table.id}/ledger.html?${inWords()}`);
    const frame = h("iframe", { src: url, title: t("print"), style: "position: absolute; width: 0; height: 0; border: 0", onload: () => { frame.contentWindow.focus(); frame.contentWindow.print(); } });
    document.body.append(frame);
    setTimeout(() => { frame.remove(); URL.revokeObjectURL(url); }, 120000);
  });
}

export async function restoreFrom(file) {
  const { tables } = await upload("/restore", [["file", file]]);
  if (tables.length) await openTable(tables[0]);
  notice(t("restored"));
  draw();
}

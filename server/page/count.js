// One hand: photo, cards over it, corrections, the result, into the ledger.
import { $, button, busy, calm, choose, closeSheet, field, fileButton, guarded, h, notice, sheet, sheetTurn, show, whenClosed } from "./dom.js";
import { file, newKey, queue, send, upload } from "./net.js";
import { RED, t } from "./text.js";
import { draw, facesOf, nameOf, ruleOf, setTable, state } from "./app.js";
import { slipSheet } from "./slip.js";
import { putAside, takenUp } from "./unfinished.js";

const PICKED = "撿";
const MOST_PHOTOS = 4;
// The largest group is a five, the largest hand eight fives and its last two cards.
const MOST_IN_GROUP = 5;
const MOST_CARDS = 42;
const GAP = 24;
let hand = null;
let asked = 0;
let faces = [];
// Photos that are being read, or could not be.
let unread = null;
let looked = false;
// Whether something was put aside since the page opened: what was there before is not wanted any more.
let renewed = false;

function fresh() {
  const dealer = state.table && state.table.seats.includes(state.table.dealer) ? state.table.dealer : null;
  return {
    reading: { size: [1, 1], deck: null, kind: null, cards: [], doubts: [] }, photos: [], fixes: {}, picked: {}, gone: new Set(),
    added: [], laid: [], win: null, marking: null, nothing: new Set(), winner: null, discarder: null, dealer,
    dui: {}, keepPhoto: false, result: null, fault: null, counting: false, next: 0, corrects: null,
    // Written twice, perhaps by two windows of one phone, it is one round.
    key: newKey(), writing: false,
  };
}

function drop() {
  if (hand) hand.photos.forEach((photo) => URL.revokeObjectURL(photo.url));
  hand = null;
  unread = null;
  remember();
  rememberUnread();
}

function remember(withPhotos = true) {
  renewed = true;
  if (withPhotos) putAside("photos", hand && hand.photos.map(({ blob }) => blob));
  const photos = hand && hand.photos.map(({ top, size, first }) => ({ top, size, first }));
  putAside("hand", hand && { ...hand, photos, result: null, fault: null, counting: false, writing: false, marking: null });
}

function rememberUnread() {
  renewed = true;
  putAside("unread", unread && { tableId: unread.tableId, left: unread.left });
}

// What the browser dropped with the page comes back, where it is of this table. A browser that is slow to find it is
// not waited for; what it finds late comes back late, unless something was begun meanwhile.
async function recall() {
  if (looked) return;
  looked = true;
  let late = false;
  const found = Promise.all(["hand", "photos", "unread"].map(takenUp)).then(async (all) => {
    if (renewed || !state.table || !back(...all) || !late) return;
    await calm();
    if (state.tab === "count") draw();
  });
  await Promise.race([found, new Promise((done) => { setTimeout(done, 3000); })]);
  late = true;
}

// Whether anything came back.
function back(found, blobs, waits) {
  const here = (each) => each && each.tableId === state.table.id;
  if (here(found) && found.rule === state.table.rule && blobs && blobs.length === found.photos.length) {
    hand = { ...found, photos: found.photos.map((photo, number) => ({ ...photo, blob: blobs[number], url: URL.createObjectURL(blobs[number]) })) };
    count();
  }
  if (here(waits)) unread = { ...waits, fault: t("not_read") };
  return Boolean(hand || unread);
}

export async function countScreen(main, wanted) {
  if (!state.table) {
    show(main, h("p", { class: "box" }, t("open_first")), button("open_table", () => { state.tab = "table"; draw(); }, { class: "main" }));
    return;
  }
  const rule = await ruleOf(state.table.rule);
  const every = await facesOf(rule.kind);
  await recall();
  await calm();
  if (!wanted()) return;
  faces = every;
  if (hand && (hand.tableId !== state.table.id || hand.rule !== state.table.rule)) drop();
  if (unread && unread.tableId !== state.table.id) unread = null;
  if (unread) reading(main, rule);
  else if (!hand) start(main, rule);
  else if (hand.writing) show(main, busy("writing"));
  else work(main, rule);
}

// What was photographed is not lost: it is read once the service answers.
function reading(main, rule) {
  const stop = button("cancel", () => { unread = null; rememberUnread(); draw(); count(); });
  if (!unread.fault) show(main, busy("reading"), stop);
  else show(main, h("p", { class: "box" }, unread.fault), button("read_again", () => read(rule, unread.left), { class: "main", id: "read-again" }), stop);
}

function start(main, rule) {
  const take = (files) => read(rule, files);
  show(
    main,
    h("p", { class: "soft" }, `${rule.title} · ${t("stake").split(/[（(]/)[0]} ${state.table.stake}`),
    h("div", { class: "row" },
      fileButton("take_photo", { id: "camera", accept: "image/*", capture: "environment" }, take, "file"),
      fileButton("pick_photo", { id: "photo", accept: "image/*", multiple: true }, take, "file second")),
    h("p", { class: "soft" }, t("photo_hint")),
    button("by_typing", () => { begin(rule); draw(); count(); }, { id: "typing" }),
  );
}

function begin(rule) {
  drop();
  hand = fresh();
  hand.reading.kind = rule.kind;
  hand.tableId = state.table.id;
  hand.rule = state.table.rule;
  hand.winner = sitting(rule).seats[0] || null;
  remember();
}

// A phone's photo is turned and made smaller here: less to send, and no place or time goes with it.
export async function reduced(photo) {
  try {
    const picture = await createImageBitmap(photo, { imageOrientation: "from-image" });
    const scale = Math.min(1, 2000 / Math.max(picture.width, picture.height));
    const canvas = h("canvas", { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    return (await jpeg(canvas)) || photo;
  } catch {
    return photo;
  }
}

const jpeg = (canvas) => new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.92));

async function read(rule, files) {
  const mine = { tableId: state.table.id, left: [...files], fault: null };
  unread = mine;
  rememberUnread();
  draw();
  try {
    while (mine.left.length && (!hand || hand.photos.length < MOST_PHOTOS)) {
      const photo = await reduced(mine.left[0]);
      // Further photos show the same deck.
      const deck = (hand && hand.reading.deck) || state.table.deck;
      const parts = [["photo", photo], ["deck", deck], ["table", mine.tableId], ["kind", String(rule.kind)]];
      const found = await upload("/read", parts);
      // It was given up, or another table was opened: nothing waits for this photo.
      if (mine !== unread || !state.table || state.table.id !== mine.tableId) return;
      if (!found.cards.length && !found.doubts.length) notice(t("no_cards"), true);
      else if (!found.deck) notice(t("unknown_deck"), true);
      if (!hand) begin(rule);
      joined(found, photo);
      mine.left.shift();
      unread = mine;
      remember();
      rememberUnread();
    }
    unread = null;
    count();
  } catch (error) {
    if (mine !== unread) return;
    notice(error.message, true);
    mine.fault = error.message;
  }
  rememberUnread();
  await calm();
  if (state.tab === "count") draw();
}

// Another photo of the same hand lies below the first.
function joined(reading, photo) {
  const { reading: above, photos } = hand;
  const top = photos.length ? above.size[1] + GAP : 0;
  const groups = 1 + Math.max(-1, ...above.cards.map((card) => card.group ?? 0));
  const down = ([x, y]) => [x, y + top];
  photos.push({ blob: photo, url: URL.createObjectURL(photo), top, size: reading.size, first: above.cards.length });
  hand.reading = {
    size: [Math.max(photos.length > 1 ? above.size[0] : 0, reading.size[0]), top + reading.size[1]],
    deck: above.deck || reading.deck, kind: reading.kind || above.kind,
    cards: [...above.cards, ...reading.cards.map((card) => ({ ...card, outline: card.outline.map(down), mark: down(card.mark), group: (card.group ?? 0) + groups }))],
    doubts: [...above.doubts, ...reading.doubts.map((doubt) => ({ ...doubt, mark: down(doubt.mark) }))],
  };
}

// All photos of a hand as one picture, in the pixels of the reading.
async function wholePhoto(photos, size) {
  if (photos.length === 1) return photos[0].blob;
  const canvas = h("canvas", { width: size[0], height: size[1] });
  const context = canvas.getContext("2d");
  context.fillStyle = "#808080";
  context.fillRect(0, 0, ...size);
  for (const photo of photos) context.drawImage(await createImageBitmap(photo.blob), 0, photo.top, ...photo.size);
  return jpeg(canvas);
}

export function seating(rule, table = state.table, dealer = hand && hand.dealer) {
  const seats = table.seats;
  let playing = rule.players.includes(seats.length) ? seats.length : rule.default_players;
  if (rule.rule === "jingzhou" && playing === 4) playing = 3;
  const first = Math.max(0, seats.indexOf(dealer));
  const order = [...seats.slice(first), ...seats.slice(0, first)];
  if (order.length === 4 && playing === 3) return { seats: [order[0], order[1], order[3]], rested: [order[2]] };
  return { seats: order.slice(0, playing), rested: order.slice(playing) };
}

// Who plays this hand, and what for: where a round of the ledger is corrected, as it was then.
const sitting = (rule) => (hand.corrects ? hand.corrects.sitting : seating(rule));
const terms = () => (hand.corrects ? hand.corrects.terms : { options: state.table.options, stake: state.table.stake });

// The cards as corrected, in the order in which the service numbers them.
function cards() {
  const read = hand.reading.cards.map((card, place) => ({
    id: String(place), place, read: card,
    card: hand.fixes[place] || card.card,
    sure: card.sure || Boolean(hand.fixes[place]),
    gone: hand.gone.has(place),
  }));
  const added = hand.added.map((each) => ({ id: each.id, place: null, read: null, card: each.card, sure: true, gone: false }));
  return [...read, ...added];
}

const counted = () => cards().filter((card) => !card.gone);
const doubts = () => hand.reading.doubts.map((doubt, place) => ({ ...doubt, place })).filter((doubt) => !hand.nothing.has(doubt.place));
const laidOf = (id) => hand.laid.find((group) => group.ids.includes(id));

function request(rule) {
  const order = counted().map((card) => card.id);
  const { seats } = sitting(rule);
  const spelled = {};
  for (const card of counted()) {
    if (card.place !== null && (hand.fixes[card.place] || hand.picked[card.id])) {
      spelled[card.place] = (hand.picked[card.id] ? PICKED : "") + card.card;
    }
  }
  const dui = Object.fromEntries(seats.map((player, seat) => [seat, hand.dui[player] || 0]).filter(([, times]) => times));
  return {
    rule: state.table.rule, ...terms(), players: seats.length,
    winner: Math.max(0, seats.indexOf(hand.winner)), by: hand.discarder ? "discard" : "self",
    from: hand.discarder ? seats.indexOf(hand.discarder) : null, dui,
    reading: { ...hand.reading, ms: undefined, doubts: doubts().map(({ mark, why }) => ({ mark, why })) },
    cards: spelled, drop: [...hand.gone], add: hand.added.map((card) => (hand.picked[card.id] ? PICKED : "") + card.card),
    laid: hand.laid.map((group) => ({ indices: group.ids.map((id) => order.indexOf(id)), bracket: group.bracket })),
    win: hand.win === null ? null : order.indexOf(hand.win),
  };
}

async function count() {
  const mine = ++asked;
  const here = hand;
  if (!here) return;
  const rule = await ruleOf(state.table.rule);
  if (mine !== asked || hand !== here) return;
  const few = sitting(rule).seats.length < 2;
  if (few || !counted().length) {
    Object.assign(here, { result: null, fault: few ? t("too_few_sit") : null, counting: false });
    refresh(rule);
    return;
  }
  here.counting = true;
  refresh(rule);
  try {
    const result = await send("POST", "/reading/score", request(rule));
    await calm();
    if (mine !== asked || hand !== here) return;
    here.result = result;
    here.fault = null;
  } catch (error) {
    await calm();
    if (mine !== asked || hand !== here) return;
    here.result = null;
    here.fault = error.message;
  }
  here.counting = false;
  counting(rule);
}

// What changed shows at once; counting follows.
function changed(rule) {
  hand.laid = hand.laid.map((group) => ({ ...group, ids: group.ids.filter((id) => counted().some((card) => card.id === id)) }))
    .filter((group) => group.ids.length);
  if (hand.win !== null && (!counted().some((card) => card.id === hand.win) || laidOf(hand.win))) hand.win = null;
  const { seats } = sitting(rule);
  if (!seats.includes(hand.winner)) hand.winner = seats[0] || null;
  if (hand.discarder && (!seats.includes(hand.discarder) || hand.discarder === hand.winner)) hand.discarder = null;
  remember(false);
  closeSheet();
  count();
}

function work(main, rule) {
  show(main, hand.corrects ? h("p", { class: "box" }, h("b", {}, t("correcting", { n: hand.corrects.number }))) : null, h("div", { id: "picture" }), h("div", { id: "said" }), h("div", { id: "guess" }), h("div", { id: "result" }), h("div", { id: "who" }), h("div", { id: "end" }));
  refresh(rule);
}

function refresh(rule) {
  if (state.tab !== "count" || !$("picture")) return;
  show($("picture"), picture(rule));
  show($("said"), said(rule));
  show($("who"), who(rule));
  counting(rule);
}

// What an answer changes; nobody who is choosing something above or beside it is disturbed.
function counting(rule) {
  if (state.tab !== "count" || !$("picture")) return;
  show($("guess"), guess(rule));
  show($("result"), result(rule));
  show($("end"), end(rule));
}

// The part of the photo that holds cards, so that they are large enough for a finger.
function view() {
  const [width, height] = hand.reading.size;
  const points = [...hand.reading.cards.flatMap((card) => card.outline), ...hand.reading.doubts.map((doubt) => doubt.mark)];
  if (hand.whole || !points.length) return [0, 0, width, height];
  const pad = Math.max(width, height) * 0.04;
  const within = (value, most) => Math.min(Math.max(value, 0), most);
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const left = within(Math.min(...xs) - pad, width);
  const top = within(Math.min(...ys) - pad, height);
  return [left, top, within(Math.max(...xs) + pad, width) - left, within(Math.max(...ys) + pad, height) - top];
}

function picture(rule) {
  if (!hand.photos.length) return chips(rule);
  const box = view();
  const stroke = Math.max(box[2], box[3]) / 240;
  const overlay = h("svg", { viewBox: box.join(" "), style: `--w: ${stroke}px; aspect-ratio: ${box[2]} / ${box[3]}`, class: hand.bare ? "bare" : "", onclick: (event) => touched(rule, event) },
    photoImage(), cards().filter((card) => card.read).map((card) => drawn(rule, card, box)), doubts().map((doubt) => doubtful(rule, doubt, box)));
  const toggle = (key, name) => button(key, () => { hand[name] = !hand[name]; refresh(rule); }, { "aria-pressed": String(Boolean(hand[name])) });
  return [h("div", { class: hand.photos.length > 1 ? "photo several" : "photo" }, overlay),
    h("div", { class: "row small" }, toggle("whole_photo", "whole"), toggle("bare_photo", "bare"),
      hand.photos.length < MOST_PHOTOS ? fileButton("add_photo", { id: "more-photos", accept: "image/*", multiple: true }, (files) => read(rule, files)) : null),
    h("p", { class: "soft" }, t("tap_hint")), hand.added.length ? chips(rule, true) : null];
}

function photoImage() {
  return hand.photos.map(({ url, top, size }) => h("image", { href: url, y: top, width: size[0], height: size[1] }));
}

function classes(card) {
  const names = [];
  if (card.gone) names.push("gone");
  else {
    if (!card.sure) names.push("unsure");
    if (laidOf(card.id)) names.push("laid");
    if (card.id === hand.win) names.push("win");
    if (hand.marking && hand.marking.includes(card.id)) names.push("picked-out");
  }
  return names.join(" ");
}

function drawn(rule, card, box) {
  const { outline, mark } = card.read;
  const edge = Math.hypot(outline[1][0] - outline[0][0], outline[1][1] - outline[0][1]);
  const across = [(outline[1][0] - outline[0][0]) / edge, (outline[1][1] - outline[0][1]) / edge];
  // The name stands at the edge of its card, so that the print stays to be compared with it.
  const beside = (share) => [mark[0] + across[0] * edge * share, mark[1] + across[1] * edge * share];
  const said = card.gone ? "✕" : (hand.picked[card.id] ? PICKED : "") + card.card;
  const size = Math.min(edge * (said.length > 1 ? 0.36 : 0.46), Math.max(box[2], box[3]) / 14);
  const names = classes(card);
  const [x, y] = beside(0.36);
  return h("g", { class: `card ${names}`, role: "button", tabindex: "0", "data-id": card.id, "aria-label": label(card), onkeydown: pressed(() => tapped(rule, card.id)) },
    h("polygon", { points: outline.map((point) => point.join(",")).join(" ") }),
    h("text", { x, y, "font-size": size }, said),
    badgeOf(names, beside(-0.38), edge * 0.17));
}

// Shapes beside colours: a triangle for unsure, a star for the winning card, a square for the table.
function badgeOf(names, [x, y], r) {
  if (names.includes("unsure")) return h("polygon", { class: "badge", points: `${x},${y - r} ${x + r},${y + r * 0.8} ${x - r},${y + r * 0.8}` });
  if (names.includes("win")) {
    const star = Array.from({ length: 10 }, (_, k) => {
      const radius = k % 2 ? r * 0.5 : r * 1.25;
      return `${x + radius * Math.sin((k * Math.PI) / 5)},${y - radius * Math.cos((k * Math.PI) / 5)}`;
    });
    return h("polygon", { class: "badge", points: star.join(" ") });
  }
  if (names.includes("laid")) return h("rect", { class: "badge", x: x - r * 0.8, y: y - r * 0.8, width: r * 1.6, height: r * 1.6 });
  return null;
}

function doubtful(rule, doubt, box) {
  const [x, y] = doubt.mark;
  const r = Math.max(box[2], box[3]) / 30;
  return h("g", { class: "doubt", role: "button", tabindex: "0", "data-doubt": doubt.place, "aria-label": t(`doubt_${doubt.why}`), onkeydown: pressed(() => doubtSheet(rule, doubt)) },
    h("path", { d: `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z` }), h("text", { x, y, "font-size": r * 1.1 }, "?"));
}

const pressed = (work) => (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); work(); } };

function label(card) {
  const parts = [card.card];
  if (!card.sure) parts.push("?");
  if (laidOf(card.id)) parts.push("( )");
  if (card.id === hand.win) parts.push("★");
  return parts.join(" ");
}

function chips(rule, addedOnly = false) {
  const list = counted().filter((card) => !addedOnly || card.place === null);
  return h("div", { class: "chips", id: "chips" }, list.map((card) => {
    const names = classes(card).replace("picked-out", "chosen");
    const sign = names.includes("win") ? "★ " : names.includes("laid") ? "■ " : "";
    return h("button", { type: "button", class: `chip ${names}`, "data-id": card.id, onclick: () => tapped(rule, card.id) },
      sign, hand.picked[card.id] ? PICKED : "", card.card);
  }));
}

// Outlines cover one another, prints do not: a finger means the print that is nearest to it.
function touched(rule, event) {
  const own = event.target.closest("[data-id], [data-doubt]");
  let place = own && (own.dataset.id ?? `?${own.dataset.doubt}`);
  if (event.detail) {
    const matrix = event.currentTarget.getScreenCTM().inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    const marks = [
      ...cards().filter((card) => card.read).map((card) => [card.id, card.read.mark]),
      ...doubts().map((doubt) => [`?${doubt.place}`, doubt.mark]),
    ].map(([id, mark]) => [Math.hypot(mark[0] - x, mark[1] - y), id]).sort((one, other) => one[0] - other[0]);
    const reach = Math.max(...view().slice(2)) / 8;
    if (marks.length && marks[0][0] < reach) [[, place]] = marks;
  }
  if (!place) return;
  if (!place.startsWith("?")) tapped(rule, place);
  else if (!hand.marking) doubtSheet(rule, doubts().find((doubt) => `?${doubt.place}` === place));
}

function tapped(rule, id) {
  const card = cards().find((each) => each.id === id);
  if (hand.marking) {
    if (card.gone) return;
    if (hand.marking.length === MOST_IN_GROUP && !hand.marking.includes(id)) { notice(t("group_full", { n: MOST_IN_GROUP }), true); return; }
    hand.marking = hand.marking.includes(id) ? hand.marking.filter((each) => each !== id) : [...hand.marking, id];
    refresh(rule);
  } else cardSheet(rule, card);
}

// The ink that a card is printed in (RULES.md, section 2): in the deck of 96 it follows its place in its phrase.
function inkOf(kind, faces, name) {
  if (kind === 96) return ["red", "green", ""][faces.indexOf(name) % 3];
  return RED.has(name.replace("花", "")) ? "red" : "";
}

function keys(rule, likely, done) {
  const key = (name) => h("button", { type: "button", "data-card": name, class: inkOf(rule.kind, faces, name), onclick: () => done(name) }, name);
  return [
    likely.length ? [h("p", {}, t("likely")), h("div", { class: "keys likely" }, likely.map(key))] : null,
    h("p", {}, t("every_card")),
    h("div", { class: "keys" }, faces.map(key)),
  ];
}

function cardSheet(rule, card) {
  const { id, place } = card;
  if (card.gone) {
    sheet(t("card_is"), button("restore", () => { hand.gone.delete(place); changed(rule); }, { class: "main" }));
    return;
  }
  const set = (name) => {
    if (place === null) hand.added = hand.added.map((each) => (each.id === id ? { ...each, card: name } : each));
    else hand.fixes[place] = name;
    changed(rule);
  };
  const likely = card.sure ? [] : [card.card, ...card.read.others.filter(([, share]) => share > 0.005).map(([name]) => name)].slice(0, 6);
  const remove = () => {
    if (place === null) hand.added = hand.added.filter((each) => each.id !== id);
    else hand.gone.add(place);
    changed(rule);
  };
  const heap = card.read ? counted().filter((each) => each.read && each.read.group === card.read.group) : [];
  sheet(
    `${t("card_is")} ${card.card}`,
    h("div", { class: "row" },
      laidOf(id) ? null : hand.win === id
        ? button("not_win", () => { hand.win = null; changed(rule); })
        : button("is_win", () => { hand.win = id; changed(rule); }, { id: "is-win" }),
      usesPicked(rule) && !laidOf(id) ? button(hand.picked[id] ? "not_picked" : "is_picked", () => { hand.picked[id] = !hand.picked[id]; changed(rule); }) : null,
      button("remove", remove, { class: "bad", id: "remove" }),
      heap.length > 1 ? button("remove_group", () => { heap.forEach((each) => hand.gone.add(each.place)); changed(rule); }, { class: "bad" }) : null),
    keys(rule, likely, set),
  );
}

const usesPicked = (rule) => rule.rule === "tongcheng" || (rule.rule === "jingzhou_shuangbiegan");

function doubtSheet(rule, doubt) {
  sheet(
    t(`doubt_${doubt.why}`),
    button("nothing_here", () => { hand.nothing.add(doubt.place); changed(rule); }, { id: "nothing" }),
    keys(rule, [], (name) => { hand.nothing.add(doubt.place); add(name); changed(rule); }),
  );
}

function add(name) {
  const id = `a${hand.next}`;
  hand.added.push({ id, card: name });
  hand.next += 1;
  return id;
}

function addSheet(rule) {
  const tally = h("p", { class: "chips" });
  const tell = () => show(tally, counted().map((card) => h("span", { class: "chip" }, card.card)));
  tell();
  sheet(t("add_card"), tally, keys(rule, [], (name) => {
    if (counted().length >= MOST_CARDS) { notice(t("hand_full", { n: MOST_CARDS }), true); return; }
    add(name);
    tell();
    asked += 1;
    remember(false);
  }));
  whenClosed(() => { if (hand) changed(rule); });
}

function said(rule) {
  const unsure = counted().filter((card) => !card.sure).length + doubts().length;
  const bar = hand.marking ? [
    h("p", {}, t("mark_hint")),
    h("div", { class: "row" },
      button("lay_round", () => lay(rule, "round"), { disabled: !hand.marking.length, id: "lay-round" }),
      button("lay_square", () => lay(rule, "square"), { disabled: !hand.marking.length }),
      button("cancel", () => { hand.marking = null; refresh(rule); })),
  ] : h("div", { class: "row" },
    button("add_card", () => addSheet(rule), { id: "add" }),
    button("mark_group", () => { hand.marking = []; refresh(rule); }, { id: "mark", disabled: !counted().length }),
    button("new_hand", () => { drop(); draw(); }, { id: "new" }));
  return [
    h("p", {}, t("cards_count", { n: counted().length }), unsure ? h("b", {}, ` · ${t("unsure_count", { n: unsure })}`) : null),
    hand.laid.length ? h("div", { class: "chips" }, hand.laid.map((group, place) => {
      const names = group.ids.map((id) => counted().find((card) => card.id === id).card).join("");
      return h("button", { type: "button", class: "chip laid", onclick: () => { hand.laid.splice(place, 1); changed(rule); } }, group.bracket === "round" ? `(${names})` : `[${names}]`, " ✕");
    })) : null,
    bar,
  ];
}

function lay(rule, bracket) {
  const ids = hand.marking;
  hand.laid = hand.laid.map((group) => ({ ...group, ids: group.ids.filter((id) => !ids.includes(id)) })).filter((group) => group.ids.length);
  hand.laid.push({ ids, bracket });
  hand.marking = null;
  changed(rule);
}

function guess(rule) {
  const found = hand.result && hand.result.guess;
  if (!found || hand.marking || (hand.laid.length && hand.win !== null)) return null;
  const order = counted();
  const key = found.laid && found.win ? "guess" : found.laid ? "guess_laid" : "guess_win";
  const use = () => {
    if (!hand.laid.length) hand.laid = found.indices.map((places) => ({ ids: places.map((place) => order[place].id), bracket: "round" }));
    if (hand.win === null && found.win_index !== null && found.win_index !== undefined) hand.win = order[found.win_index].id;
    changed(rule);
  };
  return h("div", { class: "box" }, h("p", {}, t(key, { laid: found.laid, win: found.win })), h("p", { class: "soft" }, t("guess_note")),
    button("use_guess", use, { class: "main", id: "use-guess" }));
}

function result(rule) {
  if (hand.fault) return h("p", { class: "box" }, hand.fault);
  if (!hand.result) return hand.counting ? busy("counting") : null;
  const found = hand.result;
  const { seats } = sitting(rule);
  const pays = found.payments.map((pay) => h("li", {}, t("pays_to", { a: nameOf(seats[pay.seat]), b: nameOf(seats[pay.to]) }), " ", h("b", {}, String(pay.pays))));
  const head = found.wins
    ? h("div", { class: "points", id: "points" }, String(found.points), h("small", {}, ` ${found.unit} · ${found.steps} ${found.step_unit}`), found.class ? h("small", {}, ` · ${found.class}`) : null)
    : h("div", { id: "points" }, h("div", { class: "points" }, h("small", {}, t("no_win"))), h("p", {}, found.reason_text || found.reason));
  return [
    question(rule, found),
    h("div", { class: hand.counting ? "box counting" : "box" },
      head,
      !found.settled && found.points_range && found.points_range[0] !== found.points_range[1] ? h("p", {}, t("range", { a: found.points_range[0], b: found.points_range[1] })) : null,
      found.wins ? h("ul", { class: "pays", id: "pays" }, pays.length ? pays : t("nobody_pays")) : null,
      !found.wins && found.penalty && found.penalty.length ? button("write_false", () => guarded(() => writeFalse(found, seats)), { class: "bad", id: "write-false" }) : null,
      found.warnings.map((warning) => h("p", { class: "soft" }, `⚠ ${warning.text}`)),
      found.groups.length ? explanation(found) : null),
  ];
}

export function explanation(found) {
  return h("details", { id: "why" }, h("summary", {}, t("why"), found.main_jing ? ` · ${t("main_jing", { card: found.main_jing })}` : ""),
    h("div", { class: "scroll" }, h("table", {}, h("tbody", {}, found.groups.map((group) => h("tr", {},
      h("td", { class: "cards" }, group.cards.join(" "), h("small", {}, group.name)), h("td", { class: "n" }, String(group.points)), h("td", {}, group.why)))))));
}

function question(rule, found) {
  const unsure = counted().some((card) => !card.sure) || doubts().length;
  if (found.settled) return unsure ? h("p", { class: "box" }, t("settled_anyway")) : null;
  const first = found.questions[0];
  if (!first) return null;
  const { seats } = sitting(rule);
  const order = counted();
  const asks = first.index === null || first.index === undefined ? null : order[first.index];
  const answer = (card) => {
    if (asks) {
      if (card === null) { if (asks.place === null) hand.added = hand.added.filter((each) => each.id !== asks.id); else hand.gone.add(asks.place); } else hand.fixes[asks.place] = card;
    } else {
      const doubt = doubts()[first.doubt];
      if (doubt) hand.nothing.add(doubt.place);
      if (card !== null) add(card);
    }
    changed(rule);
  };
  const seen = asks ? asks.read && asks.read.mark : (doubts()[first.doubt] || {}).mark;
  const told = (each) => {
    const pays = (each.payments || []).map((pay) => `${nameOf(seats[pay.seat])}→${nameOf(seats[pay.to])} ${pay.pays}`).join(" ");
    return pays ? `${each.points} ${found.unit} ${pays}` : t("no_win");
  };
  return h("div", { class: "box ask", id: "question" },
    h("p", {}, h("b", {}, `▲ ${t("not_settled")}`)),
    seen && hand.photos.length ? h("p", {}, crop(seen)) : null,
    first.answers.slice(0, 4).map((each) => h("button", { type: "button", class: "line", "data-card": each.card || "", onclick: () => answer(each.card) },
      h("span", { class: "cards" }, each.card || t("not_here")), h("span", { class: "soft" }, told(each)))),
    asks ? h("button", { type: "button", onclick: () => cardSheet(rule, asks) }, t("every_card")) : null);
}

// The print that is asked for, cut out of the photo with what lies round it, so that nobody has to look for it.
function crop([x, y]) {
  const edges = hand.reading.cards.map(({ outline }) => Math.hypot(outline[1][0] - outline[0][0], outline[1][1] - outline[0][1])).sort((one, other) => one - other);
  const edge = edges[edges.length >> 1] || Math.max(...hand.reading.size) / 16;
  const box = [x - 2 * edge, y - 1.2 * edge, 4 * edge, 2.4 * edge];
  return h("svg", { viewBox: box.join(" "), class: "crop", style: `--w: ${edge / 14}px` }, photoImage(),
    h("circle", { cx: x, cy: y, r: edge * 0.62 }));
}

function who(rule) {
  const { seats, rested } = sitting(rule);
  const names = seats.map((player) => [player, nameOf(player)]);
  const pick = (key, id, value, options, set) => field(key, choose(value, options, (chosen) => { set(chosen || null); changed(rule); }, { id }));
  const others = names.filter(([player]) => player !== hand.winner).map(([player, name]) => [player, t("from_player", { name })]);
  const details = rule.option_details || [];
  const bao = details.some((option) => option.name === "bao" && String(terms().options.bao ?? option.default) === "true");
  return h("div", { class: "box" },
    pick("who_won", "winner", hand.winner, names, (value) => { hand.winner = value; }),
    pick("from_whom", "discarder", hand.discarder || "", [["", t("self_drawn")], ...others], (value) => { hand.discarder = value; }),
    pick("dealer", "dealer", hand.dealer || "", [["", t("nobody")], ...state.table.seats.map((player) => [player, nameOf(player)])], (value) => { hand.dealer = value; }),
    rested.length ? h("p", { class: "soft" }, t("rests", { names: rested.map((player) => nameOf(player)).join(" ") })) : null,
    bao ? h("details", {}, h("summary", {}, t("dui")), seats.map((player) => h("label", {}, h("span", {}, nameOf(player)),
      h("input", { type: "number", min: "0", max: "8", step: "1", inputmode: "numeric", value: hand.dui[player] || "", onchange: (event) => { hand.dui[player] = Math.max(0, Math.min(8, Math.trunc(Number(event.target.value)) || 0)); changed(rule); } })))) : null);
}

function end(rule) {
  const found = hand.result;
  const ready = found && found.wins && !hand.counting && !hand.fault;
  const { seats } = sitting(rule);
  return [
    hand.photos.length ? h("label", { class: "check" }, h("input", { type: "checkbox", id: "keep-photo", checked: hand.keepPhoto, onchange: (event) => { hand.keepPhoto = event.target.checked; remember(false); } }), h("span", {}, t("keep_photo"))) : null,
    button("write", () => guarded(() => write(rule)), { class: "main", id: "write", disabled: !ready || seats.length < 2 }),
    counted().length && seats.length > 1 ? h("div", { class: "row" },
      button("waits", () => guarded(() => ask(rule, "waits")), { id: "waits" }),
      button("advise", () => guarded(() => ask(rule, "advise")), { id: "advise" }),
      found && found.points !== null ? button("slip", () => handSlip(rule), { id: "slip", disabled: hand.counting }) : null) : null,
  ];
}

function handSlip(rule) {
  const { photos, reading } = hand;
  const body = { ...request(rule), names: sitting(rule).seats.map((player) => nameOf(player)) };
  slipSheet(photos.length > 0, async (query, withPhoto) => {
    const parts = [["hand", JSON.stringify(body)]];
    if (withPhoto) parts.push(["photo", await wholePhoto(photos, reading.size)]);
    return file(`/slip?${query}`, parts);
  });
}

async function write(rule) {
  const found = hand.result;
  if (!found.settled && !confirm(t("unsure_confirm"))) return;
  const mine = hand;
  const { seats, rested } = sitting(rule);
  const tableId = state.table.id;
  let photo = mine.corrects ? mine.corrects.photo : null;
  busyWriting(mine, true);
  if (mine.keepPhoto && mine.photos.length) {
    try {
      photo = (await upload(`/tables/${tableId}/photos`, [["photo", await wholePhoto(mine.photos, mine.reading.size)]])).sha256;
    } catch { notice(t("photo_not_kept"), true); }
  }
  const round = {
    kind: "scored", hand: found.hand, win: found.win || null, winner: mine.winner, discarder: mine.discarder,
    dui: Object.fromEntries(Object.entries(mine.dui).filter(([player, times]) => times && seats.includes(player))), seats, rested, dealer: mine.dealer,
    note: mine.corrects ? mine.corrects.note : "", photo,
  };
  const taught = teachings(mine);
  try {
    if (mine.corrects) {
      const answer = await send("PUT", `/tables/${tableId}/rounds/${mine.corrects.number}?seen=${mine.corrects.seen}`, round, mine.key);
      if (state.table && state.table.id === tableId) setTable(answer.table);
      notice(t("written"));
    } else notice(t((await queue(tableId, `/tables/${tableId}/rounds`, round, mine.key)) ? "written" : "written_later"));
  } catch (error) {
    busyWriting(mine, false);
    throw error;
  }
  isWritten(mine);
  if (taught.length) teach(tableId, mine.reading.deck, taught);
}

// While a hand is being written it is neither changed nor written again.
function busyWriting(mine, writing) {
  mine.writing = writing;
  if (state.tab === "count") draw();
}

function isWritten(mine) {
  if (hand === mine) drop();
  if (state.tab === "count") state.tab = "ledger";
  if (state.tab === "ledger") draw();
}

// A hand that was declared and does not win: what the table's option says is written as a round by hand.
async function writeFalse(found, seats) {
  const mine = hand;
  const amounts = {};
  for (const pay of found.penalty) {
    amounts[seats[pay.seat]] = (amounts[seats[pay.seat]] || 0) - pay.pays;
    amounts[seats[pay.to]] = (amounts[seats[pay.to]] || 0) + pay.pays;
  }
  const { rested } = sitting(await ruleOf(state.table.rule));
  busyWriting(mine, true);
  const round = { kind: "by_hand", amounts, seats, rested, dealer: mine.dealer, note: t("false_claim") };
  try {
    const sent = await queue(state.table.id, `/tables/${state.table.id}/rounds`, round, mine.key);
    notice(t(sent ? "written" : "written_later"));
  } catch (error) {
    busyWriting(mine, false);
    throw error;
  }
  isWritten(mine);
}

// What was corrected in each photo, where its deck is known.
function teachings({ reading, photos, fixes }) {
  if (!reading.deck) return [];
  const corrections = Object.entries(fixes).filter(([place, card]) => reading.cards[place].card !== card || !reading.cards[place].sure);
  return photos.map(({ blob, top, first }, number) => {
    const last = number + 1 < photos.length ? photos[number + 1].first : reading.cards.length;
    const cards = corrections.filter(([place]) => place >= first && place < last)
      .map(([place, card]) => ({ mark: [reading.cards[place].mark[0], reading.cards[place].mark[1] - top], card }));
    return { blob, cards };
  }).filter(({ cards }) => cards.length);
}

async function teach(tableId, deck, taught) {
  try {
    const path = `/tables/${tableId}/decks/${encodeURIComponent(deck)}/corrections`;
    let learned = 0;
    const refused = [];
    for (const { blob, cards } of taught) {
      const told = await upload(path, [["photo", blob], ["corrections", JSON.stringify({ cards })]]);
      learned += told.taught;
      refused.push(...told.refused.map(({ card, looks }) => t("not_taught", { card, looks })));
    }
    if (refused.length) notice(refused.join(" "), true);
    else if (learned) notice(t("taught"));
  } catch { /* The round is written; the deck learns another time. */ }
}

// A round of the ledger on this screen again, to be corrected card by card.
export async function correctHand(line) {
  const { entry } = line;
  begin(await ruleOf(state.table.rule));
  const groups = [[]];
  for (const token of entry.hand.match(/撿?花?[^\s花撿]/g) || []) {
    if ("([".includes(token)) groups.push([token]);
    else if (")]".includes(token)) groups.push([]);
    else groups.at(-1).push(token);
  }
  for (const group of groups) {
    const bracket = { "(": "round", "[": "square" }[group[0]];
    const ids = (bracket ? group.slice(1) : group).map((token) => {
      const id = add(token.replace(PICKED, ""));
      if (token.startsWith(PICKED)) hand.picked[id] = true;
      return id;
    });
    if (bracket) hand.laid.push({ ids, bracket });
  }
  const free = hand.added.filter((card) => !laidOf(card.id));
  const won = free.find((card) => card.card === entry.score.win);
  hand.win = won ? won.id : null;
  hand.dealer = entry.dealer;
  hand.winner = entry.winner;
  hand.discarder = entry.discarder;
  hand.dui = Object.fromEntries(Object.entries(entry.score.dui || {}).map(([seat, times]) => [entry.seats[seat], times]));
  hand.corrects = {
    number: line.number, seen: line.versions.at(-1).seq, note: entry.note, photo: entry.photo,
    sitting: { seats: entry.seats, rested: entry.rested }, terms: { options: entry.options, stake: entry.stake },
  };
  remember();
  closeSheet();
  state.tab = "count";
  draw();
  count();
}

// The hand in text; for what it waits for the winning card stays out.
function text(withWin) {
  const inside = counted().filter((card) => !laidOf(card.id) && (withWin || card.id !== hand.win));
  const groups = hand.laid.map((group) => {
    const names = group.ids.map((id) => counted().find((card) => card.id === id).card).join("");
    return group.bracket === "round" ? `(${names})` : `[${names}]`;
  });
  return [inside.map((card) => (hand.picked[card.id] ? PICKED : "") + card.card).join(""), ...groups].join(" ");
}

async function ask(rule, what) {
  const { seats } = sitting(rule);
  const body = { rule: state.table.rule, ...terms(), players: seats.length, hand: text(what === "advise") };
  const mine = sheetTurn();
  const answer = await send("POST", `/${what}`, body);
  await calm();
  if (mine !== sheetTurn() || state.tab !== "count") return;
  const [unit, step] = hand.result ? [hand.result.unit, hand.result.step_unit] : ["", ""];
  const line = (wait) => h("tr", { class: wait.wins ? "" : "soft" }, h("td", { class: "cards" }, wait.card), h("td", {}, t("left_in_deck", { n: wait.left }), wait.form ? h("small", {}, wait.form) : null),
    h("td", { class: "n" }, `${wait.points ?? "—"} ${unit}`), h("td", { class: "n" }, wait.wins ? `${wait.steps} ${step}` : t("no_win")));
  const lines = (waits) => (waits.length ? h("table", {}, h("tbody", {}, waits.map(line))) : h("p", {}, t("no_waits")));
  if (what === "waits") sheet(t("waits"), lines(answer.waits));
  else sheet(t("advise"), h("p", {}, answer.why), answer.advise.slice(0, 8).map((each) => [h("h2", {}, t("discard", { card: each.discard })), lines(each.waits)]));
}


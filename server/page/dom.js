// Small helpers: elements from data, one sheet, one notice. Text is only ever set as text.
import { t } from "./text.js";

export function h(tag, attributes = {}, ...children) {
  const svg = ["svg", "polygon", "g", "text", "path", "circle", "rect", "image"].includes(tag);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const $ = (id) => document.getElementById(id);

export function show(element, ...children) {
  element.replaceChildren(...children.flat(3).filter(Boolean));
}

// A second tap while the first is still being worked on does nothing.
function once(work) {
  let working = false;
  return async () => {
    if (working) return;
    working = true;
    try { await work(); } finally { working = false; }
  };
}

export function button(key, work, more = {}) {
  return h("button", { type: "button", onclick: once(work), ...more }, t(key));
}

// A button that is replaced between the two halves of a tap is not tapped. So what comes by itself, as an answer does,
// waits for the finger to lift before it changes the screen; two seconds at most, for not every lift is told.
let pressed = false;
let lifting = 0;
let calmed = [];

function lifted() {
  pressed = false;
  clearTimeout(lifting);
  const waiting = calmed;
  calmed = [];
  for (const go of waiting) go();
}

function lift(within) {
  clearTimeout(lifting);
  lifting = setTimeout(lifted, within);
}

addEventListener("pointerdown", () => { pressed = true; lift(2000); }, true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => lift(300), true);
for (const end of ["click", "change"]) addEventListener(end, () => lift(0), true);

export function calm() {
  return pressed ? new Promise((go) => { calmed.push(go); }) : Promise.resolve();
}

let hiding = 0;
export function notice(text, bad = false) {
  clearTimeout(hiding);
  const box = $("notice");
  box.textContent = text;
  // A sheet covers the lower part of the screen.
  box.className = `${bad ? "bad" : ""} ${$("sheet").open ? "high" : ""}`;
  box.hidden = !text;
  // Over an open sheet too, where the browser can.
  if (box.showPopover) {
    if (box.matches(":popover-open")) box.hidePopover();
    if (text) box.showPopover();
  }
  if (text) hiding = setTimeout(() => { box.hidden = true; }, bad ? 12000 : 5000);
}

// What is done once the open sheet is closed, in whatever way. The browser tells of a close later, perhaps when the
// next sheet is open already; so this does not wait for it, but where a key of the phone closed the sheet.
let closed = null;
let turn = 0;
function finish() {
  turn += 1;
  const work = closed;
  closed = null;
  if (work) work();
}

export function whenClosed(work) {
  closed = work;
}

// Another number with every sheet that opens or closes: an answer that comes late leaves alone what opened meanwhile.
export const sheetTurn = () => turn;

export function sheet(title, ...children) {
  const box = $("sheet");
  finish();
  show(box, h("h2", {}, title), children, h("div", { class: "row" }, button("close", closeSheet, { class: "close" })));
  box.onclose = () => { if (!box.open) finish(); };
  if (!box.open) box.showModal();
  box.scrollTop = 0;
}

export function closeSheet(of = turn) {
  if (of !== turn) return;
  if ($("sheet").open) $("sheet").close();
  finish();
}

export function field(key, input) {
  return h("label", {}, h("span", {}, t(key)), input);
}

export function choose(value, options, onchange, more = {}) {
  const list = options.map(([name, text]) => h("option", { value: String(name), selected: String(name) === String(value) }, text));
  return h("select", { onchange: (event) => onchange && onchange(event.target.value), ...more }, list);
}

// A button that lets files be chosen; looks like any other where it is not one of the two large ones.
export function fileButton(key, more, taken, look = "file plain") {
  const take = (event) => { const files = [...event.target.files]; event.target.value = ""; if (files.length) taken(files); };
  return h("label", { class: look }, h("span", {}, t(key)), h("input", { type: "file", onchange: take, ...more }));
}

export function busy(key) {
  return h("div", { class: "busy" }, t(key));
}

export function signed(amount) {
  const text = amount > 0 ? `+${amount}` : String(amount).replace("-", "−");
  return h("span", { class: amount > 0 ? "plus" : amount < 0 ? "minus" : "" }, text);
}

export async function guarded(work) {
  try {
    return await work();
  } catch (error) {
    notice(error.message, true);
    return undefined;
  }
}

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

export function button(key, onclick, more = {}) {
  return h("button", { type: "button", onclick, ...more }, t(key));
}

let hiding = 0;
export function notice(text, bad = false) {
  clearTimeout(hiding);
  const box = $("notice");
  box.textContent = text;
  box.className = bad ? "bad" : "";
  box.hidden = !text;
  if (text) hiding = setTimeout(() => { box.hidden = true; }, bad ? 12000 : 5000);
}

// What is done once the open sheet is closed, in whatever way. The browser tells of a close later, perhaps when the
// next sheet is open already; so this does not wait for it, but where a key of the phone closed the sheet.
let closed = null;
function finish() {
  const work = closed;
  closed = null;
  if (work) work();
}

export function whenClosed(work) {
  closed = work;
  $("sheet").onclose = () => { if (!$("sheet").open) finish(); };
}

export function sheet(title, ...children) {
  const box = $("sheet");
  finish();
  show(box, h("h2", {}, title), children, h("div", { class: "row" }, button("close", closeSheet, { class: "close" })));
  if (!box.open) box.showModal();
  box.scrollTop = 0;
}

export function closeSheet() {
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

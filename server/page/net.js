// Talking to the service, and the rounds that wait to be sent.
import { language, t } from "./text.js";

const KEEP = "suanhu.";

export function kept(name, otherwise) {
  try {
    const text = localStorage.getItem(KEEP + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

// What is kept only to be shown while the service is out of reach makes room for what must not be lost.
export function keep(name, value) {
  const text = JSON.stringify(value);
  const here = `${KEEP}ledger.${kept("current", "")}`;
  const ledgers = Object.keys(localStorage).filter((other) => other.startsWith(`${KEEP}ledger.`));
  const spare = [...ledgers.filter((other) => other !== here), ...ledgers.filter((other) => other === here)];
  for (;;) {
    try {
      localStorage.setItem(KEEP + name, text);
      return true;
    } catch {
      if (!spare.length) return false;
      localStorage.removeItem(spare.shift());
    }
  }
}

export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || t("failed"));
    this.status = status;
    this.code = body.code || "";
    this.after = 0;
  }
}

export class Offline extends Error {
  constructor() {
    super(t("offline"));
  }
}

async function ask(method, path, { json, form, key, timeout = 20000 } = {}) {
  const headers = { "accept-language": language() };
  const token = kept("token", null);
  if (token) headers.authorization = `Bearer ${token}`;
  if (key) headers["idempotency-key"] = key;
  if (json !== undefined) headers["content-type"] = "application/json";
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), timeout);
  try {
    const body = form || (json === undefined ? undefined : JSON.stringify(json));
    const answer = await fetch(`/api/v1${path}`, { method, headers, body, signal: ending.signal, cache: "no-store" });
    if (answer.ok) return answer;
    let told = {};
    try { told = await answer.json(); } catch { /* a proxy's own page */ }
    const problem = new Problem(answer.status, told);
    problem.after = Number(answer.headers.get("retry-after")) || 0;
    if (problem.status === 502 || problem.status === 504) throw new Offline();
    throw problem;
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Offline();
  } finally {
    clearTimeout(timer);
  }
}

export async function get(path) {
  return (await ask("GET", path)).json();
}

export async function send(method, path, json, key) {
  const answer = await ask(method, path, { json, key });
  return answer.status === 204 ? null : answer.json();
}

export async function upload(path, parts) {
  return (await post(path, parts)).json();
}

async function post(path, parts) {
  const form = new FormData();
  for (const [name, value] of parts) {
    if (value instanceof Blob) form.append(name, value, value.name || "photo.jpg");
    else form.append(name, value);
  }
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask("POST", path, { form, timeout: 120000 });
    } catch (error) {
      // The queue is full: the service says when to come back.
      if (error.status !== 503 || error.code !== "too_busy" || tries > 4) throw error;
      await new Promise((done) => setTimeout(done, Math.min(error.after || 1, 10) * 1000));
    }
  }
}

// A file that the service makes, with what it is made from where it has to be sent.
export async function file(path, parts = null) {
  return (await (parts ? post(path, parts) : ask("GET", path, { timeout: 60000 }))).blob();
}

export async function picture(path, json) {
  return (await ask("POST", path, { json })).blob();
}

export async function download(path, name) {
  save(await file(path), name);
}

export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

export async function blobUrl(path) {
  return URL.createObjectURL(await file(path));
}

export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// What was confirmed is kept in the page's storage first and sent from there, in order, each with its key:
// a round that was sent but whose answer was lost is sent again and written once.
let sending = null;
let listeners = [];

// Each round has an entry of its own, so that two windows of one phone never write over one another.
const BOX = "outbox.";

export function waiting() {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(KEEP + BOX)).sort();
  return names.map((name) => kept(name.slice(KEEP.length), null)).filter(Boolean);
}

export function onSent(listener) {
  listeners.push(listener);
}

let queued = 0;
// Gives back whether the round is written; if not, it waits.
export async function queue(tableId, path, json, key = newKey()) {
  queued += 1;
  const name = `${BOX}${String(Date.now()).padStart(15, "0")}.${String(queued).padStart(4, "0")}.${key}`;
  const item = { name, key, tableId, path, json, fault: null };
  // A browser that keeps nothing can still send.
  if (!keep(name, item)) { await send("POST", path, json, key); return true; }
  // Sending that had begun before does not know of this round.
  await sending;
  await flush();
  return localStorage.getItem(KEEP + name) === null;
}

export function discard(item) {
  localStorage.removeItem(KEEP + item.name);
}

export function flush() {
  sending = sending || sendAll().finally(() => { sending = null; });
  return sending;
}

async function sendAll() {
  for (const item of waiting()) {
    if (item.fault) continue;
    try {
      const answer = await send("POST", item.path, item.json, item.key);
      discard(item);
      for (const listener of listeners) listener(item, answer);
    } catch (error) {
      if (error instanceof Offline || error.status === 503 || error.status === 401) return;
      keep(item.name, { ...item, fault: error.message });
      for (const listener of listeners) listener(item, null);
    }
  }
}

addEventListener("online", () => flush());
setInterval(() => { if (waiting().length) flush(); }, 15000);

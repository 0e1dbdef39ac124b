// A hand that is not written yet, kept with its photos where the page finds it again: a browser that is short of
// memory drops the page while the camera is open. A browser that keeps nothing goes on without.
const STORE = "unfinished";
const MOST_HOURS = 12;

let opened = null;
function store() {
  opened = opened || new Promise((done, fail) => {
    const asked = indexedDB.open("suanhu", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => fail(asked.error);
  });
  return opened;
}

async function within(mode, work) {
  try {
    const base = await store();
    return await new Promise((done, fail) => {
      const change = base.transaction(STORE, mode);
      const asked = work(change.objectStore(STORE));
      change.oncomplete = () => done(asked.result);
      change.onerror = () => fail(change.error);
      change.onabort = () => fail(change.error);
    });
  } catch {
    return undefined;
  }
}

export function putAside(name, value) {
  return within("readwrite", (kept) => (value === null ? kept.delete(name) : kept.put({ at: Date.now(), value }, name)));
}

// What was put aside this evening; what is older is forgotten.
export async function takenUp(name) {
  const found = await within("readonly", (kept) => kept.get(name));
  if (!found) return null;
  if (Date.now() - found.at < MOST_HOURS * 3600e3) return found.value;
  putAside(name, null);
  return null;
}

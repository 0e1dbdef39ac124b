// Keeps the page itself for when there is no network. The API is never kept: what it says must be true now.
const NAME = "suanhu-page-3";
const FILES = ["./", "style.css", "app.js", "count.js", "ledger.js", "slip.js", "tables.js", "dom.js", "net.js", "text.js", "unfinished.js", "icon.svg", "manifest.json"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== NAME).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  event.respondWith(
    fetch(event.request)
      .then((answer) => {
        if (answer.ok) {
          const copy = answer.clone();
          caches.open(NAME).then((cache) => cache.put(event.request, copy));
        }
        return answer;
      })
      .catch(() => caches.match(event.request, { ignoreSearch: true }).then((kept) => kept || Response.error())),
  );
});

// Lets the page "Play offline" open without a network. The page itself fills the cache; this only looks there
// when the arena cannot be reached, so nothing is ever older than it has to be.
const CACHE = "play-offline";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function answer(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await (await caches.open(CACHE)).match(request.mode === "navigate" ? new URL(request.url).pathname : request);
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && new URL(event.request.url).origin === location.origin) event.respondWith(answer(event.request));
});

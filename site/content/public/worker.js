/**
 * Keeps what was loaded, so that the site works without a network afterwards, and gives pages the headers under which they may use threads where
 * the server of the files does not. Files whose names have a hash never change; all others are asked for anew when there is a network.
 */
const CACHE = "site-1";
const HASHED = /\/assets\/.*\.[\w-]{8}\.(lean\.)?(js|css|woff2)$/;

function isolated(response) {
  if (response.status === 0) return response;
  const headers = new Headers(response.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept && HASHED.test(new URL(request.url).pathname)) return kept;
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await cache.put(request, fresh.clone());
    return isolated(fresh);
  } catch (error) {
    if (kept) return isolated(kept);
    throw error;
  }
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith(answer(request));
});

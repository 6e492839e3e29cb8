// Keeps the page for use without a network. A new version of the page is another cache.
"use strict";

const CACHE = "etwkit @version@";
const FILES = ["./", "worker.js", "engine.wasm"];

addEventListener("install", event => event.waitUntil(caches.open(CACHE).then(cache => cache.addAll(FILES)).then(() => skipWaiting())));

addEventListener("activate", event => event.waitUntil(caches.keys()
  .then(names => Promise.all(names.filter(name => name.startsWith("etwkit ") && name !== CACHE).map(name => caches.delete(name))))
  .then(() => clients.claim())));

addEventListener("fetch", event => event.respondWith(caches.open(CACHE)
  .then(cache => cache.match(event.request, { ignoreSearch: true })).then(kept => kept ?? fetch(event.request))));

// Runs the arena's own engine, in Python, beside the page. Its files are fetched when the first question comes,
// and none is used before it has the hash that the page names.
const originalFetch = self.fetch.bind(self);
let python = null; // a promise of the function that answers

const hex = (bytes) => [...new Uint8Array(bytes)].map((one) => one.toString(16).padStart(2, "0")).join("");
const base64 = (text) => btoa(String.fromCharCode(...text.match(/../g).map((two) => parseInt(two, 16))));

class FetchError extends Error {}
class HashError extends Error {}

// Reads one file, tells how much has come, and checks it.
async function download(address, { sha256, size }, onBytes) {
  // Browsers hash only for pages that came over HTTPS or from this machine; elsewhere they check it themselves, at the end.
  const hashes = Boolean(self.crypto?.subtle);
  const answer = await originalFetch(address, hashes ? {} : { integrity: `sha256-${base64(sha256)}` }).catch(() => { throw new FetchError(address); });
  if (!answer.ok) throw new FetchError(`${address}: ${answer.status}`);
  const bytes = new Uint8Array(size);
  let at = 0;
  const reader = answer.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => { throw new FetchError(address); });
    if (done) break;
    if (at + value.length > size) throw new HashError(address);
    bytes.set(value, at);
    at += value.length;
    onBytes(value.length);
  }
  if (at !== size || (hashes && hex(await crypto.subtle.digest("SHA-256", bytes)) !== sha256)) throw new HashError(address);
  return bytes;
}

async function fetchAll({ folder, files }) {
  const total = Object.values(files).reduce((sum, file) => sum + file.size, 0);
  let loaded = 0;
  const onBytes = (count) => {
    loaded += count;
    postMessage({ progress: { loaded, total } });
  };
  const names = Object.keys(files);
  const contents = await Promise.all(names.map((name) => download(folder + name, files[name], onBytes)));
  return new Map(names.map((name, at) => [new URL(folder + name, location.href).href, contents[at]]));
}

// Pyodide gets the bytes that were checked, and no other.
function serveChecked(contents) {
  self.fetch = async (request) => {
    const address = new URL(request.url ?? request, location.href).href;
    const bytes = contents.get(address);
    if (!bytes) throw new FetchError(address);
    return new Response(bytes, { headers: { "Content-Type": address.endsWith(".wasm") ? "application/wasm" : "application/octet-stream" } });
  };
}

async function load(engine) {
  const contents = await fetchAll(engine);
  serveChecked(contents);
  postMessage({ starting: true });
  const { loadPyodide } = await import(`${engine.folder}pyodide.mjs`);
  const pyodide = await loadPyodide({ indexURL: engine.folder, checkAPIVersion: false });
  pyodide.unpackArchive(contents.get(new URL(engine.folder + engine.archive, location.href).href), "zip", { extractDir: "/engine" });
  return pyodide.runPython("import sys; sys.path.insert(0, '/engine')\nfrom aztlan.in_browser.door import Door\nDoor().answer");
}

self.onmessage = async ({ data: { id, engine, message } }) => {
  try {
    python ??= load(engine);
    const answer = await python;
    postMessage({ id, ...JSON.parse(answer(JSON.stringify(message), (done, all) => postMessage({ checked: { done, all } }))) });
  } catch (error) {
    python = null;
    postMessage({ id, failed: error instanceof FetchError ? "fetch" : error instanceof HashError ? "hash" : "start", detail: String(error.message ?? error) });
  }
};

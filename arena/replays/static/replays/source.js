// Where frames come from: a stored match, line by line, or a running one, by server-sent events. And the address of a step.

const LATER = [202, 429, 503];

// Fetches something that may not be ready yet, or that a busy arena puts off: the answer says when to retry.
export async function fetchPatiently(url, options = {}, tries = 6) {
  for (;;) {
    const answer = await fetch(url, options);
    tries -= 1;
    if (!LATER.includes(answer.status) || !tries) return answer;
    const seconds = Number(answer.headers.get("Retry-After")) || 1;
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  }
}

// Reads a stream of JSON lines into a game: first its header, then its frames.
export async function load(url, game) {
  const answer = await fetchPatiently(url); // as the page preloads it, or it would be fetched twice
  if (!answer.ok) throw new Error(`${answer.status}`);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const item = JSON.parse(line);
      if (game.header) game.add(item);
      else game.header = item;
    }
  }
  return game;
}

const RETRY_MS = [1000, 2000, 5000, 15000];

// Follows running matches over one connection, from after the event `had`. A browser reconnects by itself when the connection
// breaks, but gives up when the server refuses (it may be starting): then we reconnect. Closing returns the id of the last event.
export function follow(url, { onHeader, onFrame, onOver, onState }, had = "") {
  let source, timer;
  let tries = 0;
  const listen = {
    match: (message) => onHeader(JSON.parse(message.data)),
    frame: (message) => {
      had = message.lastEventId;
      const { match, frame } = JSON.parse(message.data);
      onFrame(match, frame);
    },
    over: (message) => onOver(JSON.parse(message.data).match),
    end: () => source.close(),
    open: () => {
      tries = 0;
      onState("open");
    },
    error: () => {
      const isClosed = source.readyState === EventSource.CLOSED;
      onState(isClosed ? "closed" : "broken");
      if (isClosed) timer = setTimeout(connect, RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]);
      tries += 1;
    },
  };
  function connect() {
    source = new EventSource(had ? `${url}&had=${encodeURIComponent(had)}` : url);
    for (const [name, act] of Object.entries(listen)) source.addEventListener(name, act);
  }
  connect();
  return {
    close: () => {
      clearTimeout(timer);
      source.close();
      return had;
    },
  };
}

// The address of a step: #step=123&view=seat2
export function readAddress(page) {
  const found = new URLSearchParams(location.hash.slice(1));
  const [step, sub] = (found.get("step") ?? "").split(".").map(Number);
  const view = page.views.includes(found.get("view")) ? found.get("view") : null;
  return { view, step: Number.isFinite(step) && found.has("step") ? step : null, sub: sub || 0 };
}

// The first view needs no name.
export function addressOf(page, view, step) {
  return `#step=${step}${view === page.views[0] ? "" : `&view=${view}`}`;
}

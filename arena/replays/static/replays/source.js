// Where frames come from: a stored match, line by line, or a running one, by server-sent events.

const LATER = [202, 429, 503];

// Fetches what may not be ready, or what the arena is too busy for just now: it says when to ask again.
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
  const answer = await fetchPatiently(url, { headers: { Accept: "application/x-ndjson" } });
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

// Follows running matches over one connection. The browser reconnects by itself and says what it had last.
export function follow(url, { onHeader, onFrame, onOver, onState }) {
  const source = new EventSource(url);
  source.addEventListener("match", (message) => onHeader(JSON.parse(message.data)));
  source.addEventListener("frame", (message) => {
    const { match, frame } = JSON.parse(message.data);
    onFrame(match, frame);
  });
  source.addEventListener("over", (message) => onOver(JSON.parse(message.data).match));
  source.addEventListener("end", () => source.close());
  source.addEventListener("open", () => onState("open"));
  source.addEventListener("error", () => onState(source.readyState === EventSource.CLOSED ? "closed" : "broken"));
  return source;
}

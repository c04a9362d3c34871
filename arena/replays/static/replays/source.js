// Where frames come from: a stored match, line by line, or a running one, by server-sent events.

// Reads a stream of JSON lines into a game: first its header, then its frames.
export async function load(url, game) {
  const answer = await fetch(url, { headers: { Accept: "application/x-ndjson" } });
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

// Names of bots are completed while they are typed. Without this script a whole name or an address is typed.

const WAIT_MS = 200;
let timer = 0;

async function complete(input) {
  const typed = input.value.trim();
  if (typed.length < 2) return;
  const answer = await fetch(`/api/v1/bots?search=${encodeURIComponent(typed)}`).catch(() => null);
  if (!answer?.ok || input.value.trim() !== typed) return; // typed on meanwhile
  const found = (await answer.json()).results;
  input.list.replaceChildren(...found.slice(0, 12).map((bot) => {
    const option = document.createElement("option");
    option.value = bot.name;
    option.label = `${bot.name} · ${bot.owner}`;
    return option;
  }));
}

document.addEventListener("input", (event) => {
  if (!event.target.matches("input[data-bots]") || event.inputType === "insertReplacementText") return;
  clearTimeout(timer);
  timer = setTimeout(() => complete(event.target), WAIT_MS);
});

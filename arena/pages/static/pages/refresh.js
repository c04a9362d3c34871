// Keeps a page fresh that changes by itself: its main part is read again and replaced where it has changed.
// Nothing moves under somebody who types or has opened something, and nothing is asked for a page in the background.

const seconds = Number(document.querySelector("[data-refresh]").dataset.refresh);
const main = document.querySelector("main");
let shown = main.innerHTML;

function isInUse() {
  return document.activeElement.matches("main :is(input, textarea, select)") || main.querySelector("details[open]");
}

async function refresh() {
  if (document.hidden || isInUse()) return;
  const answer = await fetch(location.href).catch(() => null); // away for a moment: the next turn may find it
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
  if (!fresh || fresh.innerHTML === shown || isInUse()) return;
  shown = fresh.innerHTML;
  const focused = document.activeElement.getAttribute("href");
  const places = [...main.querySelectorAll(".scroll")].map((part) => part.scrollLeft);
  main.replaceChildren(...fresh.childNodes);
  main.querySelectorAll(".scroll").forEach((part, index) => { part.scrollLeft = places[index] ?? 0; });
  if (focused) main.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

setInterval(refresh, seconds * 1000);

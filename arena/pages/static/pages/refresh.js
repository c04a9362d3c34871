// Keeps a page fresh that changes by itself: it is read again, and each [data-part] of it (or else its main part) is
// replaced where it has changed. Nothing moves under somebody who types or has opened something, nothing typed is
// lost, and nothing is asked for a page in the background.

const seconds = Number(document.querySelector("[data-refresh]").dataset.refresh);
const main = document.querySelector("main");

function partsOf(page) {
  const parts = [...page.querySelectorAll("[data-part]")];
  return new Map(parts.length ? parts.map((part) => [part.dataset.part, part]) : [["main", page]]);
}

// What a part shows, without the tokens of its forms, which differ each time.
const shape = (part) => part.innerHTML.replace(/name="csrfmiddlewaretoken" value="\w+"/g, "");
const shown = new Map([...partsOf(main)].map(([name, part]) => [name, shape(part)]));

function isFilledIn(input) {
  if (input.type === "hidden") return false;
  if (input.matches("select")) return !([...input.options].find((one) => one.defaultSelected) ?? input.options[0])?.selected;
  return input.value !== input.defaultValue || input.checked !== input.defaultChecked;
}

function isInUse(part) {
  return (part.contains(document.activeElement) && document.activeElement.matches("input, textarea, select")) || part.querySelector("details[open]")
    || [...part.querySelectorAll("input, textarea, select")].some(isFilledIn);
}

// How to find the element that has the focus in the fresh part: a link by its address, a button by what it does.
function focusedIn(part) {
  const focused = document.activeElement;
  if (!part.contains(focused) || focused === part) return null;
  if (focused.id) return `#${CSS.escape(focused.id)}`;
  if (focused.matches("a[href]")) return `a[href="${CSS.escape(focused.getAttribute("href"))}"]`;
  return focused.matches("button[name]") ? `button[name="${focused.name}"][value="${CSS.escape(focused.value)}"]` : null;
}

function replace(part, fresh) {
  const focused = focusedIn(part);
  const places = [...part.querySelectorAll(".scroll")].map((one) => one.scrollLeft);
  part.replaceChildren(...fresh.childNodes);
  part.querySelectorAll(".scroll").forEach((one, index) => { one.scrollLeft = places[index] ?? 0; });
  if (focused) part.querySelector(focused)?.focus({ preventScroll: true });
}

async function refresh() {
  if (document.hidden) return;
  const parts = partsOf(main);
  if ([...parts.values()].every(isInUse)) return;
  const answer = await fetch(location.href).catch(() => null); // away for a moment: the next turn may find it
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
  if (!page) return;
  const news = partsOf(page);
  // Other parts than before, as after another step of an event: the whole page is new, unless it is asking something.
  if ([...news.keys()].join() !== [...parts.keys()].join() && !isInUse(main) && !main.querySelector("[role=alert]")) {
    for (const [name, fresh] of news) shown.set(name, shape(fresh));
    replace(main, page);
    return;
  }
  for (const [name, fresh] of news) {
    const part = parts.get(name);
    const now = shape(fresh);
    if (!part || now === shown.get(name) || isInUse(part)) continue;
    shown.set(name, now);
    replace(part, fresh);
  }
}

setInterval(refresh, seconds * 1000);

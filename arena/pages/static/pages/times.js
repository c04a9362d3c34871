// Times in the reader's zone. The page names them in UTC; forms send the zone in which their times are meant.

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const language = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;
const day = { day: "numeric", month: "short", year: "numeric" };
const minute = { ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short" };
const shapes = { day, minute, second: { ...minute, second: "2-digit" } };

function show(part) {
  for (const time of part.querySelectorAll("time[data-shows]")) {
    const when = new Date(time.dateTime);
    time.textContent = new Intl.DateTimeFormat(language, shapes[time.dataset.shows]).format(when);
    time.title = `${new Intl.DateTimeFormat(language, shapes.second).format(when)} (${zone})`;
  }
}

// A form comes with UTC. After an error it comes back with the zone in which its times were typed.
function speakLocally(field) {
  if (field.value === "UTC") {
    for (const input of field.form.querySelectorAll("input[type=datetime-local]")) {
      if (!input.value) continue;
      const when = new Date(`${input.value}Z`);
      input.value = new Date(when - when.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
    }
    field.value = zone;
  }
  for (const name of field.form.querySelectorAll("[data-zone]")) name.textContent = field.value;
}

if (zone) {
  show(document);
  document.querySelectorAll("input[name=time_zone]").forEach(speakLocally);
  new MutationObserver((changes) => {
    for (const change of changes) {
      for (const part of change.addedNodes) {
        if (part.nodeType === Node.ELEMENT_NODE) show(part.parentNode ?? part);
      }
    }
  }).observe(document.body, { childList: true, subtree: true });
}

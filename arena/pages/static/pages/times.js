// Times in the reader's zone, and what is past as people say it: 3 minutes ago, with the exact time on hover. The page names
// them in UTC; forms send the zone in which their times are meant.

let zone, ago;
const language = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;
const day = { day: "numeric", month: "short", year: "numeric" };
const minute = { ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short" };
const shapes = { day, minute, deadline: minute, second: { ...minute, second: "2-digit" } };
const formats = {}; // one is dear to make, and a list has many times
const format = (shape, when) => (formats[shape] ??= new Intl.DateTimeFormat(language, shapes[shape])).format(when);

const UNITS = [["minute", 60], ["hour", 3600], ["day", 86400]]; // in seconds
const LONGEST_DAYS = 30; // after that the date says more

// Empty for what is still to come, is long past, a deadline, or told by the day anyway.
function relative(when, shows) {
  const seconds = (Date.now() - when) / 1000;
  if (shows === "day" || shows === "deadline" || seconds < 0 || seconds > LONGEST_DAYS * 86400) return "";
  const [unit, length] = UNITS.findLast(([, one]) => seconds >= one) ?? ["second", 1];
  return ago.format(-Math.floor(seconds / length), unit);
}

const times = document.getElementsByTagName("time"); // as it is at any moment
const shown = new WeakSet();

function show(time) {
  const { shows } = time.dataset;
  if (!shows) return;
  const when = new Date(time.dateTime);
  const text = relative(when, shows) || format(shows, when);
  if (time.textContent !== text) time.textContent = text;
  time.title = `${format("second", when)} (${zone})`;
  shown.add(time);
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

function begin() {
  zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone) return;
  ago = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  [...times].forEach(show);
  setInterval(() => document.hidden || [...times].forEach(show), 30000);
  document.querySelectorAll("input[name=time_zone]").forEach(speakLocally);
  // A viewer adds hundreds of elements per second, and hardly ever a time.
  new MutationObserver(() => [...times].filter((time) => !shown.has(time)).forEach(show)).observe(document.body, { childList: true, subtree: true });
}

// Knowing zones and calendars takes a browser a while: the first picture of a match comes before that.
if (document.getElementById("viewer")) {
  new PerformanceObserver((_, observer) => {
    observer.disconnect();
    begin();
  }).observe({ type: "mark", buffered: true });
} else {
  begin();
}

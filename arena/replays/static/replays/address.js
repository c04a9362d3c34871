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

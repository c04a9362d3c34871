// Starts the viewer on the page of a match. The match is fetched in parallel with the viewer's code.
import { data, h, style } from "./dom.js";
import { Game } from "./game.js";
import { load, readAddress } from "./source.js";

// If this fails, the viewer tries again and reports the error.
async function firstGame(page, view) {
  if (page.live) return null;
  return load(page.frames.replace("VIEW", view), new Game(view)).catch(() => null);
}

// Resolves once the browser has drawn what is on the page now, board included.
async function painted(image) {
  await image.decode().catch(() => {});
  await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
}

async function start() {
  const root = document.getElementById("viewer");
  const page = data("viewer-page");
  const view = readAddress(page).view ?? page.views[0];
  const [board, game, { Viewer }, { Words }] = await Promise.all([
    fetch(page.board).then((answer) => answer.json()), firstGame(page, view), import("./viewer.js"), import("./words.js")]);
  const viewer = new Viewer(root, page, board, new Words(data("viewer-words"), board));
  if (game) viewer.games.set(view, game);
  if (game && view !== page.views[0]) firstGame(page, page.views[0]).then((first) => { if (first) viewer.games.set(first.view, first); }); // the page preloads it
  window.viewer = viewer;
  await viewer.start();
  if (!viewer.game) throw new Error("no frames");
  root.classList.add("ready");
  await painted(viewer.board.image);
  performance.mark("viewer-painted");
  await viewer.addPanels();
}

// "Verify on your own machine": what checks the match, and its style, come when the button is first pressed.
function offerToVerify(root) {
  const button = root.querySelector("button");
  const status = root.querySelector("[role=status]");
  let verifier;
  const verify = async () => {
    status.dataset.outcome = "";
    if (!verifier) await style(root.dataset.styles);
    const { Verifier } = await import("../browser/verifier.js");
    await (verifier ??= new Verifier(root, button)).run();
  };
  const refuse = () => { // the next click tries again
    status.textContent = data("verify-words").fetch;
    status.dataset.outcome = "failed";
  };
  button.addEventListener("click", () => verify().catch(refuse));
  button.disabled = false;
}

const verifying = document.getElementById("verify");
if (verifying) offerToVerify(verifying);
start().catch((error) => {
  document.getElementById("viewer").prepend(h("p", { class: "load-failed", role: "alert" }, data("viewer-words").load_failed));
  throw error;
});

// Starts the viewer on the page of a match. The match is fetched in parallel with the viewer's code.
import { readAddress } from "./address.js";
import { data, h } from "./dom.js";
import { Game } from "./game.js";
import { load } from "./source.js";

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

start().catch((error) => {
  document.getElementById("viewer").prepend(h("p", { class: "load-failed", role: "alert" }, data("viewer-words").load_failed));
  throw error;
});

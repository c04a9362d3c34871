// Starts the viewer on the page of a match.
import { data } from "./dom.js";
import { Game } from "./game.js";
import { addSigns, load } from "./source.js";
import { readAddress, Viewer } from "./viewer.js";
import { Words } from "./words.js";

// The first view is fetched beside the board, not after it; where that fails, the viewer says so when it tries again.
async function firstGame(page, view) {
  if (page.live) return null;
  return load(page.frames.replace("VIEW", view), new Game()).catch(() => null);
}

async function start() {
  const root = document.getElementById("viewer");
  const page = data("viewer-page");
  const view = readAddress(page).view ?? page.views[0];
  const [board, game] = await Promise.all([fetch(page.board).then((answer) => answer.json()), firstGame(page, view), addSigns(page.signs)]);
  const viewer = new Viewer(root, page, board, new Words(data("viewer-words"), board));
  if (game) viewer.games.set(view, game);
  window.viewer = viewer;
  await viewer.start();
  root.classList.add("ready");
  performance.mark("viewer-ready");
}

start();

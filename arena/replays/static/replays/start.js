// Starts the viewer on the page of a match.
import { data } from "./dom.js";
import { addSigns } from "./source.js";
import { Viewer } from "./viewer.js";
import { Words } from "./words.js";

async function start() {
  const root = document.getElementById("viewer");
  const page = data("viewer-page");
  const [board] = await Promise.all([fetch(page.board).then((answer) => answer.json()), addSigns(page.signs)]);
  const viewer = new Viewer(root, page, board, new Words(data("viewer-words"), board));
  window.viewer = viewer;
  await viewer.start();
  root.classList.add("ready");
}

start();

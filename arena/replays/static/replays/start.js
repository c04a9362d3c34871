// Starts the viewer on the page of a match.
import { data } from "./dom.js";
import { Viewer } from "./viewer.js";
import { Words } from "./words.js";

async function start() {
  const root = document.getElementById("viewer");
  const page = data("viewer-page");
  const [board, signs] = await Promise.all([fetch(page.board).then((answer) => answer.json()), fetch(page.signs).then((answer) => answer.text())]);
  const signsBox = new DOMParser().parseFromString(signs, "image/svg+xml").documentElement;
  signsBox.setAttribute("class", "signs");
  signsBox.setAttribute("aria-hidden", "true");
  document.body.prepend(document.importNode(signsBox, true));
  const viewer = new Viewer(root, page, board, new Words(data("viewer-words"), board));
  window.viewer = viewer;
  await viewer.start();
  root.classList.add("ready");
}

start();

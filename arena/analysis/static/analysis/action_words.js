// An action in a few words.
import { readAction } from "../play/choices.js";

export function actionText(words, action) {
  const { kind, path, card, type } = readAction(action);
  return words.say(`do_text_${kind}`, {
    territory: path.length ? words.territory(path[0]) : "",
    to: path.length > 1 ? words.territory(path[1]) : "",
    card: kind === "blessing" ? words.phrases.cards[card] : card,
    type: kind === "type" ? words.type(type) : "",
  });
}

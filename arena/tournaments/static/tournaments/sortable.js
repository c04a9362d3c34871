// Lists that people sort with buttons: an item moves at once, the button keeps the focus, and the new place is said aloud.
// Without this script the same buttons ask the server to move the item.

const said = document.createElement("p");
said.className = "hidden";
said.setAttribute("role", "status");
document.body.append(said);

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-sortable] button[name=move]");
  if (!button) return;
  event.preventDefault();
  const item = button.closest("li");
  const list = item.parentElement;
  const other = button.value.endsWith(" up") ? item.previousElementSibling : item.nextElementSibling;
  if (other) button.value.endsWith(" up") ? other.before(item) : other.after(item);
  button.focus();
  const name = item.querySelector("b").textContent;
  said.textContent = list.dataset.moved.replace("NAME", name).replace("PLACE", [...list.children].indexOf(item) + 1);
});

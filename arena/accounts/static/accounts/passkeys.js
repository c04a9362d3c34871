// Says on the page what allauth's scripts only tell the console: no passkey, or the person cancelled.
document.addEventListener("allauth.error", () => {
  const problem = document.getElementById("passkey-problem");
  problem.textContent = problem.dataset.text;
  problem.hidden = false;
});

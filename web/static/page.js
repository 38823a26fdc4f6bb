// Progress as it comes, and forms that are sent once. Every page works without it.

const live = document.querySelector("[data-events]");

function showParts(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html; // made and escaped by this server
  const shown = live.querySelector("[data-parts]");
  const ids = new Set([...fresh.content.children].map((one) => one.id));
  for (const old of [...shown.children]) if (!ids.has(old.id)) old.remove();
  let before = null;
  for (const part of [...fresh.content.children]) {
    const old = document.getElementById(part.id);
    if (!old) before ? before.after(part) : shown.prepend(part);
    else if (old.innerHTML !== part.innerHTML) old.replaceChildren(...part.childNodes);
    before = old ?? part;
  }
}

function follow() {
  const says = live.querySelector("[data-says]");
  let source = null;
  const open = () => {
    source = new EventSource(live.dataset.events);
    source.addEventListener("progress", (event) => {
      const told = JSON.parse(event.data);
      if (told.html) showParts(told.html);
      if (says.textContent !== told.says) says.textContent = told.says;
    });
    source.addEventListener("end", () => {
      source.close();
      location.reload();
    });
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) says.textContent = "Load the page again to see more.";
    });
  };
  // A browser has few connections to one server: windows that nobody sees give theirs back.
  document.addEventListener("visibilitychange", () => {
    source?.close();
    source = null;
    if (!document.hidden) open();
  });
  window.addEventListener("pagehide", () => source?.close());
  if (!document.hidden) open();
}

if (live) follow();

for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

document.querySelector("[data-copy]")?.select();

// A tool that an address names is open.
const named = location.hash && document.getElementById(location.hash.slice(1));
if (named instanceof HTMLDetailsElement) named.open = true;

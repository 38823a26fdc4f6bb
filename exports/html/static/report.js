"use strict";
// A mark's card opens on hover and focus, stays after a click, Enter or Space, and closes on Escape.
(() => {
  if (!HTMLElement.prototype.showPopover) return; // marks stay plain links
  let card = null, mark = null, pinned = false, timer = 0;

  const place = () => {
    if (!card) return;
    const edge = 8, root = document.documentElement, line = mark.getClientRects()[0];
    card.style.maxHeight = "";
    const above = line.top - 2 * edge, below = root.clientHeight - line.bottom - 2 * edge;
    const under = card.offsetHeight <= below || below >= above;
    card.style.maxHeight = `${Math.max(under ? below : above, 120)}px`;
    const last = root.clientWidth - card.offsetWidth - edge;
    card.style.left = `${window.scrollX + Math.max(edge, Math.min(line.left, last))}px`;
    const top = under ? line.bottom + edge : line.top - edge - card.offsetHeight;
    card.style.top = `${window.scrollY + Math.max(edge, top)}px`;
  };

  const close = () => {
    clearTimeout(timer);
    if (!card) return;
    if (card.contains(document.activeElement)) mark.focus({ preventScroll: true });
    card.hidePopover();
    mark.setAttribute("aria-expanded", "false");
    card = mark = null;
    pinned = false;
  };

  const open = (target, pin) => {
    clearTimeout(timer);
    if (mark !== target) {
      close();
      mark = target;
      card = document.getElementById(mark.dataset.card);
      card.showPopover();
      mark.setAttribute("aria-expanded", "true");
      place();
    }
    pinned = pinned || pin;
  };

  const leave = () => {
    clearTimeout(timer);
    if (!pinned) timer = setTimeout(close, 300); // time to reach the card
  };

  for (const one of document.querySelectorAll("a.mark")) {
    one.setAttribute("aria-haspopup", "dialog");
    one.setAttribute("aria-expanded", "false");
    one.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && open(one, false));
    one.addEventListener("pointerleave", leave);
    one.addEventListener("focus", () => one.matches(":focus-visible") && open(one, false));
    one.addEventListener("blur", leave);
    one.addEventListener("click", (event) => {
      event.preventDefault();
      open(one, true);
      if (event.detail === 0) card.focus(); // by key
    });
    one.addEventListener("keydown", (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      one.click();
    });
  }

  for (const one of document.querySelectorAll(".card")) {
    one.addEventListener("pointerenter", () => clearTimeout(timer));
    one.addEventListener("pointerleave", leave);
    one.addEventListener("focusin", () => { clearTimeout(timer); pinned = true; });
    one.addEventListener("focusout", (event) => {
      if (event.relatedTarget && !one.contains(event.relatedTarget) && card === one) close();
    });
    one.addEventListener("click", (event) => event.target.closest('.close, a[href^="#"]') && close());
  }

  document.addEventListener("keydown", (event) => event.key === "Escape" && close());
  document.addEventListener("pointerdown", (event) => {
    if (card && !card.contains(event.target) && !mark.contains(event.target)) close();
  });
  window.addEventListener("resize", place);

  for (const one of document.querySelectorAll(".scroll, pre")) {
    if (one.scrollWidth > one.clientWidth) one.tabIndex = 0; // keys can scroll it
  }
})();

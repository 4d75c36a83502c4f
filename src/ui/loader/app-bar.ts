/** Closes an open `<details data-menu>` by Escape, by a click elsewhere, or when the focus leaves it. */
export function runMenus(): void {
  const closeExcept = (inside: EventTarget | null, isFocusKept: boolean) => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>("details[data-menu][open]")) {
      if (inside instanceof Node && menu.contains(inside)) continue;
      const hadFocus = menu.contains(document.activeElement);
      menu.open = false;
      if (hadFocus && isFocusKept) menu.querySelector("summary")?.focus();
    }
  };
  document.addEventListener("click", ({ target }) => closeExcept(target, false));
  document.addEventListener("focusin", ({ target }) => closeExcept(target, false));
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") closeExcept(null, true);
  });
}

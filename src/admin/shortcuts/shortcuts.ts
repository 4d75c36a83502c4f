import type { ParseKeys } from "i18next";

/** What a key does, as the sheet of shortcuts lists it. */
export interface Shortcut {
  /** One key as `event.key` names it (`/`, `j`, `?`), or `Mod+` and a key: Ctrl, on a Mac ⌘. */
  keys: string;
  labelKey: ParseKeys;
  run: (event: KeyboardEvent) => void;
}

/** Every shortcut that is good on the present screen; the newest of the same keys is the one that runs. */
export interface Shortcuts {
  register(shortcut: Shortcut): () => void;
  list(): readonly Shortcut[];
  subscribe(listener: () => void): () => void;
  /** @returns whether a shortcut ran. */
  handle(event: KeyboardEvent): boolean;
}

const TYPED_INTO = "input, textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=menu]";
/** Over a dialog the keys of the screen below it rest. */
const COVERING = ".ant-modal-wrap:not([style*='none']), .ant-drawer-open";

function toKeys({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string | undefined {
  if (altKey) return undefined;
  return ctrlKey || metaKey ? `Mod+${key.toLowerCase()}` : key;
}

function isHeldBack({ target }: KeyboardEvent): boolean {
  const isTyping = target instanceof Element && target.closest(TYPED_INTO) !== null;
  return isTyping || document.querySelector(COVERING) !== null;
}

export function createShortcuts(): Shortcuts {
  let shortcuts: readonly Shortcut[] = [];
  const listeners = new Set<() => void>();
  const change = (next: readonly Shortcut[]) => {
    shortcuts = next;
    for (const listener of listeners) listener();
  };
  return {
    register(shortcut) {
      change([...shortcuts, shortcut]);
      return () => change(shortcuts.filter((other) => other !== shortcut));
    },
    list: () => shortcuts,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    handle(event) {
      const keys = toKeys(event);
      const found = shortcuts.findLast((shortcut) => shortcut.keys === keys);
      if (!found || event.defaultPrevented || (!found.keys.startsWith("Mod+") && isHeldBack(event)))
        return false;
      event.preventDefault();
      found.run(event);
      return true;
    },
  };
}

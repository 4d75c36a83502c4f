/*
 * Keys are read and matched by about 40 lines of our own. tinykeys 4.0.0 was measured in their place. Of 15 presses it takes 3
 * for others, even where it is set to allow Shift for signs: a sign by AltGr is none, İ isn't i, and ı is. With Ctrl and Alt
 * allowed too, Ctrl and / is taken for /. Of `e` and `g e`, which lists both have, the one that was registered first runs.
 */

/** Where Ctrl belongs to the system's text editing, and ⌘ to applications. */
export function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform);
}

type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey"> &
  Partial<Pick<KeyboardEvent, "getModifierState">>;

/** `toLowerCase` makes two characters of İ. */
function toSmall(letter: string): string {
  return letter === "İ" ? "i" : letter.toLowerCase();
}

/**
 * A pressed key as shortcuts name it: `j`, `/`, `?`, `Shift+j`, `Mod+k`; undefined for what is none. Signs are what they are,
 * however the layout makes them: `/` is Shift+7 in Turkish, and some others need AltGr, which Windows reports as Ctrl and Alt.
 * Letters are small ones whether CapsLock is on or not.
 */
export function toKeyName(event: KeyPress, onMac = isMac()): string | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if ([...key].length !== 1) return undefined;
  const isLetter = /\p{L}/u.test(key);
  const name = isLetter && shiftKey ? `Shift+${toSmall(key)}` : toSmall(key);
  // A letter with AltGr is a sign of another alphabet, never a shortcut.
  if (event.getModifierState?.("AltGraph")) return isLetter ? undefined : key;
  if (altKey) return undefined;
  const [mod, other] = onMac ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  if (other) return undefined;
  return mod ? `Mod+${name}` : name;
}

/** The caps to draw for a shortcut: `Mod+k` is Ctrl and K, on a Mac ⌘ and K; `g d` is G, then D. */
export function toKeyCaps(keys: string, onMac = isMac()): string[] {
  return keys.split(/\+(?=.)| /).map((cap) => {
    if (cap === "Mod") return onMac ? "⌘" : "Ctrl";
    if (cap === "Shift") return onMac ? "⇧" : "Shift";
    return cap.length === 1 ? cap.toUpperCase() : cap;
  });
}

/** The keys of a shortcut as caps. */
export function KeyCaps({ keys }: { keys: string }) {
  return (
    <span className="key-caps">
      {toKeyCaps(keys).map((cap) => (
        <kbd key={cap}>{cap}</kbd>
      ))}
    </span>
  );
}

import * as z from "zod/mini";
import { createSafeStorage } from "#providers/browser-storage.ts";
import type { PaletteItem } from "./palette-item.ts";

const STORED_MAX = 5;

const stored = z.array(
  z.object({
    id: z.string(),
    label: z.string(),
    hint: z.optional(z.string()),
    icon: z.string(),
    to: z.string().check(z.startsWith("/admin")),
  }),
);
type Stored = z.infer<typeof stored>;

/** Of this tab and this person: names of records are nobody else's business, on a shared computer neither. */
const storage = createSafeStorage(() => globalThis.sessionStorage);
const toKey = (userId: number) => `admin-palette-recent-${userId}`;

function parse(text: string | null): Stored {
  try {
    return stored.safeParse(JSON.parse(text ?? "[]")).data ?? [];
  } catch {
    // Not ours, or cut off: there is nothing recent.
    return [];
  }
}

/** Where the palette led lately, the newest first; what is still offered has its words of today. */
export function readRecent(userId: number, offered: readonly PaletteItem[]): PaletteItem[] {
  const byId = new Map(offered.map((item) => [item.id, item]));
  return parse(storage.getItem(toKey(userId))).map(({ to, hint, ...item }) => {
    const today = byId.get(item.id);
    return {
      ...(today ?? { ...item, ...(hint !== undefined && { hint }), target: { to } }),
      id: `recent:${item.id}`,
      group: "recent",
      isOnlySearched: false,
    };
  });
}

/** They have logged out: whoever sits here next finds no names in this tab. */
export function forgetRecent(userId: number): void {
  storage.removeItem(toKey(userId));
}

/** Remembers a choice that leads somewhere. */
export function rememberRecent(userId: number, item: PaletteItem): void {
  if (!("to" in item.target)) return;
  const id = item.id.replace(/^recent:/, "");
  const { label, hint, icon, target } = item;
  const others = parse(storage.getItem(toKey(userId))).filter((other) => other.id !== id);
  const next = [{ id, label, ...(hint !== undefined && { hint }), icon, to: target.to }, ...others];
  storage.setItem(toKey(userId), JSON.stringify(next.slice(0, STORED_MAX)));
}

import { match, type Range } from "./match.ts";

/** Order of the groups in the list. */
export const GROUPS = ["recent", "screens", "models", "actions", "records"] as const;
export type Group = (typeof GROUPS)[number];

/** Something that the palette leads to or does. */
export interface PaletteItem {
  /** The same whenever the same thing is offered. */
  id: string;
  group: Group;
  label: string;
  /** What kind of thing it is, where the label alone doesn't say it. */
  hint?: string;
  /** Other words that it is looked for by, such as its name in the other language. */
  keywords?: readonly string[];
  icon: string;
  /** Keys that do the same without the palette. */
  keys?: string;
  target: { to: string } | { run: () => void };
  /** Too many of its kind to be shown before something is typed. */
  isOnlySearched?: boolean;
}

export interface ShownItem extends PaletteItem {
  ranges: readonly Range[];
}

/** Of one group, while something is typed. */
const SHOWN_MAX = 8;
/** The server has ranked records already, and looks into more than their names. */
const RANKED_ELSEWHERE = "records";

function toShown(typed: string, item: PaletteItem): (ShownItem & { fit: number }) | undefined {
  const found = match(typed, item.label, item.keywords);
  if (found) return { ...item, ...found };
  return item.group === RANKED_ELSEWHERE ? { ...item, fit: 0, ranges: [] } : undefined;
}

/** What the palette lists, group by group, the likeliest first. Without a text: everything but the multitudes. */
export function rankItems(typed: string, items: readonly PaletteItem[]): ShownItem[] {
  const isTyped = typed.trim() !== "";
  return GROUPS.flatMap((group): ShownItem[] => {
    const own = items.filter((item) => item.group === group);
    if (!isTyped) return own.filter((item) => !item.isOnlySearched).map((item) => ({ ...item, ranges: [] }));
    const found = own.flatMap((item) => toShown(typed, item) ?? []);
    if (group === RANKED_ELSEWHERE) return found;
    return found.sort((a, b) => a.fit - b.fit).slice(0, SHOWN_MAX);
  });
}

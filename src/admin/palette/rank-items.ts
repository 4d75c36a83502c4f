import { match } from "./match.ts";
import { GROUPS, type PaletteItem, type ShownItem } from "./palette-item.ts";

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

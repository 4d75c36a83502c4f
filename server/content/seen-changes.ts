import type { HistoryEntry } from "#contract/models.ts";
import { type Field, type Model, rulesFor } from "#server/models/model.ts";
import { isAllowed } from "./records/access.ts";
import { toView } from "./view.ts";

/** Whether there may be related rows that a level doesn't meet. */
export function hidesRelated({ related }: Field, level: number): boolean {
  return (
    related !== null && (!isAllowed(related, "view", level) || rulesFor(related, "view", level).length > 0)
  );
}

function toUnnamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toUnnamed);
  if (typeof value !== "object" || value === null || !("id" in value)) return value;
  return { id: value.id, repr: `#${value.id}` };
}

type Changes = HistoryEntry["changes"];

/**
 * What a level may see of an entry's changes: those of fields that it knows. Names of related rows were written down for who
 * changed them: others may not be allowed to read them.
 */
export function toSeenChanges(model: Model, level: number, changes: Changes | null): Changes {
  const { fieldByName } = toView(model, level);
  const seen: Changes = {};
  for (const [name, change] of Object.entries(changes ?? {})) {
    const field = fieldByName.get(name);
    if (!field) continue;
    seen[name] = hidesRelated(field, level)
      ? Object.fromEntries(Object.entries(change).map(([side, value]) => [side, toUnnamed(value)]))
      : change;
  }
  return seen;
}

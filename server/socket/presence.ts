/** One thing that makes somebody present: a tab in a room. */
export interface PresenceEntry {
  /** Who: a person's id as text. Somebody with two tabs has two entries. */
  key: string;
  /** Unique for each entry and each version of it. */
  ref: string;
  meta: Readonly<Record<string, unknown>>;
}

import * as z from "zod/mini";
import type { FieldInfo } from "#contract/content/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { changedFields, type Inputs } from "../kinds/registry.ts";
import { findDifferences, type InputUnit, listUnits, mergeInputs, type ThreeWay } from "./merge-inputs.ts";

/** One item of the storage for each draft: two tabs never write over each other's other drafts. providers/http/session.ts removes a person's own. */
const PREFIX = "foyer_draft:";
const DRAFTS_MAX = 50;
const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
/** Thrown out at a time when the storage is full. */
const ROOM_STEP = 5;

const draftSchema = z.object({
  /** Milliseconds since 1970. */
  savedAt: z.number(),
  /** Which form wrote it: two tabs with one record don't write over each other. */
  writer: z.optional(z.string()),
  /** Of the record that the typing began with; null for a new record, or where the server names no versions. */
  etag: z.nullable(z.string()),
  /** What changed: the input it began with, what was typed, and the control that both belong to. */
  fields: z.record(z.string(), z.object({ control: z.string(), base: z.unknown(), typed: z.unknown() })),
});
export type Draft = z.infer<typeof draftSchema>;

/** Whose draft of what. */
export interface DraftPlace {
  userId: number;
  resource: string;
  /** `copy 7`: a new record that is made of record 7. */
  id: number | "new" | `copy ${number}`;
}

type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** Typed things that were not saved yet, in this browser; each person's are their own. */
export interface Drafts {
  /** Those of one place, the newest first. */
  list(place: DraftPlace): Draft[];
  /** The newest one. */
  read(place: DraftPlace): Draft | undefined;
  /** In place of the same writer's before. @returns whether it is kept: a storage can be full or forbidden. */
  write(place: DraftPlace, draft: Draft): boolean;
  remove(place: DraftPlace, writer?: string): void;
}

interface Stored {
  key: string;
  savedAt: number;
}

function toKey({ userId, resource, id }: DraftPlace, writer?: string): string {
  const key = `${PREFIX}${userId}:${resource}:${id}`;
  return writer === undefined ? key : `${key}:${writer}`;
}

function isOfPlace(key: string, place: DraftPlace): boolean {
  const own = toKey(place);
  return key === own || key.startsWith(`${own}:`);
}

function parseDraft(text: string | null): Draft | undefined {
  try {
    return draftSchema.safeParse(JSON.parse(text ?? "null")).data;
  } catch {
    // Cut short, or something else under our name: as if there were none.
    return undefined;
  }
}

function listKeys(storage: DraftStorage): string[] {
  const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at));
  return keys.filter((key) => key !== null).filter((key) => key.startsWith(PREFIX));
}

function listStored(storage: DraftStorage): Stored[] {
  return listKeys(storage)
    .map((key) => ({ key, savedAt: parseDraft(storage.getItem(key))?.savedAt ?? 0 }))
    .sort((a, b) => a.savedAt - b.savedAt);
}

/** Throws out what is too old, and of the others the oldest above the limit. */
function tidy(storage: DraftStorage, now: number): void {
  const stored = listStored(storage);
  const surplus = Math.max(0, stored.length - DRAFTS_MAX);
  for (const [at, { key, savedAt }] of stored.entries()) {
    if (at < surplus || now - savedAt > LIFETIME_MS) storage.removeItem(key);
  }
}

/** Writes, throwing out the oldest drafts for it where the storage is full. @returns whether there was room. */
function writeWithRoom(storage: DraftStorage, key: string, text: string): boolean {
  for (;;) {
    try {
      storage.setItem(key, text);
      return true;
    } catch {
      const others = listStored(storage).filter((other) => other.key !== key);
      if (others.length === 0) return false;
      for (const other of others.slice(0, ROOM_STEP)) storage.removeItem(other.key);
    }
  }
}

export function createDrafts(
  getStorage: () => DraftStorage | undefined = () => globalThis.localStorage,
  now: () => number = Date.now,
): Drafts {
  /** A browser that keeps nothing throws at the mere look at its storage. */
  function attempt<T>(use: (storage: DraftStorage) => T): T | undefined {
    try {
      const storage = getStorage();
      return storage && use(storage);
    } catch {
      return undefined;
    }
  }
  const list = (place: DraftPlace): Draft[] =>
    attempt((storage) => {
      tidy(storage, now());
      const keys = listKeys(storage).filter((key) => isOfPlace(key, place));
      const found = keys.flatMap((key) => parseDraft(storage.getItem(key)) ?? []);
      return found.sort((a, b) => b.savedAt - a.savedAt);
    }) ?? [];
  return {
    list,
    read: (place) => list(place)[0],
    write: (place, draft) =>
      attempt((storage) => {
        const isKept = writeWithRoom(storage, toKey(place, draft.writer), JSON.stringify(draft));
        tidy(storage, now());
        return isKept;
      }) ?? false,
    remove(place, writer) {
      attempt((storage) => storage.removeItem(toKey(place, writer)));
    },
  };
}

/** The drafts of this browser. */
export const drafts = createDrafts();

/** Names of what must never lie in a browser's storage, for back ends that don't say `is_secret`. */
const SECRET_NAME = /passw|secret|token|api_?key/i;

function mayBeKept({ name, is_secret }: FieldInfo): boolean {
  return is_secret !== true && !SECRET_NAME.test(name);
}

/** What a draft keeps of a form: fields that were changed and are no secrets. */
export function toDraftFields(source: RecordSource, base: Inputs, typed: Inputs): Draft["fields"] {
  const names = changedFields(source, base, typed);
  const kept = source.fields.filter((field) => names.includes(field.name) && mayBeKept(field));
  return Object.fromEntries(
    kept.map(({ name, control }) => [name, { control, base: base[name], typed: typed[name] }]),
  );
}

/** The draft laid over the record as it is now. Fields that are gone, or have another control by now, are left out. */
function toThreeWay(source: RecordSource, current: Inputs, draft: Draft): ThreeWay {
  const fields = source.fields.filter(
    ({ name, control, read_only }) => !read_only && draft.fields[name]?.control === control,
  );
  const pick = (side: "base" | "typed") =>
    Object.fromEntries(fields.map(({ name }) => [name, draft.fields[name]?.[side]]));
  return { base: { ...current, ...pick("base") }, mine: { ...current, ...pick("typed") }, theirs: current };
}

export interface DraftPlan {
  /** What the form holds once the draft is restored. */
  inputs: Inputs;
  /** Fields that the draft changes. */
  names: string[];
  /** Inputs that the draft and somebody else have changed since. */
  conflicts: InputUnit[];
}

/** What restoring the draft would do; undefined where it would change nothing. */
export function planRestore(source: RecordSource, current: Inputs, draft: Draft): DraftPlan | undefined {
  const units = listUnits(source);
  const three = toThreeWay(source, current, draft);
  const inputs = mergeInputs(units, three, {});
  const names = changedFields(source, current, inputs);
  if (names.length === 0) return undefined;
  return { inputs, names, conflicts: findDifferences(units, three).conflicts.map(({ unit }) => unit) };
}

/** Typed things are kept after this at the latest, however fast somebody goes on typing. */
const KEEP_AFTER_MS = 800;
const IDLE_WAIT_MS = 500;

/** Writing to the storage can take longer than a key may: it waits for a pause between them, but not for long. */
function runWhenIdle(run: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(run, { timeout: IDLE_WAIT_MS });
  else run();
}

/** The draft of one form, which no other form of this browser writes over. `place`: null while nobody is signed in. */
export function createDraftKeeper(place: DraftPlace | null) {
  const writer = Math.random().toString(36).slice(2);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  return {
    /** Has `keep` run soon, once for all that is typed until then. */
    schedule(keep: () => void): void {
      if (isDue) return;
      isDue = true;
      timer = setTimeout(() => runWhenIdle(() => isDue && keep()), KEEP_AFTER_MS);
    },
    isDue: () => isDue,
    /** @returns whether the browser had room for it. */
    keep(etag: string | undefined, fields: Draft["fields"]): boolean {
      clearTimeout(timer);
      isDue = false;
      if (!place) return true;
      if (Object.keys(fields).length > 0)
        return drafts.write(place, { savedAt: Date.now(), writer, etag: etag ?? null, fields });
      drafts.remove(place, writer);
      return true;
    },
    forget(): void {
      clearTimeout(timer);
      isDue = false;
      if (place) drafts.remove(place, writer);
    },
    /** Takes away another form's at the same place. */
    drop(draft: Draft): void {
      if (place) drafts.remove(place, draft.writer);
    },
  };
}

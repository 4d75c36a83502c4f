/** One thing that makes somebody present: a tab in a room. */
export interface PresenceEntry {
  /** Who: a person's id as text. Somebody with two tabs has two entries. */
  key: string;
  /** Unique for each entry and each version of it. */
  ref: string;
  /** Of the version before this one. */
  previousRef?: string;
  meta: Readonly<Record<string, unknown>>;
}

/** What changed in a topic's presence. An update is one of each. */
export interface PresenceChange {
  joins: readonly PresenceEntry[];
  leaves: readonly PresenceEntry[];
}

type Meta = Record<string, unknown>;

/** As clients know it: `{ key: { metas: [{ phx_ref, …meta }] } }`. */
export type PresenceState = Record<string, { metas: Meta[] }>;

function toMeta({ meta, ref, previousRef }: PresenceEntry): Meta {
  return previousRef === undefined
    ? { ...meta, phx_ref: ref }
    : { ...meta, phx_ref: ref, phx_ref_prev: previousRef };
}

export function toPresenceState(entries: Iterable<PresenceEntry>): PresenceState {
  const byKey = new Map<string, { metas: Meta[] }>();
  for (const entry of entries) {
    const known = byKey.get(entry.key);
    if (known) known.metas.push(toMeta(entry));
    else byKey.set(entry.key, { metas: [toMeta(entry)] });
  }
  return Object.fromEntries(byKey);
}

/**
 * Gathers changes and publishes them together: a room that fills up costs a message for each window, not for each person. What
 * joined and left within one window is published as both, because a newcomer may have been sent it as present. Clients apply
 * joins first.
 */
export class PresenceBatch {
  readonly #windowMs: number;
  readonly #publish: (diff: { joins: PresenceState; leaves: PresenceState }) => void;
  #joins: PresenceEntry[] = [];
  #leaves: PresenceEntry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isWaiting = false;

  /** With a window of 0 the changes of one turn go out at its end. */
  constructor(windowMs: number, publish: (diff: { joins: PresenceState; leaves: PresenceState }) => void) {
    this.#windowMs = windowMs;
    this.#publish = publish;
  }

  add({ joins, leaves }: PresenceChange): void {
    this.#joins.push(...joins);
    this.#leaves.push(...leaves);
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    if (this.#windowMs === 0) queueMicrotask(() => this.#flush());
    else this.#timer = setTimeout(() => this.#flush(), this.#windowMs);
  }

  /** Forgets what has not been published: nobody is there to receive it. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#joins = [];
    this.#leaves = [];
    this.#isWaiting = false;
  }

  #flush(): void {
    if (!this.#isWaiting) return;
    const diff = { joins: toPresenceState(this.#joins), leaves: toPresenceState(this.#leaves) };
    this.drop();
    this.#publish(diff);
  }
}

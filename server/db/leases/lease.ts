import { randomUUID } from "node:crypto";

/** A piece of work that this process took and no other one has. */
export interface Lease {
  readonly name: string;
  /** Whether it is this process's still: asked before each step that must not be done twice. */
  isHeld(): boolean;
  /** Aborted once the hold is over: given up, lost, or not renewed in time. */
  readonly signal: AbortSignal;
  /** Lets others have it at once. */
  giveUp(): Promise<void>;
}

/** Work that never ends, such as a daily one. One process does it at a time, and keeps it while it lives. */
export interface Duty {
  /** Asked before each turn, and in its middle where a turn is long. */
  isMine(): boolean;
  /** Of the hold at hand; aborted while there is none. */
  readonly signal: AbortSignal;
  /**
   * Leaves something to the next holder, and to the processes that only show how the work goes.
   * False: the work is another process's by now. @throws what the database throws
   */
  leave(note: string): Promise<boolean>;
  /** What was left; undefined where nothing was, and where no other process can be. */
  read(): Promise<string | undefined>;
  /** Lets others have it, and takes it no more. */
  giveUp(): Promise<void>;
}

export interface Leases {
  /** Of this process, made at its start. */
  readonly processId: string;
  /** Whether other processes can be there: a look for what they left is worth something. */
  readonly isShared: boolean;
  /** What the clock of the database shows, as far as it was asked: what processes of several machines agree on. */
  now(): Date;
  /** Takes work by its name; undefined while another process has it. @throws what the database throws */
  claim(name: string): Promise<Lease | undefined>;
  /**
   * Does such work from `start` on, whenever no other process does. `onGain` is called each time that it becomes this one's; never
   * where it is so from the beginning.
   */
  keep(name: string, onGain?: () => void): Duty;
  /** Takes what is kept and is free, and goes on with what is held. */
  renew(): Promise<void>;
  /** The first `renew`, and one every few seconds. */
  start(): Promise<void>;
  /** Gives up all of it. */
  close(): Promise<void>;
}

const NEVER = new AbortController().signal;
const OVER = AbortSignal.abort(new Error("The work is not this process's any more."));

/** For a site of one process, whose data folder no second one can open: all of it is its own, and the database isn't asked. */
export function createLocalLeases(processId: string = randomUUID()): Leases {
  const claimed = new Set<string>();
  return {
    processId,
    isShared: false,
    now: () => new Date(),
    async claim(name) {
      if (claimed.has(name)) return undefined;
      claimed.add(name);
      const ended = new AbortController();
      return {
        name,
        isHeld: () => !ended.signal.aborted,
        signal: ended.signal,
        async giveUp() {
          if (ended.signal.aborted) return;
          claimed.delete(name);
          ended.abort(OVER.reason);
        },
      };
    },
    keep() {
      let isOver = false;
      return {
        isMine: () => !isOver,
        get signal() {
          return isOver ? OVER : NEVER;
        },
        leave: async () => !isOver,
        read: async () => undefined,
        async giveUp() {
          isOver = true;
        },
      };
    },
    async renew() {},
    async start() {},
    async close() {},
  };
}

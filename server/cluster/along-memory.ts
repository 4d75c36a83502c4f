import type { Counter } from "../base/counters.ts";

/** A count that several processes share. Undefined: it can't be asked now, and each one's memory is what counts. */
export interface SharedCounter {
  /** `waitS`: seconds to wait; 0: counted. */
  take(key: string): Promise<{ waitS: number; giveBack(): Promise<unknown> } | undefined>;
  getWaitS(key: string): Promise<number | undefined>;
  isFirstRefusal(key: string): Promise<boolean | undefined>;
}

/** Counts in this process's memory as well, and refuses where either is full: without the shared one it is as strict as a process alone. */
export function countAlong(own: Counter, shared: SharedCounter): Counter {
  return {
    async take(key) {
      const taking = await own.take(key);
      if (!taking.isTaken) return taking;
      const taken = await shared.take(key);
      if (!taken) return taking;
      if (taken.waitS > 0) {
        await taking.giveBack();
        return { isTaken: false, waitS: taken.waitS };
      }
      return {
        isTaken: true,
        async giveBack() {
          await taking.giveBack();
          await taken.giveBack();
        },
      };
    },
    async getWaitS(key) {
      return (await own.getWaitS(key)) || ((await shared.getWaitS(key)) ?? 0);
    },
    async isFirstRefusal(key) {
      if (!(await own.isFirstRefusal(key))) return false;
      return (await shared.isFirstRefusal(key)) ?? true;
    },
  };
}

import { jest } from "@jest/globals";
import { act } from "@testing-library/react";

const realTimeout = globalThis.setTimeout;
/** Between two looks at the page; says nothing of how long something may take. */
const LOOK_MS = 5;
const LOOKS_MAX = 2000;

/** From here on the page's clock stands, and goes on when the test says so. `jest.useRealTimers()` ends it. */
export function stopClock(): void {
  jest.useFakeTimers({ doNotFake: ["queueMicrotask", "nextTick"] });
}

/** Lets time pass on the page's clock, and everything happen that is due in it. */
export const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

/**
 * Looks until there is something, however long the machine takes, as for loading a file of the console. The page's clock goes on
 * by a thousandth of a second a look: what is to be done "next" by a timer is due then.
 */
export async function until<T>(find: () => T): Promise<NonNullable<T>> {
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const found = find();
    if (found) return found;
    await act(() => new Promise((resolve) => realTimeout(resolve, LOOK_MS)));
    await pass(1);
  }
  throw new Error(`It never came to: ${find}`);
}

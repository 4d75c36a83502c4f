import { act, configure, getConfig } from "@testing-library/react";
import { type UserEvent, userEvent } from "@testing-library/user-event";

/**
 * A person of whose every action all is drawn when it returns, with what followed from answers that were there at once. Without it
 * React draws when the machine comes to it, and a test that looks right behind a click rests on the machine's pace.
 */
export function setUpDrawnUser(options: Parameters<typeof userEvent.setup>[0] = {}): UserEvent {
  return new Proxy(userEvent.setup(options), {
    get(user, name, receiver) {
      const value = Reflect.get(user, name, receiver);
      if (typeof value !== "function" || name === "setup") return value;
      return (...words: unknown[]) => drawAll(() => value.apply(user, words));
    },
  });
}

async function drawAll<Result>(run: () => Promise<Result>): Promise<Result> {
  // Testing Library's own wrapper declares to React that nobody waits for what it draws.
  const { asyncWrapper } = getConfig();
  configure({ asyncWrapper: (inner) => inner() });
  try {
    return await act(run);
  } finally {
    configure({ asyncWrapper });
  }
}

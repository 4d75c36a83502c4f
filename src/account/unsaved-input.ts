import { createContext, use, useEffect } from "react";

/** Lets the guard around a screen know of input that a redirect would lose. @returns how to take it back. */
type HoldScreen = () => () => void;

/** Without a guard there is nothing to hold. */
export const UnsavedInputContext = createContext<HoldScreen>(() => () => undefined);

/**
 * While `isUnsaved`, the end of the session doesn't lead away from this screen: its next call fails with 401, and the
 * person signs in again in place (parts/sign-in-again.tsx).
 */
export function useUnsavedInput(isUnsaved: boolean): void {
  const hold = use(UnsavedInputContext);
  useEffect(() => (isUnsaved ? hold() : undefined), [isUnsaved, hold]);
}

import { createContext, use, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import type { Language } from "#contract/languages.ts";

/** The number in an address, or NaN: `5` and nothing like `0x5` or `5e0`, so that a record has one address. */
export function toId(text: string | undefined): number {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
}

/** Where the public site begins. */
export function toSiteAddress(lang: Language): string {
  return `/${lang}/cv`;
}

/** Where somebody sets a second factor up: on the public site, in another document. Its head leads back to the console. */
export function toSecurityAddress(lang: Language): string {
  return `/${lang}/profile?tab=security`;
}

/** Of the address that the router is at. The drawn one is older until React has caught up. */
export const ReadKeyContext = createContext<(() => string) | null>(null);

/**
 * Back to the entry of the history before the drawn one. A second click that comes before that is drawn does nothing: it would
 * go on to what lies before it.
 */
export function useStepBack(): () => void {
  const navigate = useNavigate();
  const { key } = useLocation();
  const readKey = use(ReadKeyContext);
  const isStepping = useRef(false);
  // Of the latest drawing: who calls may have been drawn before it, such as what a save does at its end.
  const drawn = useRef(key);
  useLayoutEffect(() => {
    drawn.current = key;
  }, [key]);
  return () => {
    if (isStepping.current || (readKey && readKey() !== drawn.current)) return;
    isStepping.current = true;
    // Also where an unsaved form keeps the person here.
    void Promise.resolve(navigate(-1)).finally(() => {
      isStepping.current = false;
    });
  };
}

import { createContext, type ReactNode, use, useEffect, useMemo } from "react";
import type account from "#locales/en/account.json";
import type steps from "#locales/en/account-steps.json";
import type profile from "#locales/en/profile.json";
import type session from "#locales/en/session.json";
import { createText } from "#providers/text.ts";
import { usePage } from "../ui/page-context.tsx";
import type { TextKey } from "../ui/public-text.ts";

/** Locale files of the account's screens. They come with those screens, so that readers of a CV don't pay for them. */
export type AccountTexts = {
  account: typeof account & typeof steps;
  profile: typeof profile;
  session: typeof session;
};

/** What the screens for everybody read of them: who goes on from there doesn't load the profile's. */
export type StepTexts = Pick<AccountTexts, "account" | "session">;

/** What logging in and registering read: those two pages are kept small, and load no text of the steps that follow. */
export type GuestTexts = { account: typeof account; session: typeof session };

/** `t()` of the account's screens: a key and the values of its `{{slots}}`. */
export type AccountText = (
  key: TextKey<AccountTexts>,
  vars?: Readonly<Record<string, string | number>>,
) => string;

const AccountTextContext = createContext<AccountText | null>(null);

export function useAccountText(): AccountText {
  const t = use(AccountTextContext);
  if (!t) throw new Error("useAccountText is called outside of AccountArea.");
  return t;
}

/** The browser counts the clicks that follow each other at one place (`detail`), by the system's own idea of a double click. */
function dropLaterClick(event: MouseEvent) {
  const { target, detail } = event;
  if (detail < 2 || !(target instanceof Element) || !target.closest("main button")) return;
  event.preventDefault();
  event.stopPropagation();
}

/**
 * A double click on a button counts once: what its first click brings about may put another button under the pointer, which
 * nobody meant, or end so soon that the same thing would be done twice.
 */
function useSingleClicks(): void {
  useEffect(() => {
    document.addEventListener("click", dropLaterClick, true);
    return () => document.removeEventListener("click", dropLaterClick, true);
  }, []);
}

/** What all screens of the account have in common: their texts, in the language of the page, and that a double click is one. */
export function AccountArea({
  texts,
  children,
}: {
  texts: Pick<AccountTexts, "session">;
  children: ReactNode;
}) {
  const { lang } = usePage();
  const t = useMemo(() => createText<TextKey<AccountTexts>>(lang, texts), [lang, texts]);
  useSingleClicks();
  return <AccountTextContext value={t}>{children}</AccountTextContext>;
}

import { type ReactNode, useMemo } from "react";
import { createText } from "#providers/text.ts";
import { usePage } from "../ui/page-context.tsx";
import type { TextKey } from "../ui/public-text.ts";
import { AccountTextContext, type AccountTexts } from "./account-text.tsx";
import { useSingleClicks } from "./use-single-clicks.ts";

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

import { createContext, type ReactNode, use, useMemo } from "react";
import type call from "#locales/en/call.json";
import type session from "#locales/en/session.json";
import type voice from "#locales/en/voice.json";
import { createText } from "#providers/text.ts";
import { usePage } from "../ui/page-context.tsx";
import type { TextKey } from "../ui/public-text.ts";

/** Locale files of the voice screens, which come with them: their own, and the one that the guard and failed calls speak from. */
export type VoiceTexts = { voice: typeof voice; call: typeof call; session: typeof session };
/** What the list reads of them: who looks at it alone does without the room's. */
export type RoomListTexts = Pick<VoiceTexts, "voice" | "session">;

/** `t()` of the voice screens: a key and the values of its `{{slots}}`. */
export type VoiceText = (
  key: TextKey<VoiceTexts>,
  vars?: Readonly<Record<string, string | number>>,
) => string;

const VoiceTextContext = createContext<VoiceText | null>(null);

/** Gives the voice screens their texts, in the language of the page. */
export function VoiceTextProvider({ texts, children }: { texts: RoomListTexts; children: ReactNode }) {
  const { lang } = usePage();
  const t = useMemo(() => createText<TextKey<VoiceTexts>>(lang, texts), [lang, texts]);
  return <VoiceTextContext value={t}>{children}</VoiceTextContext>;
}

export function useVoiceText(): VoiceText {
  const t = use(VoiceTextContext);
  if (!t) throw new Error("useVoiceText is called outside of VoiceTextProvider.");
  return t;
}

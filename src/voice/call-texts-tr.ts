import call from "#locales/tr/call.json" with { type: "json" };
import session from "#locales/tr/session.json" with { type: "json" };
import voice from "#locales/tr/voice.json" with { type: "json" };
import type { VoiceTexts } from "./voice-context.tsx";

export const texts: VoiceTexts = { call, session, voice };

import call from "#locales/en/call.json" with { type: "json" };
import session from "#locales/en/session.json" with { type: "json" };
import voice from "#locales/en/voice.json" with { type: "json" };
import type { VoiceTexts } from "./voice-context.tsx";

export const texts: VoiceTexts = { call, session, voice };

import session from "#locales/tr/session.json" with { type: "json" };
import voice from "#locales/tr/voice.json" with { type: "json" };
import type { RoomListTexts } from "./voice-context.tsx";

export const texts: RoomListTexts = { session, voice };

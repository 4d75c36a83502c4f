import session from "#locales/en/session.json" with { type: "json" };
import voice from "#locales/en/voice.json" with { type: "json" };
import type { RoomListTexts } from "./voice-context.tsx";

export const texts: RoomListTexts = { session, voice };

import type { VoiceServices, VoiceText } from "../voice-context.tsx";

/**
 * Somebody is in a room of the reader's, who asked to be notified in the browser. @returns what the page says; undefined where
 * they did not ask. Where the page isn't looked at, the system says it too, if the browser was given leave.
 */
export function notifyEntered(
  { name, room }: { name: string; room: string },
  session: VoiceServices["session"],
  t: VoiceText,
): string | undefined {
  const { room_entered } = session.getAuthState()?.profile?.notification_preferences ?? {};
  if (room_entered !== "browser") return undefined;
  const text = t("voice:rooms.entered", { name, room });
  const mayNotify = "Notification" in window && Notification.permission === "granted";
  if (document.visibilityState === "hidden" && mayNotify) notify(text);
  return text;
}

/** Browsers of phones let a service worker alone notify, and throw: the page says it all the same. */
function notify(text: string): void {
  try {
    new Notification(text);
  } catch (error) {
    console.warn("The system can't be notified.", error);
  }
}

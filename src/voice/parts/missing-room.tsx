import { SiteLink } from "../../ui/links.tsx";
import { useVoiceText } from "../voice-context.tsx";

/** The part of an address that names a room: its slug or id. One that can't be read names none. */
export function readRoomName(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

/** A room that isn't there, or not any more. */
export function MissingRoom() {
  const t = useVoiceText();
  return (
    <section className="notice-page">
      <h1>{t("voice:rooms.missingTitle")}</h1>
      <p>{t("voice:rooms.missingText")}</p>
      <SiteLink to="/rooms" className="button">
        {t("voice:rooms.toList")}
      </SiteLink>
    </section>
  );
}

import type { OutgoingMail } from "../outgoing-mail.ts";
import { type MailContent, toLine } from "./content.ts";
import { type MailSite, toPageAddress, toSiteName } from "./mail-site.ts";
import { fill, MAIL_TEXTS } from "./mail-text.ts";

/** To who made a room, where they asked to be told. The newcomer is called as others see them. */
export function buildRoomEntered(
  mail: Extract<OutgoingMail, { kind: "room_entered" }>,
  site: MailSite,
): MailContent {
  const { layout, room_entered: texts } = MAIL_TEXTS[mail.language];
  const vars = {
    site: toSiteName(site, mail.language),
    room: toLine(mail.roomName),
    name: toLine(mail.newcomerName),
  };
  return {
    subject: fill(texts.subject, vars),
    title: texts.title,
    stopLabel: layout.stop,
    blocks: [
      { kind: "paragraph", text: fill(texts.text, vars) },
      {
        kind: "button",
        label: texts.button,
        url: toPageAddress(site, mail.language, `/room/${encodeURIComponent(mail.roomSlug)}`),
      },
      { kind: "paragraph", text: texts.once, isQuiet: true },
      { kind: "link", label: texts.preferences, url: toPageAddress(site, mail.language, "/profile") },
    ],
  };
}

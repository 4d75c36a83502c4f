import * as z from "zod";
import { fill, MAIL_TEXTS, toLine, toPageAddress, toSiteName } from "../content.ts";
import { defineMail, ofPerson } from "../kind.ts";

const values = z.object({
  ...ofPerson,
  roomName: z.string(),
  roomSlug: z.string(),
  newcomerName: z.string(),
  expiresAt: z.string(),
});

declare module "../kind.ts" {
  interface MailValues {
    room_entered: z.infer<typeof values>;
  }
}

/** To the creator of a room, where they asked to be notified. The newcomer is called as others see them. */
export const kind = defineMail({
  name: "room_entered",
  values,
  isOptional: true,
  hasForeignText: true,
  build(mail, site) {
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
  },
});

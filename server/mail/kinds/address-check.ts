import * as z from "zod";
import { fill, MAIL_TEXTS, toPageAddress, toPersonVars } from "../content.ts";
import { defineMail, ofPerson } from "../kind.ts";

const values = z.object(ofPerson);

declare module "../kind.ts" {
  interface MailValues {
    address_check: z.infer<typeof values>;
  }
}

/** To somebody whose mail came back, and who asked on their profile to try once more. */
export const kind = defineMail({
  name: "address_check",
  values,
  build(mail, site) {
    const texts = MAIL_TEXTS[mail.language].address_check;
    const vars = toPersonVars(mail, site);
    return {
      subject: fill(texts.subject, vars),
      title: texts.title,
      blocks: [
        { kind: "paragraph", text: fill(texts.text, vars) },
        { kind: "button", label: texts.button, url: toPageAddress(site, mail.language, "/profile") },
        { kind: "paragraph", text: texts.otherwise, isQuiet: true },
      ],
    };
  },
});

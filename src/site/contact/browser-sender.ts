import { createHttp } from "#providers/http/http.ts";
import { type ContactSender, createContactSender } from "./contact-sender.ts";

let sender: ContactSender | undefined;

/** The sender of this document, made at the first touch of a form; the server draws without one. */
export function getBrowserSender(): ContactSender {
  sender ??= createContactSender({
    http: createHttp({ getLanguage: () => document.documentElement.lang }),
  });
  return sender;
}

import type { Language } from "#contract/languages.ts";
import type { OutgoingMail } from "../outgoing-mail.ts";
import { type MailContent, toLine } from "./content.ts";
import { type MailSite, toPageAddress, toSiteName } from "./mail-site.ts";
import { fill, MAIL_TEXTS, toMomentText } from "./mail-text.ts";

type Mail<Kind extends OutgoingMail["kind"]> = Extract<OutgoingMail, { kind: Kind }>;

function toVars(mail: { username: string; recipient: string; language: Language }, site: MailSite) {
  return {
    site: toSiteName(site, mail.language),
    username: toLine(mail.username),
    address: toLine(mail.recipient),
  };
}

/** To the owner of an address that somebody else, or they themselves, wanted to use again. */
export function buildAccountExists(mail: Mail<"account_exists">, site: MailSite): MailContent {
  const texts = MAIL_TEXTS[mail.language].account_exists;
  const vars = toVars(mail, site);
  return {
    subject: fill(texts.subject, vars),
    title: texts.title,
    blocks: [
      { kind: "paragraph", text: fill(texts.text, vars) },
      { kind: "button", label: texts.button, url: toPageAddress(site, mail.language, "/login") },
      { kind: "link", label: texts.forgot, url: toPageAddress(site, mail.language, "/forgot-password") },
      { kind: "paragraph", text: texts.otherwise, isQuiet: true },
    ],
  };
}

/** To somebody for whom the console made an account. The address is behind `#`, which no server and no log gets to see. */
export function buildAccountMade(mail: Mail<"account_made">, site: MailSite): MailContent {
  const texts = MAIL_TEXTS[mail.language].account_made;
  const vars = toVars(mail, site);
  const address = encodeURIComponent(mail.recipient);
  return {
    subject: fill(texts.subject, vars),
    title: texts.title,
    blocks: [
      { kind: "paragraph", text: fill(texts.text, vars) },
      { kind: "paragraph", text: fill(texts.how, vars) },
      {
        kind: "button",
        label: texts.button,
        url: toPageAddress(site, mail.language, `/forgot-password#email=${address}`),
      },
      { kind: "paragraph", text: texts.otherwise, isQuiet: true },
    ],
  };
}

/** The way out leads to the reset by mail, because whoever sits there may have changed what the profile needs. */
export function buildNewSignIn(mail: Mail<"new_sign_in">, site: MailSite): MailContent {
  const { facts, new_sign_in: texts } = MAIL_TEXTS[mail.language];
  const vars = toVars(mail, site);
  return {
    subject: fill(texts.subject, vars),
    title: texts.title,
    blocks: [
      { kind: "paragraph", text: texts.text },
      {
        kind: "facts",
        facts: [
          [facts.account, vars.username],
          [facts.when, toMomentText(mail.at, mail.language)],
          [facts.device, toLine(mail.device) || facts.unknownDevice],
          [facts.network, toLine(mail.ipAddress)],
        ],
      },
      { kind: "paragraph", text: texts.fine },
      { kind: "paragraph", text: texts.otherwise },
      { kind: "button", label: texts.button, url: toPageAddress(site, mail.language, "/forgot-password") },
      { kind: "link", label: texts.preferences, url: toPageAddress(site, mail.language, "/profile") },
    ],
  };
}

/** To the address before. It opens nothing any more, so the owner of the site is whom to ask. */
export function buildAddressChanged(mail: Mail<"address_changed">, site: MailSite): MailContent {
  const { facts, address_changed: texts } = MAIL_TEXTS[mail.language];
  const vars = toVars(mail, site);
  return {
    subject: fill(texts.subject, vars),
    title: texts.title,
    blocks: [
      { kind: "paragraph", text: fill(texts.text, vars) },
      {
        kind: "facts",
        facts: [
          [facts.account, vars.username],
          [facts.address, toLine(mail.newAddress)],
          [facts.when, toMomentText(mail.at, mail.language)],
        ],
      },
      { kind: "paragraph", text: texts.otherwise },
      { kind: "button", label: texts.button, url: toPageAddress(site, mail.language, "/contact") },
    ],
  };
}

export function buildPasswordChanged(mail: Mail<"password_changed">, site: MailSite): MailContent {
  const { facts, password_changed: texts } = MAIL_TEXTS[mail.language];
  const vars = toVars(mail, site);
  return {
    subject: fill(texts.subject, vars),
    title: texts.title,
    blocks: [
      { kind: "paragraph", text: texts.text },
      {
        kind: "facts",
        facts: [
          [facts.account, vars.username],
          [facts.when, toMomentText(mail.at, mail.language)],
        ],
      },
      { kind: "paragraph", text: texts.otherwise },
      { kind: "button", label: texts.button, url: toPageAddress(site, mail.language, "/forgot-password") },
    ],
  };
}

/** `foyer mail test`. */
export function buildTest(mail: Mail<"test">, site: MailSite): MailContent {
  const texts = MAIL_TEXTS[mail.language].test;
  return {
    subject: fill(texts.subject, { site: toSiteName(site, mail.language) }),
    title: texts.title,
    blocks: [
      { kind: "paragraph", text: fill(texts.text, { address: toLine(mail.recipient) }) },
      { kind: "button", label: texts.button, url: site.origin },
    ],
  };
}

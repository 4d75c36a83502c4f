import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import PostalMime from "postal-mime";
import { LANGUAGES } from "#contract/languages.ts";
import { getContrast, MIN_CONTRAST, toShades } from "#contract/site/accent.ts";
import { composeMail, type Ink, PALETTE } from "./compose.ts";
import { OPTIONAL_KINDS } from "./kinds.ts";
import { buildMails, SITE } from "./test-mails.ts";

describe("palette", () => {
  const TOKENS: Readonly<Record<Ink, string>> = {
    paper: "paper",
    raised: "paper-raised",
    sunken: "paper-sunken",
    ink: "ink",
    quiet: "ink-quiet",
    line: "line",
    accent: "accent",
    "on-accent": "on-accent",
  };

  test("mails have the colours of the site", () => {
    const css = readFileSync(join(process.cwd(), "src/ui/tokens.css"), "utf8");
    const read = (token: string) =>
      new RegExp(`--${token}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css)?.slice(1);
    for (const [ink, token] of Object.entries(TOKENS))
      expect([ink, PALETTE[ink as Ink]]).toEqual([ink, read(token)]);
  });

  describe.each(["#ffd400", "#c2185b", "#000000", "#ffffff"])("of an owner whose accent is %s", (accent) => {
    const { light, dark } = toShades(accent);

    /** Colours of an element's style, by their rules. */
    const readColours = (style: string) =>
      Object.fromEntries(
        [...style.matchAll(/(?<rule>color|background-color|border-color):(?<colour>#\w{6})/g)].map(
          ({ groups }) => [groups?.rule, groups?.colour ?? ""],
        ),
      );

    test.each(LANGUAGES.flatMap((lang) => buildMails(lang).map((mail) => [lang, mail.kind, mail] as const)))(
      "%s %s: links and buttons have it, readable, on light and dark grounds",
      (_lang, _kind, mail) => {
        const { html } = composeMail(mail, { ...SITE, accent });
        for (const product of [...PALETTE.accent, PALETTE["on-accent"][1]])
          expect(html).not.toContain(product);
        for (const [, style = ""] of html.matchAll(/<a [^>]*style="([^"]*)"/g)) {
          const { color = "", "background-color": ground } = readColours(style);
          for (const paper of ground ? [ground] : [PALETTE.paper[0], PALETTE.raised[0]])
            expect(getContrast(color, paper)).toBeGreaterThanOrEqual(MIN_CONTRAST);
          expect(ground ?? color).toBe(light.accent);
        }
        expect(html).toContain(`.t-accent{color:${dark.accent}!important}`);
        expect(html).toContain(`.g-accent{background-color:${dark.accent}!important}`);
        expect(html).toContain(`.t-on-accent{color:${dark.on}!important}`);
      },
    );
  });
});

describe("compose", () => {
  const CASES = LANGUAGES.flatMap((lang) => buildMails(lang).map((mail) => [lang, mail.kind, mail] as const));
  const HOSTILE = `<img src=x onerror=alert(1)> "&quot;'\r\nBcc: all@foyer.example\u202e {{code}}`;

  describe.each(CASES)("%s %s", (lang, kind, mail) => {
    const composed = composeMail(mail, SITE);

    test("says something in each part, with no slot left and no key shown", () => {
      const html = composed.html.replace(/<style>.*<\/style>/, "");
      for (const part of [composed.subject, composed.text, html]) {
        expect(part).not.toMatch(/\{\{|\}\}|undefined|null|NaN|Invalid|_/);
        expect(part.trim().length).toBeGreaterThan(10);
      }
      expect(composed.html).toContain(`<html lang="${lang}">`);
    });

    test("loads nothing and runs nothing", () => {
      expect(composed.html).not.toMatch(/<(img|script|link|iframe|form)\b|url\(|@import|\son\w+=/i);
      for (const [, address] of composed.html.matchAll(/href="([^"]*)"/g))
        expect(address).toMatch(/^https:\/\/site\.test(\/|$)/);
    });

    test("has every link of its HTML in its text too", () => {
      for (const [, address = ""] of composed.html.matchAll(/href="([^"]*)"/g))
        expect(composed.text).toContain(address);
    });

    test("carries the link that stops such mails only where they can be stopped", () => {
      const canStop = OPTIONAL_KINDS.includes(kind);
      expect(composed.canStop).toBe(canStop);
      for (const part of [composed.text, composed.html]) expect(part.includes(SITE.stopUrl)).toBe(canStop);
    });
  });

  test.each(LANGUAGES)(
    "%s: a stranger's words are text, and never more than one line of the subject",
    (lang) => {
      for (const mail of buildMails(lang, HOSTILE)) {
        const { subject, html, text, replyTo } = composeMail(mail, SITE);
        for (const line of [subject, replyTo?.name ?? ""]) expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
        expect(html).not.toMatch(/<img|&quot;&quot;|\u202e/);
        // What is escaped once reads as it was written; twice it would show the marks of the escaping.
        expect(html).not.toContain("&amp;lt;");
        expect(text).not.toMatch(/^Bcc:/m);
        expect(text).not.toContain("\u202e");
      }
    },
  );

  test("an encoded word that somebody typed is shown as it is, and decoded by nobody", async () => {
    const typed = "=?utf-8?q?=0d=0aBcc:_all@foyer.example?=";
    for (const mail of buildMails("en", typed)) {
      const { subject, replyTo } = composeMail(mail, SITE);
      for (const line of [subject, replyTo?.name ?? ""]) {
        expect(line).not.toContain("=?");
        const parsed = await PostalMime.parse(`Subject: ${line}\r\n\r\ntext`);
        expect(parsed.subject ?? "").toBe(line);
      }
    }
  });

  test.each([
    ["işıl@örnek.example", undefined],
    ["isil+site@foyer.example", "isil+site@foyer.example"],
  ])("an answer goes to %s only where every server can carry the address", (email, address) => {
    const mails = buildMails("en").flatMap((mail) =>
      mail.kind === "contact_message" ? [composeMail({ ...mail, email }, SITE)] : [],
    );
    expect(mails.map(({ replyTo }) => replyTo?.address)).toEqual([address]);
    expect(mails[0]?.text).toContain(email);
  });

  test.each(LANGUAGES)("%s: no label of a link ends twice", (lang) => {
    for (const mail of buildMails(lang)) expect(composeMail(mail, SITE).text).not.toMatch(/[.:]:$/m);
  });

  test("the owner gets the whole message, line by line, and answers the visitor", () => {
    const [mail] = buildMails("en").filter(({ kind }) => kind === "contact_message");
    if (!mail) throw new Error("there is no such mail");
    const { subject, text, html, replyTo } = composeMail(mail, SITE);
    expect(replyTo).toEqual({ name: "Işıl Örnek", address: "visitor@foyer.example" });
    expect(subject).toBe("Işıl Örnek: A question: Işıl Örnek");
    expect(text).toContain("> How do you test this?\n>\n> With care, and\ton two lines.\n> Işıl Örnek");
    expect(html).toContain("How do you test this?<br><br>With care, and\ton two lines.<br>Işıl Örnek");
    expect(text).toContain("https://site.test/admin/models/contact.message/objects/4");
  });

  test("a code stands first in the subject, is whole in text and HTML, and says how long it is good and for whom", () => {
    for (const lang of LANGUAGES) {
      const codes = buildMails(lang).filter((mail) => "code" in mail);
      expect(codes).toHaveLength(3);
      for (const mail of codes) {
        const { subject, text, html } = composeMail(mail, SITE);
        expect(subject).toMatch(/^123456 /);
        expect(text).toMatch(/^ {4}123456$/m);
        expect(html).toMatch(/>123456<\/p>/);
        for (const said of [/10 (minutes|dakika)/, /Işıl Örnek/]) expect(text).toMatch(said);
        // A time of day would be right for the readers of one time zone.
        expect(text).not.toMatch(/UTC|\d:\d\d/);
      }
    }
  });

  test("moments are written in words with their time zone", () => {
    const toText = (lang: (typeof LANGUAGES)[number]) =>
      buildMails(lang).flatMap((mail) => (mail.kind === "new_sign_in" ? [composeMail(mail, SITE).text] : []));
    expect(toText("en")[0]).toContain("November 20, 2026 at 21:53 UTC");
    expect(toText("tr")[0]).toContain("20 Kasım 2026 21:53 UTC");
  });

  test("a device that named nothing is said to be that", () => {
    const mails = buildMails("en").map((mail) =>
      mail.kind === "new_sign_in" ? { ...mail, device: "" } : mail,
    );
    const [mail] = mails.filter(({ kind }) => kind === "new_sign_in");
    if (!mail) throw new Error("there is no such mail");
    expect(composeMail(mail, SITE).text).toContain("Device: Not named");
  });

  test("a site without a name is called by its host", () => {
    for (const mail of buildMails("en")) {
      const { subject, text } = composeMail(mail, { ...SITE, name: "", origin: "http://127.0.0.1:3000" });
      expect(`${subject}${text}`).not.toMatch(/ {2,}has| · 127|undefined/);
      expect(text).toContain("-- \n127.0.0.1:3000\n");
    }
  });

  test("a parser of mails finds one subject where somebody typed two lines", async () => {
    const [mail] = buildMails("en", HOSTILE).filter(({ kind }) => kind === "contact_message");
    if (!mail) throw new Error("there is no such mail");
    const { subject } = composeMail(mail, SITE);
    const parsed = await PostalMime.parse(`Subject: ${subject}\r\n\r\ntext`);
    expect(parsed.headers.map(({ key }) => key)).toEqual(["subject"]);
  });

  test.each([
    ["https://site.test", "123456 is your code for site.test"],
    ["http://127.0.0.1:3000", "123456 is your code for the site of Ada Lovelace"],
    ["http://[::1]:3000", "123456 is your code for the site of Ada Lovelace"],
    ["http://localhost:3000", "123456 is your code for the site of Ada Lovelace"],
  ])("a code of %s is called by what says whose it is", (origin, subject) => {
    const [mail] = buildMails("en");
    if (!mail) throw new Error("there is no such mail");
    expect(composeMail(mail, { ...SITE, origin }).subject).toBe(subject);
  });

  test.each(LANGUAGES)("%s: links lead to pages in the language of the mail", (lang) => {
    for (const mail of buildMails(lang)) {
      const addresses = [...composeMail(mail, SITE).html.matchAll(/href="https:\/\/site\.test(\/[^"]*)"/g)];
      for (const [, path = ""] of addresses.filter(([, path]) => !/^\/(api|admin)\//.test(path ?? "")))
        expect(path).toMatch(new RegExp(`^/${lang}/`));
    }
  });

  describe("the owner's words", () => {
    const WORDS = {
      greeting: "Hello <you> & co,",
      signature: "Ada <b>Lovelace</b>\r\n\u202eAnalytical Engines",
      receipt: "I read every mail.\n\nGive me a week.",
    };
    const compose = (kind: string) => {
      const mail = buildMails("en").find((one) => one.kind === kind);
      if (!mail) throw new Error(`no mail of the kind ${kind}`);
      return composeMail(mail, { ...SITE, words: WORDS });
    };

    test.each(["verification_code", "contact_acknowledgement", "new_sign_in"])(
      "greet and sign a %s, as text in both parts",
      (kind) => {
        const { text, html } = compose(kind);
        expect(text).toMatch(/^.+\n\nHello <you> & co,\n\n/);
        expect(text).toContain(
          "-- \nAda <b>Lovelace</b>\nAnalytical Engines\nThis mail was sent automatically.\n",
        );
        expect(text).not.toContain("Ada Lovelace · site.test");
        expect(html).toContain("Hello &lt;you&gt; &amp; co,");
        expect(html).toContain("Ada &lt;b&gt;Lovelace&lt;/b&gt;<br>Analytical Engines<br>");
        expect(html).not.toContain("<b>");
      },
    );

    test("say what a receipt promises, in place of the product's promise", () => {
      const { text } = compose("contact_acknowledgement");
      expect(text).toContain("I read every mail.\n\nGive me a week.");
      expect(text).not.toContain("will answer you");
      expect(compose("verification_code").text).not.toContain("I read every mail.");
    });

    test("nobody's words leave mails as they are", () => {
      for (const mail of buildMails("en")) {
        const { text } = composeMail(mail, SITE);
        expect(text).toContain("-- \nAda Lovelace · site.test\nThis mail was sent automatically.\n");
      }
    });
  });
});

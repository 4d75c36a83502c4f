import type { Language } from "#contract/languages.ts";
import { toShades } from "#contract/site/accent.ts";
import {
  type Block,
  MAIL_TEXTS,
  type MailContent,
  type MailSite,
  toHost,
  toLine,
  toLines,
  toParagraphs,
} from "./content.ts";
import type { OutgoingMail } from "./kind.ts";
import { getMailKind } from "./kinds.ts";

/**
 * Light and dark of src/ui/tokens.css as literals: mail clients know no custom properties. compose.test.ts compares them. The accent
 * and the text on it are the product's; those of a mail are the owner's.
 */
export const PALETTE = {
  paper: ["#fbfbf9", "#15181b"],
  raised: ["#ffffff", "#1c2024"],
  sunken: ["#f1f2ef", "#0f1215"],
  ink: ["#191c1f", "#eceeec"],
  quiet: ["#494f55", "#b6bdc2"],
  line: ["#dcdfdb", "#343a40"],
  accent: ["#0b4a63", "#93cfe8"],
  "on-accent": ["#ffffff", "#0d2129"],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

export type Ink = keyof typeof PALETTE;
type Palette = Readonly<Record<Ink, readonly [light: string, dark: string]>>;

/** The accent as it can be read on the grounds of mails, which are those of the pages. */
function toPalette(accent: string): Palette {
  const { light, dark } = toShades(accent);
  return { ...PALETTE, accent: [light.accent, dark.accent], "on-accent": [light.on, dark.on] };
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

interface Look {
  text?: Ink;
  ground?: Ink;
  border?: Ink;
}

const LOOKS = {
  text: ["color", "t"],
  ground: ["background-color", "g"],
  border: ["border-color", "b"],
} as const;
type Part = keyof typeof LOOKS;
const PARTS = Object.keys(LOOKS) as Part[]; // the keys of the object above

/**
 * Attributes of an element: light colours inline, which every client reads, and classes by which clients that know a dark
 * mode take the other ones.
 */
type Paint = (style: string, look?: Look) => string;

function createPaint(palette: Palette): Paint {
  return (style, look = {}) => {
    const used = PARTS.flatMap((part) => {
      const ink = look[part];
      return ink ? [{ rule: `${LOOKS[part][0]}:${palette[ink][0]}`, name: `${LOOKS[part][1]}-${ink}` }] : [];
    });
    const rules = [style, ...used.map(({ rule }) => rule)].filter(Boolean).join(";");
    const names = used.map(({ name }) => name).join(" ");
    return `${names ? `class="${names}" ` : ""}style="${rules}"`;
  };
}

const INKS = Object.keys(PALETTE) as Ink[]; // the keys of a constant
const toDarkRules = (palette: Palette) =>
  PARTS.flatMap((part) =>
    INKS.map((ink) => `.${LOOKS[part][1]}-${ink}{${LOOKS[part][0]}:${palette[ink][1]}!important}`),
  ).join("");

const BODY_FONT =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;font-size:16px;line-height:1.6";
const HEADING = "margin:0 0 16px;font-family:Georgia,'Times New Roman',serif;font-size:28px;line-height:1.2";
const MONO = "font-family:ui-monospace,'SF Mono',Menlo,Consolas,monospace";
/** The space between the digits is drawn, so that what is copied is the six digits; its last one is taken back at the left. */
const CODE = `margin:24px 0;padding:16px 8px 16px 16px;border-radius:8px;text-align:center;${MONO};font-size:34px;font-weight:700;line-height:1.2;letter-spacing:8px`;
const BUTTON =
  "display:inline-block;padding:12px 20px;border-radius:8px;font-weight:600;text-decoration:none;overflow-wrap:anywhere";
const QUOTE =
  "margin:0 0 24px;padding:4px 0 4px 16px;border-left-width:3px;border-left-style:solid;white-space:pre-wrap;overflow-wrap:anywhere";

function drawFact(paint: Paint, [name, value]: readonly [string, string]): string {
  return (
    `<dt ${paint("margin:0;font-size:14px", { text: "quiet" })}>${escapeHtml(name)}</dt>` +
    `<dd style="margin:0 0 12px;overflow-wrap:anywhere">${escapeHtml(value)}</dd>`
  );
}

function drawHtmlBlock(paint: Paint, block: Block): string {
  switch (block.kind) {
    case "paragraph": {
      const look = block.isQuiet ? paint("margin:0 0 16px;font-size:14px", { text: "quiet" }) : null;
      return `<p ${look ?? 'style="margin:0 0 16px"'}>${escapeHtml(block.text)}</p>`;
    }
    case "code":
      return `<p ${paint(CODE, { text: "ink", ground: "sunken" })}>${escapeHtml(block.code)}</p>`;
    case "facts":
      return `<dl style="margin:0 0 16px">${block.facts.map((fact) => drawFact(paint, fact)).join("")}</dl>`;
    case "quote": {
      const lines = toLines(block.text).map(escapeHtml);
      return `<blockquote ${paint(QUOTE, { border: "accent" })}>${lines.join("<br>")}</blockquote>`;
    }
    case "button":
      return `<p style="margin:24px 0"><a href="${escapeHtml(block.url)}" ${paint(BUTTON, {
        text: "on-accent",
        ground: "accent",
      })}>${escapeHtml(block.label)}</a></p>`;
    case "link":
      return `<p style="margin:0 0 16px">${drawLink(paint, block.label, block.url)}</p>`;
  }
}

function drawLink(paint: Paint, label: string, url: string): string {
  return `<a href="${escapeHtml(url)}" ${paint("", { text: "accent" })}>${escapeHtml(label)}</a>`;
}

/** A mail as HTML: one column, no picture, nothing that is loaded. The table is for Outlook alone, which knows no max-width. */
function drawHtml(content: MailContent, site: MailSite, foot: string, lang: Language): string {
  const palette = toPalette(site.accent);
  const paint = createPaint(palette);
  const stop = content.stopLabel ? `<br>${drawLink(paint, content.stopLabel, site.stopUrl)}` : "";
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(toLine(content.subject))}</title>
<style>:root{color-scheme:light dark;supported-color-schemes:light dark}@media (prefers-color-scheme:dark){${toDarkRules(palette)}}</style>
</head>
<body ${paint(`margin:0;padding:0;${BODY_FONT}`, { text: "ink", ground: "paper" })}>
<div ${paint(`padding:24px 16px;${BODY_FONT}`, { text: "ink", ground: "paper" })}>
<!--[if mso]><table role="presentation" width="544" align="center"><tr><td><![endif]-->
<div ${paint("max-width:34rem;margin:0 auto;padding:24px;border-width:1px;border-style:solid;border-radius:12px;box-sizing:border-box", { text: "ink", ground: "raised", border: "line" })}>
<h1 ${paint(HEADING, { text: "ink" })}>${escapeHtml(content.title)}</h1>
${content.blocks.map((block) => drawHtmlBlock(paint, block)).join("\n")}
</div>
<p ${paint("max-width:34rem;margin:16px auto 0;padding:0 24px;box-sizing:border-box;font-size:14px", { text: "quiet" })}>${escapeHtml(foot).replaceAll("\n", "<br>")}${stop}</p>
<!--[if mso]></td></tr></table><![endif]-->
</div>
</body>
</html>
`;
}

function drawTextBlock(block: Block): string {
  switch (block.kind) {
    case "paragraph":
      return block.text;
    case "code":
      return `    ${block.code}`;
    case "facts":
      return block.facts.map(([name, value]) => `${name}: ${value}`).join("\n");
    case "quote":
      // Line by line, so that no line of a stranger passes for one of ours.
      return toLines(block.text)
        .map((line) => `> ${line}`.trimEnd())
        .join("\n");
    case "button":
    case "link":
      // A label may be a sentence.
      return `${block.label.replace(/\.$/, "")}:\n${block.url}`;
  }
}

/** A mail as plain text. */
function drawText(content: MailContent, site: MailSite, foot: string): string {
  const parts = [content.title, ...content.blocks.map(drawTextBlock), `-- \n${foot}`];
  if (content.stopLabel) parts.push(`${content.stopLabel}:\n${site.stopUrl}`);
  return `${parts.join("\n\n")}\n`;
}

export type { MailSite };

/** A mail as a transport takes it. `canStop`: it carries the link and the headers that stop such mails. */
export interface ComposedMail {
  subject: string;
  text: string;
  html: string;
  replyTo?: { name: string; address: string };
  canStop: boolean;
}

/** Whose site it is that sends, in the owner's words where there are any. */
function toFoot({ language }: OutgoingMail, site: MailSite): string {
  const own = toLines(site.words.signature)
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
  const sender = own || [toLine(site.name), toHost(site)].filter(Boolean).join(" · ");
  return `${sender}\n${MAIL_TEXTS[language].layout.automatic}`;
}

/** Writes a mail in its language, as text and as HTML. Its subject is one line, whoever's words are in it. */
export function composeMail(mail: OutgoingMail, site: MailSite): ComposedMail {
  const built = getMailKind(mail).build(mail, site);
  const content = { ...built, blocks: [...toParagraphs(site.words.greeting), ...built.blocks] };
  const foot = toFoot(mail, site);
  return {
    subject: toLine(content.subject),
    text: drawText(content, site, foot),
    html: drawHtml(content, site, foot, mail.language),
    canStop: content.stopLabel !== undefined,
    ...(content.replyTo && { replyTo: content.replyTo }),
  };
}

import { type Block, type MailContent, toLines } from "../content.ts";
import type { MailSite } from "./mail-site.ts";

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
export function drawText(content: MailContent, site: MailSite, foot: string): string {
  const parts = [content.title, ...content.blocks.map(drawTextBlock), `-- \n${foot}`];
  if (content.stopLabel) parts.push(`${content.stopLabel}:\n${site.stopUrl}`);
  return `${parts.join("\n\n")}\n`;
}

import type { ReactNode } from "react";
import { NewTabLink } from "../../ui/new-tab-link.tsx";

const ADDRESS = /https?:\/\/[^\s<>"']+/g;
/** Ends a sentence, not an address. */
const END = /[.,;:!?\]}]$/;

const count = (text: string, sign: string) => text.split(sign).length - 1;

/** Without what follows it in the sentence; a bracket belongs to it where it was opened in it. */
function trimAddress(found: string): string {
  const isOver = END.test(found) || (found.endsWith(")") && count(found, ")") > count(found, "("));
  return isOver ? trimAddress(found.slice(0, -1)) : found;
}

/** Text as it was typed, with its web addresses as links. */
export function LinkedText({ text }: { text: string }): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = trimAddress(found);
    // Nothing behind the two slashes.
    if (address.endsWith("/") && address.split("/").length === 3) continue;
    parts.push(text.slice(end, index));
    parts.push(
      <NewTabLink key={index} href={address}>
        {address}
      </NewTabLink>,
    );
    end = index + address.length;
  }
  parts.push(text.slice(end));
  return parts;
}

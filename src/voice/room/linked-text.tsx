import type { ReactNode } from "react";
import { NewTabLink } from "../../ui/new-tab-link.tsx";

const ADDRESS = /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}]/g;

/** Text as it was typed, with its web addresses as links. */
export function LinkedText({ text }: { text: string }): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
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

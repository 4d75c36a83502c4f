import type { SiteInfo } from "#contract/site/site.ts";
import { toWebAddress } from "./links.tsx";

export interface SocialLink {
  name: string;
  href: string;
}

/** The networks that the site names, in their order; one without an address that may be linked is left out. */
export function toSocialLinks({ github, linkedin, steam }: SiteInfo): SocialLink[] {
  const networks = [
    ["GitHub", github],
    ["LinkedIn", linkedin],
    ["Steam", steam],
  ] as const;
  return networks.flatMap(([name, address]) => {
    const href = toWebAddress(address);
    return href ? [{ name, href }] : [];
  });
}

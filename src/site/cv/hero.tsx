import type { Cv } from "#contract/site/cv.ts";
import { toShortAddress, toWebAddress } from "../../ui/links.tsx";
import { usePage } from "../../ui/page-context.tsx";
import { HeroPhoto } from "./hero-photo.tsx";
import { Prose } from "./prose.tsx";

interface ContactLink {
  href: string;
  text: string;
  /** What paper shows beside the text, where the text isn't the address itself. */
  address?: string;
}

/** Ways to reach the person, each one as a link with a name. */
function toContactLinks({ email, website, links }: Cv): ContactLink[] {
  const found: ContactLink[] = [];
  if (email) found.push({ href: `mailto:${email}`, text: email });
  const site = toWebAddress(website);
  if (site) found.push({ href: site, text: toShortAddress(site) });
  for (const { network, url, username } of links) {
    const href = toWebAddress(url);
    const address = href && toShortAddress(href);
    if (address) found.push({ href, text: network || username || address, address });
  }
  return found;
}

/** Who this is: name, what they do, portrait, and where to write to. */
export function Hero({ cv }: { cv: Cv }) {
  const { t } = usePage();
  const links = toContactLinks(cv);
  return (
    <section className="hero">
      <div className="hero-text">
        <h1>{cv.name || t("site:cv.title")}</h1>
        {cv.title && <p className="hero-title">{cv.title}</p>}
        {cv.tagline && <p className="hero-tagline">{cv.tagline}</p>}
        <Prose className="hero-description" text={cv.description} />
        {links.length > 0 && (
          <ul className="hero-links" aria-label={t("site:cv.contactLinks")}>
            {links.map(({ href, text, address }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same address, and they never move
              <li key={index}>
                <a href={href} rel="me" data-address={address}>
                  {text}
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
      <HeroPhoto {...cv} />
    </section>
  );
}

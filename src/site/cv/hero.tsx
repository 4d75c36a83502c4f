import type { Cv } from "#contract/cv.ts";
import { usePage } from "../../ui/page-context.tsx";
import { Prose } from "./prose.tsx";
import { toShortAddress, toWebAddress } from "./web-address.ts";

/** Ways to reach the person, each one as a link with a name. */
function toContactLinks({ email, website, links }: Cv): { href: string; text: string }[] {
  const found: { href: string; text: string }[] = [];
  if (email) found.push({ href: `mailto:${email}`, text: email });
  const site = toWebAddress(website);
  if (site) found.push({ href: site, text: toShortAddress(site) });
  for (const { network, url, username } of links) {
    const href = toWebAddress(url);
    if (href) found.push({ href, text: network || username || toShortAddress(href) });
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
            {links.map(({ href, text }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same address, and they never move
              <li key={index}>
                <a href={href} rel="me">
                  {text}
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
      {cv.photo && (
        <img
          className="hero-photo"
          src={cv.photo}
          alt={t("site:cv.photoOf", { name: cv.name })}
          width="192"
          height="192"
          fetchPriority="high"
        />
      )}
    </section>
  );
}

import { useEffect, useRef, useState } from "react";
import type { Cv } from "#contract/site/cv.ts";
import { toShortAddress, toWebAddress } from "../../ui/links.tsx";
import { usePage } from "../../ui/page-context.tsx";
import { Prose, toSrcSet } from "./cv-section.tsx";

/** The widths that hero.css gives the picture. */
const SIZES = "(width < 44rem) 128px, 192px";

/** The portrait. Until it is there, its place is held by a skeleton (hero.css), which then ends: a portrait may be see-through. */
export function HeroPhoto({ photo, photo_sizes, name }: Pick<Cv, "photo" | "photo_sizes" | "name">) {
  const { t } = usePage();
  const imageRef = useRef<HTMLImageElement>(null);
  const [isSettled, setIsSettled] = useState(false);
  const [hasCopies, setHasCopies] = useState(photo_sizes.length > 0);
  const settle = () => setIsSettled(true);
  // Where the server can't make a smaller copy, the picture itself is still there.
  const fail = () => (hasCopies ? setHasCopies(false) : settle());
  // Most often it came, or failed, before the page was hydrated, and nobody received its event.
  useEffect(() => {
    const image = imageRef.current;
    if (!image?.complete) return;
    if (image.naturalWidth > 0) setIsSettled(true);
    else setHasCopies(false);
  }, []);
  if (!photo) return null;
  return (
    <div className={`hero-photo${isSettled ? " is-settled" : ""}`}>
      <img
        ref={imageRef}
        src={photo}
        srcSet={hasCopies ? toSrcSet(photo_sizes) : undefined}
        sizes={hasCopies ? SIZES : undefined}
        alt={t("site:cv.photoOf", { name })}
        width="192"
        height="192"
        fetchPriority="high"
        onLoad={settle}
        onError={fail}
      />
    </div>
  );
}

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

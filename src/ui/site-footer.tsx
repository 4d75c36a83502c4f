import { usePage } from "./page-context.tsx";
import { SiteLink } from "./site-link.tsx";
import { toSocialLinks } from "./social-links.ts";

/** Whose site it is, where else to find them, and the small print (specification A 2.3). */
export function SiteFooter() {
  const { site, today, t } = usePage();
  return (
    <footer className="footer">
      <p>
        © {today.slice(0, 4)}
        {site.author && ` ${site.author}`}
      </p>
      <ul className="footer-links">
        {toSocialLinks(site).map(({ name, href }) => (
          <li key={name}>
            <a href={href} rel="me noreferrer">
              {name}
            </a>
          </li>
        ))}
        {(["terms", "privacy"] as const).map((slug) => (
          <li key={slug}>
            <SiteLink to={`/${slug}`}>{t(`site:layout.${slug}`)}</SiteLink>
          </li>
        ))}
      </ul>
    </footer>
  );
}

import { usePage } from "./page-context.tsx";
import { SiteLink } from "./site-link.tsx";

/** Whose site it is, where else to find them, and the small print (specification A 2.3). */
export function SiteFooter() {
  const { site, path, today, t } = usePage();
  const social = [
    ["GitHub", site.github],
    ["LinkedIn", site.linkedin],
    ["Steam", site.steam],
  ] as const;
  return (
    <footer className="footer">
      <p>
        © {today.slice(0, 4)}
        {site.author && ` ${site.author}`}
      </p>
      <ul className="footer-links">
        {social.map(
          ([name, address]) =>
            address && (
              <li key={name}>
                <a href={address} rel="me noreferrer">
                  {name}
                </a>
              </li>
            ),
        )}
        {(["terms", "privacy"] as const).map((slug) => (
          <li key={slug}>
            <SiteLink to={`/${slug}`} isCurrent={path === `/${slug}`}>
              {t(`site:layout.${slug}`)}
            </SiteLink>
          </li>
        ))}
      </ul>
    </footer>
  );
}

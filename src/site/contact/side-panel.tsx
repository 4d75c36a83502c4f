import type { ReactNode } from "react";
import { toShortAddress, toWebAddress } from "../../ui/links.tsx";
import { NewTabLink } from "../../ui/new-tab-link.tsx";
import { usePage } from "../../ui/page-context.tsx";
import { toSocialLinks } from "../../ui/social-links.ts";

interface Way {
  name: string;
  link: ReactNode;
}

function toProfile(name: string, address: string | null): Way[] {
  const href = toWebAddress(address);
  return href ? [{ name, link: <NewTabLink href={href}>{toShortAddress(href)}</NewTabLink> }] : [];
}

/** A line that is too short for the address ends at its `@`. */
function MailLink({ email }: { email: string }) {
  const [user = "", ...rest] = email.split(/(?=@)/);
  return (
    <a href={`mailto:${email}`}>
      {user}
      <wbr />
      {rest.join("")}
    </a>
  );
}

/** Where else the person can be reached and followed (specification A 2.5). What the site doesn't have is left out. */
export function SidePanel() {
  const { site, t } = usePage();
  const { email, linkedin, github } = site;
  const ways: Way[] = [
    ...(email ? [{ name: t("contact:side.email"), link: <MailLink email={email} /> }] : []),
    ...toProfile("LinkedIn", linkedin),
    ...toProfile("GitHub", github),
  ];
  const social = toSocialLinks(site);
  return (
    <aside className="contact-side">
      {ways.length > 0 && (
        <section>
          <h2>{t("contact:side.title")}</h2>
          <dl>
            {ways.map(({ name, link }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{link}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {social.length > 0 && (
        <section>
          <h2>{t("contact:side.follow")}</h2>
          <ul className="contact-social">
            {social.map(({ name, href }) => (
              <li key={name}>
                <NewTabLink href={href}>{name}</NewTabLink>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className="contact-reply">{t("contact:side.reply")}</p>
    </aside>
  );
}

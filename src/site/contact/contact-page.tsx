import "./contact.css";
import { type ReactNode, useEffect } from "react";
import { CONTACT_FIELDS, type ContactDraft } from "#contract/site/contact.ts";
import { NewTabLink, SiteLink, toShortAddress, toSocialLinks, toWebAddress } from "../../ui/links.tsx";
import { usePage } from "../../ui/page-context.tsx";
import { ContactForm, TrapField } from "./contact-form.tsx";
import { getBrowserSender } from "./contact-sender.ts";
import { canWork } from "./proof-of-work.ts";
import { type ContactServices, forgetText } from "./use-contact-form.ts";

/** Without scripts: what will be sent, to be confirmed or changed. Both buttons post; nothing here needs a script. */
function ConfirmStep({ draft, challenge }: { draft: ContactDraft; challenge: string }) {
  const { prefix, t } = usePage();
  return (
    <form className="contact-confirm" method="post" action={`${prefix}/contact`}>
      <h2>{t("contact:confirm.title")}</h2>
      {draft.error ? (
        <p className="alert" role="alert">
          {draft.error}
        </p>
      ) : (
        <p>{t("contact:confirm.text")}</p>
      )}
      <dl>
        {CONTACT_FIELDS.map((field) => (
          <div key={field}>
            <dt>{t(`contact:form.${field}`)}</dt>
            <dd className="prose">{draft.values[field]}</dd>
            <input type="hidden" name={field} value={draft.values[field]} />
          </div>
        ))}
      </dl>
      <input type="hidden" name="challenge" value={challenge} />
      <TrapField />
      <div className="contact-buttons">
        <button className="button" type="submit" name="action" value="send">
          {t("contact:confirm.send")}
        </button>
        <button className="contact-change" type="submit" name="action" value="change">
          {t("contact:confirm.change")}
        </button>
      </div>
    </form>
  );
}

/** Without scripts: the message is stored. The links lead on; loading the page again sends nothing twice. */
function SentStep() {
  const { prefix, site, t } = usePage();
  useEffect(forgetText, []);
  return (
    <section className="contact-sent">
      <h2>{t("contact:sent.title")}</h2>
      <p role="status">{site.words.thanks ?? t("contact:toast.success")}</p>
      <p className="contact-buttons">
        <a href={`${prefix}/contact`}>{t("contact:sent.another")}</a>
        <SiteLink to="/cv">{t("contact:sent.toCv")}</SiteLink>
      </p>
    </section>
  );
}

interface Way {
  name: string;
  link: ReactNode;
}

function toWays(name: string, address: string | null): Way[] {
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
function SidePanel() {
  const { site, t } = usePage();
  const { email, linkedin, github, words } = site;
  const reply = words.reply ?? t("contact:side.reply");
  const ways: Way[] = [
    ...(email ? [{ name: t("contact:side.email"), link: <MailLink email={email} /> }] : []),
    ...toWays("LinkedIn", linkedin),
    ...toWays("GitHub", github),
  ];
  const social = toSocialLinks(site);
  if (ways.length + social.length === 0 && !reply) return null;
  return (
    <aside className="contact-side">
      {ways.length > 0 && (
        <section>
          <h2>{words.ways ?? t("contact:side.title")}</h2>
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
          <h2>{words.follow ?? t("contact:side.follow")}</h2>
          <ul className="contact-social">
            {social.map(({ name, href }) => (
              <li key={name}>
                <NewTabLink href={href}>{name}</NewTabLink>
              </li>
            ))}
          </ul>
        </section>
      )}
      {reply && <p className="contact-reply">{reply}</p>}
    </aside>
  );
}

const BROWSER: ContactServices = { getSender: getBrowserSender, canWork };

interface ContactPageProps {
  /** What a post without JavaScript left. */
  draft: ContactDraft | null;
  services?: ContactServices;
}

function Step({ draft, services = BROWSER }: ContactPageProps) {
  if (draft?.isSent) return <SentStep />;
  if (draft?.challenge) return <ConfirmStep draft={draft} challenge={draft.challenge} />;
  return <ContactForm draft={draft} services={services} />;
}

/** The contact page (specification A 2.5): the form, and beside it other ways to the person. */
export function ContactPage(props: ContactPageProps) {
  const { site, t } = usePage();
  return (
    <div className="contact">
      <header className="contact-hero">
        <h1>{t("contact:title")}</h1>
        <p>{site.words.intro ?? t("contact:subtitle")}</p>
      </header>
      <Step {...props} />
      <SidePanel />
    </div>
  );
}

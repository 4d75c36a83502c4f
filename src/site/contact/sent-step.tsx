import { useEffect } from "react";
import { usePage } from "../../ui/page-context.tsx";
import { SiteLink } from "../../ui/site-link.tsx";
import { forgetText } from "./kept-text.ts";

/** Without scripts: the message is stored. The links lead on; loading the page again sends nothing twice. */
export function SentStep() {
  const { prefix, t } = usePage();
  useEffect(forgetText, []);
  return (
    <section className="contact-sent">
      <h2>{t("contact:sent.title")}</h2>
      <p role="status">{t("contact:toast.success")}</p>
      <p className="contact-buttons">
        <a href={`${prefix}/contact`}>{t("contact:sent.another")}</a>
        <SiteLink to="/cv">{t("contact:sent.toCv")}</SiteLink>
      </p>
    </section>
  );
}

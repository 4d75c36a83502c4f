import { CONTACT_FIELDS, type ContactDraft } from "#contract/site/contact.ts";
import { usePage } from "../../ui/page-context.tsx";
import { TrapField } from "./trap-field.tsx";

/** Without scripts: what will be sent, to be confirmed or changed. Both buttons post; nothing here needs a script. */
export function ConfirmStep({ draft, challenge }: { draft: ContactDraft; challenge: string }) {
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

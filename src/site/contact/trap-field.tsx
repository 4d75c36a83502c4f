import { useId } from "react";
import { CONTACT_TRAP } from "#contract/site/contact.ts";
import { usePage } from "../../ui/page-context.tsx";

/** Programs fill in every field that they find. People don't find this one; the label is for those who do. */
export function TrapField() {
  const { t } = usePage();
  const id = useId();
  return (
    <div className="visually-hidden" aria-hidden="true">
      <label htmlFor={id}>{t("contact:form.trap")}</label>
      <input id={id} name={CONTACT_TRAP} type="text" tabIndex={-1} autoComplete="off" defaultValue="" />
    </div>
  );
}

import { useId } from "react";
import { describeControl } from "../../ui/field-frame.tsx";
import { NewTabLink } from "../../ui/new-tab-link.tsx";
import { usePage } from "../../ui/page-context.tsx";
import { useAccountText } from "../account-text.tsx";

/** The box that has to be ticked. The terms open in a new tab, so that the form stays. */
export function TermsField({ error }: { error: string | undefined }) {
  const t = useAccountText();
  const { prefix } = usePage();
  const id = useId();
  return (
    <div className="field">
      <div className="terms">
        <label className="check">
          <input id={id} type="checkbox" name="terms" required {...describeControl(id, error)} />
          {t("account:register.terms")}
        </label>
        <NewTabLink href={`${prefix}/terms`}>{t("account:register.readTerms")}</NewTabLink>
      </div>
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

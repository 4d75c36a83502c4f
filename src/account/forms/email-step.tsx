import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { findEmailFaults } from "#contract/accounts/account-rules.ts";
import { LIMITS } from "#contract/limits.ts";
import { HttpError } from "#providers/http/http.ts";
import { toFailureText } from "../../ui/failure-text.ts";
import { FormAlert } from "../../ui/form-messages.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useFormFields } from "../../ui/use-form-fields.ts";
import { useAccountText } from "../account-area.tsx";
import { toFaultTexts } from "./fault-text.ts";

interface EmailStepProps {
  lead: ReactNode;
  label: string;
  /** The button's, at rest and while the call is under way. */
  buttonTexts: { idle: string; busy: string };
  /** What stands in the field at first; it may be no address. */
  email: string;
  /** Moves on. A rejection stays here and is said. */
  onSubmit: (email: string) => Promise<void> | void;
}

const FIELDS = ["email"] as const;

/** Asks which address a code is to go to. */
export function EmailStep({ lead, label, buttonTexts, email, onSubmit }: EmailStepProps) {
  const t = useAccountText();
  const [isBusy, setIsBusy] = useState(false);
  const form = useFormFields({
    fields: FIELDS,
    findErrors: (values) => toFaultTexts(findEmailFaults(values.email.trim()), t),
  });

  const { formRef, measure } = form;
  useEffect(() => {
    const field = formRef.current?.elements.namedItem("email");
    // What was typed before the page was ready counts more.
    if (email && field instanceof HTMLInputElement && field.value === "") field.value = email;
    measure();
  }, [email, formRef, measure]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy || !form.checkAll()) return;
    setIsBusy(true);
    try {
      await onSubmit(form.read().email.trim());
    } catch (error) {
      const faults = error instanceof HttpError ? error.errors : [];
      form.showRefusal(faults, toFailureText(error, t("account:verify.sendFailed"), t));
    }
    setIsBusy(false);
  }

  return (
    <>
      <p className="account-lead">{lead}</p>
      <form
        ref={formRef}
        className="account-form"
        method="post"
        noValidate
        onSubmit={submit}
        {...form.handlers}
      >
        <TextField
          label={label}
          error={form.errors.email}
          name="email"
          type="email"
          autoComplete="email"
          maxLength={LIMITS.emailMaxChars}
          required
        />
        <FormAlert>{form.errors.form}</FormAlert>
        <button className="button" type="submit" disabled={isBusy}>
          {isBusy ? buttonTexts.busy : buttonTexts.idle}
        </button>
      </form>
    </>
  );
}

import { type FormEvent, useState } from "react";
import { type AccountFault, findNewPasswordFaults } from "#contract/accounts/account-rules.ts";
import { doneAnswer } from "#contract/accounts.ts";
import { HttpError } from "#providers/http/http.ts";
import { toFailureText } from "../../ui/failure-text.ts";
import { type FormValues, useFormFields } from "../../ui/use-form-fields.ts";
import { type AccountText, useAccountText } from "../account-text.tsx";
import { toFaultTexts } from "../forms/fault-text.ts";
import { useProfile } from "./profile-context.tsx";

const FIELDS = ["current_password", "new_password", "new_password_confirm"] as const;
type Field = (typeof FIELDS)[number];

function findErrors(values: FormValues<Field>, t: AccountText) {
  const faults: AccountFault<Field>[] = findNewPasswordFaults<Field>(
    { password: values.new_password, repeated: values.new_password_confirm },
    { password: "new_password", repeated: "new_password_confirm" },
  );
  return {
    ...toFaultTexts(faults, t),
    ...(values.current_password === "" && { current_password: t("profile:password.currentRequired") }),
  };
}

/** The form of the dialog: open, submitting, done. The form keeps its passwords; nothing else ever holds them. */
export function useChangePassword() {
  const t = useAccountText();
  const { services, withSession } = useProfile();
  const [step, setStep] = useState<"open" | "submitting" | "done">("open");
  const form = useFormFields({ fields: FIELDS, findErrors: (values) => findErrors(values, t) });

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (step !== "open" || !form.checkAll()) return;
    setStep("submitting");
    try {
      const call = { method: "POST", body: form.read(), schema: doneAnswer } as const;
      await withSession(() => services.getHttp().request("/api/users/password/", call));
      setStep("done");
    } catch (error) {
      const faults = error instanceof HttpError ? error.errors : [];
      form.showRefusal(faults, toFailureText(error, t("profile:password.failed"), t));
      setStep("open");
    }
  }

  return { step, form, submit };
}

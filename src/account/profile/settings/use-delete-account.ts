import { type FormEvent, useState } from "react";
import { HttpError } from "#providers/http/http.ts";
import { toFailureText } from "../../../ui/failure-text.ts";
import { markFarewell } from "../../../ui/farewell.tsx";
import { usePage } from "../../../ui/page-context.tsx";
import { useFormFields } from "../../../ui/use-form-fields.ts";
import { useAccountText } from "../../account-text.tsx";
import { forgetEdits } from "../editor/kept-edits.ts";
import { useProfile } from "../profile-context.tsx";

const FIELDS = ["password"] as const;

/** Deletes the account for good: then this browser is signed out, and the CV says so. */
export function useDeleteAccount() {
  const t = useAccountText();
  const { prefix } = usePage();
  const { services, withSession, leaveTo } = useProfile();
  const [isDeleting, setIsDeleting] = useState(false);
  const form = useFormFields({
    fields: FIELDS,
    findErrors: ({ password }) => (password === "" ? { password: t("profile:delete.passwordRequired") } : {}),
  });

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isDeleting || !form.checkAll()) return;
    setIsDeleting(true);
    try {
      const call = { method: "DELETE", body: form.read() } as const;
      await withSession(() => services.getHttp().request("/api/users/me/", call));
      forgetEdits(services.tabStorage);
      markFarewell();
      await services.getSession().signOut();
      leaveTo(`${prefix}/cv`);
    } catch (error) {
      const faults = error instanceof HttpError ? error.errors : [];
      form.showRefusal(faults, toFailureText(error, t("profile:delete.failed"), t));
      setIsDeleting(false);
    }
  }

  return { form, isDeleting, submit };
}

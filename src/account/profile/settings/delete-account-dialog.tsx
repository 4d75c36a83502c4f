import { Dialog } from "../../../ui/dialog.tsx";
import { FormAlert } from "../../../ui/form-messages.tsx";
import { useAccountText } from "../../account-text.tsx";
import { PasswordField } from "../../parts/password-field.tsx";
import { useProfile } from "../profile-context.tsx";
import { useDeleteAccount } from "./use-delete-account.ts";

const GOES = [
  "profile:delete.goesProfile",
  "profile:delete.goesSessions",
  "profile:delete.goesMails",
] as const;
const STAYS = ["profile:delete.staysContent", "profile:delete.staysAudit"] as const;

function List({ title, items }: { title: string; items: readonly string[] }) {
  return (
    <>
      <h3>{title}</h3>
      <ul className="plain-list">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </>
  );
}

/** Names what goes and what stays, and asks for the password. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const t = useAccountText();
  const { profile } = useProfile();
  const { form, isDeleting, submit } = useDeleteAccount();
  return (
    <Dialog
      title={t("profile:delete.title", { username: profile.username })}
      onCancel={isDeleting ? undefined : onClose}
    >
      <List title={t("profile:delete.goes")} items={GOES.map((key) => t(key))} />
      <List title={t("profile:delete.stays")} items={STAYS.map((key) => t(key))} />
      <p>
        <strong>{t("profile:data.deleteText")}</strong>
      </p>
      <form ref={form.formRef} className="account-form" noValidate onSubmit={submit} {...form.handlers}>
        <PasswordField
          label={t("profile:delete.password")}
          name="password"
          autoComplete="current-password"
          required
          error={form.errors.password}
        />
        <FormAlert>{form.errors.form}</FormAlert>
        <div className="dialog-buttons">
          <button type="button" className="button-quiet" disabled={isDeleting} onClick={onClose}>
            {t("profile:delete.cancel")}
          </button>
          <button type="submit" className="button-danger" disabled={isDeleting}>
            {t(isDeleting ? "profile:delete.deleting" : "profile:delete.confirm")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

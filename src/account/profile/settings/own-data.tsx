import { type FormEvent, useState } from "react";
import { HttpError } from "#providers/http/http.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { toFailureText } from "../../../ui/failure-text.ts";
import { FormAlert, FormStatus } from "../../../ui/form-messages.tsx";
import { usePage } from "../../../ui/page-context.tsx";
import { readStream, saveFile } from "../../../ui/save-file.ts";
import { markFarewell } from "../../../ui/site-layout.tsx";
import { useFormFields } from "../../../ui/use-form-fields.ts";
import { useAccountText } from "../../account-area.tsx";
import { PasswordField } from "../../forms/password-fields.tsx";
import { forgetEdits } from "../editor/use-profile-editor.ts";
import { useProfile } from "../own-profile.tsx";

const FIELDS = ["password"] as const;

/** Deletes the account for good: then this browser is signed out, and the CV says so. */
function useDeleteAccount() {
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
function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
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

export type ExportState =
  | { step: "idle" }
  | { step: "running"; bytes: number }
  | { step: "done" }
  | { step: "failed"; text: string };

/** The name that the server gave the file. */
function readFileName(response: Response): string | undefined {
  return /filename="?([^";]+)"?/.exec(response.headers.get("content-disposition") ?? "")?.[1];
}

/** Everything that the site keeps about the person, as a file. */
function useOwnData() {
  const t = useAccountText();
  const { profile, services, withSession } = useProfile();
  const [state, setState] = useState<ExportState>({ step: "idle" });

  async function download() {
    setState({ step: "running", bytes: 0 });
    try {
      const response = await withSession(() =>
        services
          .getHttp()
          .requestRaw("/api/users/export/", { headers: { Accept: "application/zip, application/json" } }),
      );
      const file = await readStream(response, (bytes) => setState({ step: "running", bytes }));
      saveFile(file, readFileName(response) ?? `foyer-${profile.username}.zip`);
      setState({ step: "done" });
    } catch (error) {
      setState({ step: "failed", text: toFailureText(error, t("profile:data.exportFailed"), t) });
    }
  }

  return { state, download };
}

const KILOBYTE = 1000;

/** Take the data along, or take it away. */
export function OwnData() {
  const t = useAccountText();
  const { lang } = usePage();
  const { state, download } = useOwnData();
  const [isDeleting, setIsDeleting] = useState(false);
  const size = state.step === "running" ? Math.ceil(state.bytes / KILOBYTE) : 0;
  return (
    <>
      <p>{t("profile:data.exportText")}</p>
      <button
        type="button"
        className="button-quiet"
        disabled={state.step === "running"}
        onClick={() => void download()}
      >
        {t(state.step === "running" ? "profile:data.exporting" : "profile:data.export")}
      </button>
      <FormStatus>
        {state.step === "done" && t("profile:data.exported")}
        {size > 0 && t("profile:data.received", { size: new Intl.NumberFormat(lang).format(size) })}
      </FormStatus>
      <FormAlert>{state.step === "failed" && state.text}</FormAlert>
      <h3>{t("profile:data.deleteTitle")}</h3>
      <p>{t("profile:data.deleteText")}</p>
      <button type="button" className="button-danger" onClick={() => setIsDeleting(true)}>
        {t("profile:data.delete")}
      </button>
      {isDeleting && <DeleteAccountDialog onClose={() => setIsDeleting(false)} />}
    </>
  );
}

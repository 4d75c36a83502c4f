import { type FormEvent, useCallback, useState } from "react";
import { renderSVG } from "uqr";
import { appSecretAnswer, PASSKEY_NAME_MAX_CHARS } from "#contract/accounts/second-factor.ts";
import { HttpError } from "#providers/http/http.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { toFailureText } from "../../../ui/failure-text.ts";
import { FormAlert, FormStatus } from "../../../ui/form-messages.tsx";
import { saveFile } from "../../../ui/save-file.ts";
import { TextField } from "../../../ui/text-field.tsx";
import { useFormFields } from "../../../ui/use-form-fields.ts";
import { useAccountText } from "../../account-area.tsx";
import { useProfile } from "../own-profile.tsx";
import { RowsFailed, RowsSkeleton, useLoaded } from "../use-loaded.tsx";

interface ConfirmDialogProps {
  title: string;
  text: string;
  confirmLabel: string;
  confirm: () => Promise<void>;
  onClose: () => void;
}

/** Names what goes before it does. */
export function ConfirmDialog({ title, text, confirmLabel, confirm, onClose }: ConfirmDialogProps) {
  const t = useAccountText();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState("");
  async function run() {
    setIsBusy(true);
    setError("");
    try {
      await confirm();
    } catch (failure) {
      setError(toFailureText(failure, t("profile:security.changeFailed"), t));
      setIsBusy(false);
    }
  }
  return (
    <Dialog title={title} onCancel={isBusy ? undefined : onClose}>
      <p>{text}</p>
      <FormAlert>{error}</FormAlert>
      <div className="dialog-buttons">
        <button type="button" className="button-quiet" disabled={isBusy} onClick={onClose}>
          {t("profile:security.cancel")}
        </button>
        <button type="button" className="button-danger" disabled={isBusy} onClick={() => void run()}>
          {isBusy ? t("profile:security.working") : confirmLabel}
        </button>
      </div>
    </Dialog>
  );
}

/** A form of one field. What was typed stays where it is refused. */
function useOneField(field: "name" | "code", send: (value: string) => Promise<void>) {
  const t = useAccountText();
  const [isBusy, setIsBusy] = useState(false);
  const form = useFormFields({
    fields: [field],
    findErrors: (values) => (values[field].trim() === "" ? { [field]: t("profile:security.missing") } : {}),
  });
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy || !form.checkAll()) return;
    setIsBusy(true);
    try {
      await send(form.read()[field].trim());
    } catch (failure) {
      const faults = failure instanceof HttpError ? failure.errors : [];
      form.showRefusal(faults, toFailureText(failure, t("profile:security.changeFailed"), t));
      setIsBusy(false);
    }
  }
  return { form, isBusy, submit };
}

interface RenameDialogProps {
  name: string;
  rename: (name: string) => Promise<void>;
  onClose: () => void;
}

export function RenameDialog({ name, rename, onClose }: RenameDialogProps) {
  const t = useAccountText();
  const { form, isBusy, submit } = useOneField("name", rename);
  return (
    <Dialog title={t("profile:security.renameNamed", { name })} onCancel={isBusy ? undefined : onClose}>
      <form ref={form.formRef} className="account-form" noValidate onSubmit={submit} {...form.handlers}>
        <TextField
          label={t("profile:security.name")}
          error={form.errors.name}
          name="name"
          defaultValue={name}
          maxLength={PASSKEY_NAME_MAX_CHARS}
          autoComplete="off"
          required
        />
        <FormAlert>{form.errors.form}</FormAlert>
        <div className="dialog-buttons">
          <button type="button" className="button-quiet" disabled={isBusy} onClick={onClose}>
            {t("profile:security.cancel")}
          </button>
          <button type="submit" className="button" disabled={isBusy}>
            {t(isBusy ? "profile:security.working" : "profile:security.save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Groups of four are easier to type. */
const toGroups = (secret: string) => secret.replaceAll(/.{4}(?=.)/g, "$& ");

/** Drawn here: the secret goes to nobody else. Dark on light in both themes, because cameras read no other. */
function QrCode({ uri, label }: { uri: string; label: string }) {
  const svg = renderSVG(uri, { border: 2 });
  return <img className="factor-qr" alt={label} src={`data:image/svg+xml,${encodeURIComponent(svg)}`} />;
}

interface AddAppDialogProps {
  confirm: (code: string) => Promise<void>;
  onClose: () => void;
}

function AppForm({ secret, uri, confirm, onClose }: AddAppDialogProps & { secret: string; uri: string }) {
  const t = useAccountText();
  const { form, isBusy, submit } = useOneField("code", confirm);
  return (
    <form ref={form.formRef} className="account-form" noValidate onSubmit={submit} {...form.handlers}>
      <p>{t("profile:security.appScan")}</p>
      <QrCode uri={uri} label={t("profile:security.appQr")} />
      <p>
        {t("profile:security.appSecret")} <code className="factor-secret">{toGroups(secret)}</code>
      </p>
      <TextField
        label={t("profile:security.appCode")}
        error={form.errors.code}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        required
      />
      <FormAlert>{form.errors.form}</FormAlert>
      <div className="dialog-buttons">
        <button type="button" className="button-quiet" disabled={isBusy} onClick={onClose}>
          {t("profile:security.cancel")}
        </button>
        <button type="submit" className="button" disabled={isBusy}>
          {t(isBusy ? "profile:security.working" : "profile:security.appConfirm")}
        </button>
      </div>
    </form>
  );
}

/** A secret as a QR code and as text, and the first code of it. */
export function AddAppDialog({ confirm, onClose }: AddAppDialogProps) {
  const t = useAccountText();
  const { services, withSession } = useProfile();
  const { getHttp } = services;
  const load = useCallback(
    () =>
      withSession(() =>
        getHttp().request("/api/users/second-factor/app/", { method: "POST", schema: appSecretAnswer }),
      ),
    [getHttp, withSession],
  );
  const { loaded, retry } = useLoaded(load);
  return (
    <Dialog title={t("profile:security.appTitle")} onCancel={onClose}>
      {loaded.state === "loading" && <RowsSkeleton label={t("profile:security.working")} />}
      {loaded.state === "failed" && (
        <>
          <RowsFailed text="" error={loaded.error} onRetry={retry} />
          <div className="dialog-buttons">
            <button type="button" className="button-quiet" onClick={onClose}>
              {t("profile:security.cancel")}
            </button>
          </div>
        </>
      )}
      {loaded.state === "ready" && <AppForm {...loaded.value} confirm={confirm} onClose={onClose} />}
    </Dialog>
  );
}

/** Shown once: Escape leaves it open until the person says that they have kept them. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useAccountText();
  const { profile } = useProfile();
  const [copied, setCopied] = useState<"" | "codesCopied" | "codesNotCopied">("");
  const text = `${codes.join("\n")}\n`;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied("codesCopied"),
      // Not allowed here; the codes stand above.
      () => setCopied("codesNotCopied"),
    );
  return (
    <Dialog title={t("profile:security.codesTitle")} beginsAtTitle>
      <p>{t("profile:security.codesOnce")}</p>
      <ol className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="factor-buttons">
        {/* Without HTTPS browsers have no clipboard. */}
        {"clipboard" in navigator && (
          <button type="button" className="button-quiet" onClick={() => void copy()}>
            {t("profile:security.codesCopy")}
          </button>
        )}
        <button
          type="button"
          className="button-quiet"
          onClick={() =>
            saveFile(new Blob([text], { type: "text/plain" }), `foyer-${profile.username}-codes.txt`)
          }
        >
          {t("profile:security.codesSave")}
        </button>
      </div>
      <FormAlert>{copied === "codesNotCopied" && t("profile:security.codesNotCopied")}</FormAlert>
      <FormStatus>{copied === "codesCopied" && t("profile:security.codesCopied")}</FormStatus>
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={onClose}>
          {t("profile:security.codesKept")}
        </button>
      </div>
    </Dialog>
  );
}

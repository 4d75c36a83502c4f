import { useState } from "react";
import { FormAlert, FormStatus } from "../../../ui/form-messages.tsx";
import { usePage } from "../../../ui/page-context.tsx";
import { useAccountText } from "../../account-text.tsx";
import { DeleteAccountDialog } from "./delete-account-dialog.tsx";
import { useOwnData } from "./use-own-data.ts";

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

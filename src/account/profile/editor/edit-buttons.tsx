import type { RefObject } from "react";
import { useAccountText } from "../../account-text.tsx";
import type { ProfileEditor } from "./use-profile-editor.ts";

/** The id of the form, which the button outside of it sends. */
export const FORM_ID = "profile-form";

/** The way into edit mode, beside the name. */
export function EditButton({
  buttonRef,
  onEdit,
}: {
  buttonRef: RefObject<HTMLButtonElement | null>;
  onEdit: () => void;
}) {
  const t = useAccountText();
  return (
    <div className="profile-buttons">
      <button ref={buttonRef} type="button" className="button" onClick={onEdit}>
        {t("profile:edit.edit")}
      </button>
    </div>
  );
}

/**
 * The way out of edit mode: Save and Cancel, or Saving alone. A line of its own that stays in view over the form, and never
 * stands where Edit stood.
 */
export function SaveBar({ phase, onCancel }: { phase: ProfileEditor["phase"]; onCancel: () => void }) {
  const t = useAccountText();
  if (phase === "view") return null;
  const isSaving = phase === "saving";
  return (
    <div className="profile-save">
      <button type="submit" form={FORM_ID} className="button" disabled={isSaving}>
        {t(isSaving ? "profile:edit.saving" : "profile:edit.save")}
      </button>
      {!isSaving && (
        <button type="button" className="button-quiet" onClick={onCancel}>
          {t("profile:edit.cancel")}
        </button>
      )}
    </div>
  );
}

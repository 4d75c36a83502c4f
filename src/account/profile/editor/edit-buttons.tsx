import type { RefObject } from "react";
import { useAccountText } from "../../account-text.tsx";
import type { ProfileEditor } from "./use-profile-editor.ts";

/** The id of the form, which the buttons in the head of the page send. */
export const FORM_ID = "profile-form";

interface EditButtonsProps {
  phase: ProfileEditor["phase"];
  editRef: RefObject<HTMLButtonElement | null>;
  onEdit: () => void;
  onCancel: () => void;
}

/** Edit, or Save and Cancel, or Saving alone: its longer text would not fit beside Cancel on a phone. */
export function EditButtons({ phase, editRef, onEdit, onCancel }: EditButtonsProps) {
  const t = useAccountText();
  if (phase === "view") {
    return (
      <div className="profile-buttons">
        <button ref={editRef} type="button" className="button" onClick={onEdit}>
          {t("profile:edit.edit")}
        </button>
      </div>
    );
  }
  const isSaving = phase === "saving";
  return (
    <div className="profile-buttons">
      {!isSaving && (
        <button type="button" className="button-quiet" onClick={onCancel}>
          {t("profile:edit.cancel")}
        </button>
      )}
      <button key="save" type="submit" form={FORM_ID} className="button" disabled={isSaving}>
        {t(isSaving ? "profile:edit.saving" : "profile:edit.save")}
      </button>
    </div>
  );
}

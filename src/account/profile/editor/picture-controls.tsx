import { type ChangeEvent, useId } from "react";
import { useAccountText } from "../../account-text.tsx";
import { ACCEPT, MAX_MEGABYTES, type PictureName } from "./pictures.tsx";

const TEXTS = {
  avatar: { change: "profile:picture.changeAvatar", remove: "profile:picture.removeAvatar" },
  cover: { change: "profile:picture.changeCover", remove: "profile:picture.removeCover" },
} as const;

interface PictureControlsProps {
  name: PictureName;
  error: string | undefined;
  hasPicture: boolean;
  isBusy: boolean;
  onChoose: (file: File) => void;
  onRemove: () => void;
}

/** Chooses or removes a picture, which is shown at once and saved with the form. */
export function PictureControls({
  name,
  error,
  hasPicture,
  isBusy,
  onChoose,
  onRemove,
}: PictureControlsProps) {
  const t = useAccountText();
  const id = useId();
  const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0];
    if (file) onChoose(file);
    // The same file can be chosen again after it was removed.
    currentTarget.value = "";
  };
  return (
    <div className="picture-controls">
      <label className="button-quiet">
        <input
          className="visually-hidden"
          type="file"
          accept={ACCEPT}
          disabled={isBusy}
          aria-invalid={error ? "true" : undefined}
          aria-describedby={`${id}-hint ${id}-error`}
          onChange={onChange}
        />
        {t(TEXTS[name].change)}
      </label>
      {hasPicture && (
        <button type="button" className="button-quiet" disabled={isBusy} onClick={onRemove}>
          {t(TEXTS[name].remove)}
        </button>
      )}
      <p className="visually-hidden" id={`${id}-hint`}>
        {t("profile:picture.hint", { max: MAX_MEGABYTES })}
      </p>
      <p className="field-error" id={`${id}-error`} role="alert">
        {error}
      </p>
    </div>
  );
}

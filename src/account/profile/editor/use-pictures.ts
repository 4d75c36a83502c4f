import { useState } from "react";
import type { AccountText } from "../../account-text.tsx";
import { findPictureFault, PICTURES, type PictureName, readPreview, UNCHANGED } from "./pictures.tsx";

export type PictureErrors = Partial<Record<PictureName, string | undefined>>;

/** New pictures before they are saved. A file that is refused leaves what was chosen before. */
export function usePictures(t: AccountText) {
  const [changes, setChanges] = useState(UNCHANGED);
  const [errors, setErrors] = useState<PictureErrors>({});
  const setError = (name: PictureName, error?: string) =>
    setErrors((others) => ({ ...others, [name]: error }));

  async function choose(name: PictureName, file: File) {
    const fault = findPictureFault(file, t);
    setError(name, fault);
    if (fault) return;
    try {
      const preview = await readPreview(file);
      setChanges((others) => ({ ...others, [name]: { kind: "chosen", file, preview } }));
    } catch (error) {
      console.warn("The picture could not be read.", error);
      setError(name, t("profile:picture.unreadable"));
    }
  }

  return {
    changes,
    errors,
    isChanged: PICTURES.some((name) => changes[name].kind !== "kept"),
    setErrors,
    choose,
    remove(name: PictureName) {
      setError(name);
      setChanges((others) => ({ ...others, [name]: { kind: "removed" } }));
    },
    /** The browser could not draw what was chosen. */
    refuse(name: PictureName) {
      setError(name, t("profile:picture.unreadable"));
      setChanges((others) => ({ ...others, [name]: { kind: "kept" } }));
    },
    reset() {
      setChanges(UNCHANGED);
      setErrors({});
    },
  };
}

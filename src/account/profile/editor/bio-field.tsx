import { LIMITS } from "#contract/limits.ts";
import { TextArea } from "../../../ui/text-area.tsx";
import { useAccountText } from "../../account-text.tsx";

interface BioFieldProps {
  value: string;
  error: string | undefined;
  isEditable: boolean;
  onType: (text: string) => void;
  onBlur: () => void;
}

/** A few words about the person: four rows, a hint, and how many characters there are. */
export function BioField({ value, error, isEditable, onType, onBlur }: BioFieldProps) {
  const t = useAccountText();
  const isOver = value.trim().length > LIMITS.bioMaxChars;
  return (
    <TextArea
      label={t("profile:form.bio")}
      name="bio"
      rows={4}
      value={value}
      readOnly={!isEditable}
      placeholder={isEditable ? undefined : t("profile:card.noBio")}
      error={error}
      note={
        isEditable && (
          <span className="bio-note">
            <span>{t("profile:form.bioHint")}</span>
            <span className="bio-count" data-over={isOver || undefined}>
              {`${value.trim().length}/${LIMITS.bioMaxChars}`}
            </span>
          </span>
        )
      }
      onChange={(event) => onType(event.currentTarget.value)}
      onBlur={onBlur}
    />
  );
}

import { useAccountText } from "../account-text.tsx";
import { Indicator } from "../forms/password-fields.tsx";
import { PasswordField } from "./password-field.tsx";
import { PasswordStrength } from "./password-strength.tsx";

interface NewPasswordFieldsProps {
  /** What stands in the two fields now. */
  password: string;
  repeated: string;
  errors: { password?: string | undefined; repeated?: string | undefined };
  /** Names of the controls; those of registration unless told. */
  names?: { password: string; repeated: string };
  labels?: { password: string; repeated: string };
}

const NAMES = { password: "password", repeated: "password_confirm" };

/** A new password and its repetition, with strength and match as they are typed (specification A 2.8). */
export function NewPasswordFields({
  password,
  repeated,
  errors,
  names = NAMES,
  labels,
}: NewPasswordFieldsProps) {
  const t = useAccountText();
  const isMatch = repeated && !errors.repeated ? repeated === password : undefined;
  return (
    <>
      <PasswordField
        label={labels?.password ?? t("account:password.label")}
        name={names.password}
        autoComplete="new-password"
        required
        error={errors.password}
        note={t("account:password.rule")}
      >
        <PasswordStrength password={password} />
      </PasswordField>
      <PasswordField
        label={labels?.repeated ?? t("account:password.repeat")}
        name={names.repeated}
        autoComplete="new-password"
        required
        error={errors.repeated}
      >
        <Indicator isGood={isMatch} good={t("account:password.match")} bad={t("account:password.noMatch")} />
      </PasswordField>
    </>
  );
}

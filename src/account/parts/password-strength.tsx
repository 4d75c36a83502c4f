import { getPasswordStrength } from "#contract/accounts/account-rules.ts";
import { useAccountText } from "../account-text.tsx";

const LEVELS = ["very_weak", "weak", "medium", "strong"] as const;

/** Bars and the documented label of a password that is being typed; nothing for an empty one. */
export function PasswordStrength({ password }: { password: string }) {
  const t = useAccountText();
  const strength = password ? getPasswordStrength(password) : undefined;
  const filled = strength ? LEVELS.indexOf(strength) + 1 : 0;
  return (
    <div className="strength" data-strength={strength}>
      <div className="strength-bars" aria-hidden="true">
        {LEVELS.map((level, index) => (
          <span key={level} data-filled={index < filled || undefined} />
        ))}
      </div>
      <div role="status">
        {strength && (
          <>
            <span className="visually-hidden">{t("account:strength.title")}</span>
            {t(`account:strength.${strength}`)}
          </>
        )}
      </div>
    </div>
  );
}

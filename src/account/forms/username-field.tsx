import { LIMITS } from "#contract/limits.ts";
import { TextField } from "../../ui/text-field.tsx";
import { useAccountText } from "../account-area.tsx";

/** A new username with its length as it is typed. Nothing cuts it off: a text that is too long says so. */
export function UsernameField({ username, error }: { username: string; error: string | undefined }) {
  const t = useAccountText();
  const count = username.trim().length;
  const isOver = count > LIMITS.usernameMaxChars;
  return (
    <TextField
      label={t("account:register.username")}
      error={error}
      name="username"
      autoComplete="username"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      required
      note={t("account:register.usernameRule")}
    >
      <div className="username-count needs-script" data-over={isOver || undefined}>
        {t("account:register.usernameCount", { count, max: LIMITS.usernameMaxChars })}
        <span role="status">
          {isOver && ` – ${t("account:faults.too_long", { max: LIMITS.usernameMaxChars })}`}
        </span>
      </div>
    </TextField>
  );
}

import { Alert, Button, Input, type InputRef } from "antd";
import { type FormEvent, type RefObject, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { toErrorText } from "../../parts/error-text.ts";
import { useServices } from "../../services.ts";

interface SignInFormProps {
  /** The only person who may go on here. */
  username: string;
  userId: number;
  /** Of the password. */
  field: RefObject<InputRef | null>;
  onClose: () => void;
}

/** Signs the same person in again, where they are. The screen goes by itself when the session is there. */
export function SignInForm({ username, userId, field, onClose }: SignInFormProps) {
  const { t } = useTranslation();
  const { session } = useServices();
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const id = useId();

  async function signIn(): Promise<void> {
    setProblem("");
    setBusy(true);
    try {
      const { user } = await session.signIn(username, password);
      if (user.id !== userId) setProblem(t("session.other", { username, other: user.username }));
    } catch (error) {
      setProblem(toErrorText(error, t));
      field.current?.focus({ cursor: "all" });
    }
    setBusy(false);
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    if (password === "") {
      setProblem(t("session.passwordMissing"));
      field.current?.focus();
    } else if (!isBusy) void signIn();
  }

  return (
    <form className="sign-in-again" onSubmit={onSubmit}>
      <label htmlFor={`${id}-name`}>{t("session.username")}</label>
      <Input id={`${id}-name`} value={username} readOnly autoComplete="username" />
      <label htmlFor={`${id}-password`}>{t("session.password")}</label>
      <Input.Password
        ref={field}
        id={`${id}-password`}
        autoComplete="current-password"
        value={password}
        status={problem === "" ? "" : "error"}
        aria-invalid={problem !== ""}
        aria-describedby={problem === "" ? undefined : `${id}-problem`}
        onChange={(event) => setPassword(event.target.value)}
      />
      {problem !== "" && <Alert id={`${id}-problem`} type="error" role="alert" message={problem} />}
      <div className="form-choices">
        <Button type="primary" htmlType="submit" loading={isBusy}>
          {t("session.logIn")}
        </Button>
        <Button onClick={onClose}>{t("session.later")}</Button>
      </div>
    </form>
  );
}

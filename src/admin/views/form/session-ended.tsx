import { useQueryClient } from "@tanstack/react-query";
import { Alert, Button, Input, type InputRef, Modal } from "antd";
import {
  type FormEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useTranslation } from "react-i18next";
import { useServices } from "../../services.ts";
import { hasUnsaved } from "../../session/unsaved.ts";
import { useDialogFocus } from "../../ui/accessibility.ts";
import { toErrorText } from "../../ui/errors.tsx";

/** `other`: this browser is signed in as somebody else by now, in another tab. */
export type Presence = { kind: "here" } | { kind: "gone" } | { kind: "other"; username: string };

/** Who opened the form, and whether they are still signed in. `onReturn`: they are again, after they were not. */
function useSignedInAgain(onReturn: () => void) {
  const { session } = useServices();
  const queryClient = useQueryClient();
  const [person] = useState(() => session.getAuthState()?.user);
  const state = useSyncExternalStore(session.subscribe, session.getAuthState);
  const isSame = state !== null && state.user.id === person?.id;
  const wasHere = useRef(isSame);
  const latest = useRef(onReturn);
  useEffect(() => {
    latest.current = onReturn;
  });
  useEffect(() => {
    const isReturn = isSame && !wasHere.current;
    wasHere.current = isSame;
    if (!isReturn) return;
    latest.current();
    // Whatever was refused meanwhile behind the form.
    void queryClient.refetchQueries({ type: "active", predicate: (query) => query.state.status === "error" });
  }, [isSame, queryClient]);
  const presence: Presence = isSame
    ? { kind: "here" }
    : state === null
      ? { kind: "gone" }
      : { kind: "other", username: state.user.username };
  return { person, presence };
}

interface SignInFormProps {
  /** The only person who may go on here. */
  username: string;
  userId: number;
  /** Of the password. */
  field: RefObject<InputRef | null>;
  onClose: () => void;
}

/** Signs the same person in again, where they are. The screen goes by itself when the session is there. */
function SignInForm({ username, userId, field, onClose }: SignInFormProps) {
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

interface SessionEndedProps {
  /** The save that was refused because of it, another object for each; null where none was, or the next one is under way. */
  refusal: object | null;
  /** The same person is signed in again. */
  onReturn: () => void;
}

/**
 * A session that ends while something is typed doesn't take the form along: the person signs in again in place and goes on.
 * It goes by itself once they have signed in in another tab.
 */
export function SessionEnded({ refusal, onReturn }: SessionEndedProps) {
  const { t } = useTranslation();
  const { person, presence } = useSignedInAgain(onReturn);
  const { field, afterOpenChange } = useDialogFocus<InputRef>();
  const [dismissed, setDismissed] = useState<{ refusal: object | null } | null>(null);
  const isHere = presence.kind === "here";
  // Dismissed for this end only: the next one is shown again.
  if (isHere && dismissed !== null) setDismissed(null);
  const isDismissed = dismissed !== null && (refusal === null || dismissed.refusal === refusal);
  const isWanted = !isHere && !isDismissed;
  const [isHolding, setHolding] = useState(false);
  // Asking hands over what is being typed, which no drawing may do.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again at each refusal
  useEffect(() => setHolding(isWanted && hasUnsaved()), [isWanted, refusal]);
  const close = () => setDismissed({ refusal });
  return (
    <Modal
      open={isWanted && isHolding}
      title={t("session.ended")}
      closable={false}
      maskClosable={false}
      destroyOnHidden
      onCancel={close}
      afterOpenChange={afterOpenChange}
      footer={null}
    >
      <p>
        {presence.kind === "other"
          ? t("session.other", { username: person?.username, other: presence.username })
          : t("session.endedHelp")}
      </p>
      {person && <SignInForm username={person.username} userId={person.id} field={field} onClose={close} />}
    </Modal>
  );
}

import { type InputRef, Modal } from "antd";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useDialogFocus } from "../../parts/use-dialog-focus.ts";
import { hasUnsaved } from "../../unsaved.ts";
import { SignInForm } from "./sign-in-form.tsx";
import { useSignedInAgain } from "./use-signed-in-again.ts";

interface SessionEndedProps {
  /** Saves that were refused because of it: each one asks again. */
  refusals: number;
  /** The same person is signed in again. */
  onReturn: () => void;
}

/**
 * A session that ends while something is typed doesn't take the form along: the person signs in again in place and goes on.
 * It goes by itself once they have signed in in another tab.
 */
export function SessionEnded({ refusals, onReturn }: SessionEndedProps) {
  const { t } = useTranslation();
  const { person, presence } = useSignedInAgain(onReturn);
  const { field, afterOpenChange } = useDialogFocus<InputRef>();
  const [dismissed, setDismissed] = useState<number | null>(null);
  const isHere = presence.kind === "here";
  // Dismissed for this end only: the next one is told again.
  if (isHere && dismissed !== null) setDismissed(null);
  const isWanted = !isHere && dismissed !== refusals;
  const [isHolding, setHolding] = useState(false);
  // Asking hands over what is being typed, which no drawing may do.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again at each refusal
  useEffect(() => setHolding(isWanted && hasUnsaved()), [isWanted, refusals]);
  const close = () => setDismissed(refusals);
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

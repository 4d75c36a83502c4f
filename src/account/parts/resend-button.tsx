import { useAccountText } from "../account-text.tsx";

interface ResendButtonProps {
  /** Until another code may be asked for. */
  secondsLeft: number;
  isBusy: boolean;
  onResend: () => void;
}

/** Asks for another code; says how long to wait while none is given. */
export function ResendButton({ secondsLeft, isBusy, onResend }: ResendButtonProps) {
  const t = useAccountText();
  return (
    <button type="button" className="button-quiet" disabled={isBusy || secondsLeft > 0} onClick={onResend}>
      {secondsLeft > 0 ? t("account:verify.resendIn", { count: secondsLeft }) : t("account:verify.resend")}
    </button>
  );
}

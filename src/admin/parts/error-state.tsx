import { Button } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { toErrorText } from "../ui/errors.tsx";

interface ErrorStateProps {
  title: string;
  /** What could not be done, where the title doesn't say it. */
  text?: string;
  error: { message: string };
  onRetry: () => void;
  /** Where "Retry" would not say what happens. */
  retryText?: string;
  /** Another way out, beside trying again. */
  action?: ReactNode;
}

/** What failed, what the server said about it, and the way to try again. */
export function ErrorState({ title, text, error, onRetry, retryText, action }: ErrorStateProps) {
  const { t } = useTranslation();
  return (
    <div className="state" role="alert">
      <p className="state-title">{title}</p>
      {text !== undefined && <p>{text}</p>}
      <p>{toErrorText(error, t)}</p>
      <div className="state-actions">
        <Button onClick={onRetry}>{retryText ?? t("actions.retry")}</Button>
        {action}
      </div>
    </div>
  );
}

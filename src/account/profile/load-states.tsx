import { toReason } from "../../ui/failure-text.ts";
import { useAccountText } from "../account-text.tsx";

const ROWS = [1, 2, 3, 4];

/** Rows of a list that is on its way. */
export function RowsSkeleton({ label }: { label: string }) {
  return (
    <div aria-busy="true">
      <p className="visually-hidden" role="status">
        {label}
      </p>
      {ROWS.map((row) => (
        <div key={row} className="skeleton skeleton-row" aria-hidden="true" />
      ))}
    </div>
  );
}

/** A list that could not be loaded. */
export function RowsFailed({ text, error, onRetry }: { text: string; error: unknown; onRetry: () => void }) {
  const t = useAccountText();
  return (
    <div className="rows-failed">
      <p className="alert" role="alert">
        {[text, toReason(error, t)].filter(Boolean).join(" ")}
      </p>
      <button type="button" className="button-quiet" onClick={onRetry}>
        {t("profile:page.retry")}
      </button>
    </div>
  );
}

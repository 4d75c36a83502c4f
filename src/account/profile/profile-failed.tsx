import { toReason } from "../../ui/failure-text.ts";
import { useAccountText } from "../account-text.tsx";

/** The profile could not be loaded: why, and the way to try again. */
export function ProfileFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useAccountText();
  return (
    <section className="notice-page">
      <div className="alert" role="alert">
        <p>{t("profile:page.failed")}</p>
        <p>{toReason(error, t) || t("profile:page.failedHint")}</p>
      </div>
      <button className="button" type="button" onClick={onRetry}>
        {t("profile:page.retry")}
      </button>
    </section>
  );
}

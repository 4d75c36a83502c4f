import { useAccountText } from "../../account-text.tsx";
import type { SettingPhase } from "./setting.tsx";

/** How saving stands, beside the setting. Both regions are always there: screen readers tell what changes in them. */
export function SettingState({ phase, onRetry }: { phase: SettingPhase; onRetry: () => void }) {
  const t = useAccountText();
  return (
    <div className="setting-state">
      <span role="status">
        {phase.step === "saving" && t("profile:settings.saving")}
        {phase.step === "saved" && (
          <span className="setting-saved">
            <span aria-hidden="true">✓ </span>
            {t("profile:settings.saved")}
          </span>
        )}
      </span>
      <span role="alert">
        {phase.step === "failed" && (
          <span className="setting-failed">
            {[t("profile:settings.failed"), phase.reason].filter(Boolean).join(" ")}
          </span>
        )}
      </span>
      {phase.step === "failed" && (
        <button type="button" className="button-quiet" onClick={onRetry}>
          {t("profile:settings.retry")}
        </button>
      )}
    </div>
  );
}

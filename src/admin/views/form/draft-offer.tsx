import { Alert, Button } from "antd";
import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";
import { toRelativeText } from "../../parts/relative-time.tsx";
import type { DraftState } from "./use-draft.ts";
import { useUnitName } from "./use-unit-name.ts";

const MINUTE_MS = 60_000;

/** What was typed before and never saved, with the choice to go on with it. */
export function DraftOffer({ draft }: { draft: DraftState }) {
  const { t, i18n } = useTranslation();
  const nameOf = useUnitName();
  const { offer } = draft;
  if (!offer) return null;
  const lang = toLanguage(i18n.language);
  const now = Date.now();
  const time = toRelativeText(new Date(offer.draft.savedAt), now, lang, t);
  const isNow = now - offer.draft.savedAt < MINUTE_MS;
  const conflicts = offer.plan.conflicts.map(nameOf);
  const list = new Intl.ListFormat(lang, { type: "conjunction" });
  return (
    <Alert
      className="form-problems"
      type="info"
      showIcon
      role="status"
      message={isNow ? t("form.draft.titleNow") : t("form.draft.title", { time })}
      description={
        <>
          <p>{t("form.draft.text")}</p>
          {conflicts.length > 0 && <p>{t("form.draft.conflicts", { fields: list.format(conflicts) })}</p>}
          <div className="form-choices">
            <Button type="primary" onClick={draft.restore}>
              {t("form.draft.restore")}
            </Button>
            <Button onClick={draft.discard}>{t("form.draft.discard")}</Button>
          </div>
        </>
      }
    />
  );
}

import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ModelInfo } from "#contract/models.ts";
import { modelsResource } from "#resources/models.ts";
import { toRecordSource } from "#resources/record-source.ts";
import { toModelSize, useCountText } from "../models/counts.ts";
import { toModelPath } from "../models/use-models.ts";
import { Panel } from "../ui/panel.tsx";

/** Dashboard models shown (specification B section 9). */
const MODELS_SHOWN = 6;

export function DashboardModels({ models }: { models: readonly ModelInfo[] }) {
  const { t } = useTranslation();
  const countText = useCountText();
  return (
    <Panel
      title={t("dashboard.models.title")}
      end={
        models.length > 0 && (
          <Link to={modelsResource.list}>
            {t("dashboard.models.all")}
            <span className="visually-hidden">: {t("dashboard.models.title")}</span>
          </Link>
        )
      }
    >
      {models.length === 0 ? (
        <div className="panel-empty">
          <p className="state-title">{t("models.none")}</p>
          <p>{t("models.noneHelp")}</p>
        </div>
      ) : (
        <ul className="panel-links">
          {models.slice(0, MODELS_SHOWN).map((model) => (
            <li key={model.content_type_id}>
              <Link to={toModelPath(toRecordSource(model))}>
                <span className="panel-link-name">{model.verbose_name_plural}</span>
                <span className="panel-link-count">{countText(model.count, model.count_is_estimate)}</span>
                <span className="size-badge" data-size={toModelSize(model.count)}>
                  {t(`models.size.${toModelSize(model.count)}`)}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

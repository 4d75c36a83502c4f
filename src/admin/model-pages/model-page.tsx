import "./model-page.css";
import { ExportOutlined } from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";
import { AppIcon } from "../models/app-icon.tsx";
import { DECORATIVE } from "../parts/decorative.ts";
import { useShownCount } from "../views/list/use-shown-count.ts";

/** What a model is (specification B section 2), in one calm line; its description stands under the heading. */
export function ModelInfoCard({ model }: { model: RecordSource }) {
  const { t } = useTranslation();
  const shownCount = useShownCount();
  const facts = [
    { label: t("models.name"), value: model.verbose_name },
    { label: t("models.app"), value: model.app_label },
    { label: t("models.count"), value: shownCount(model.count, model.count_is_estimate) },
    { label: t("models.timestamps"), value: t(model.has_timestamps ? "cell.yes" : "cell.no") },
  ];
  return (
    <section className="model-info" aria-label={t("models.info")}>
      <AppIcon app={model.app_label} className="model-info-icon" />
      <dl>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {model.site_path !== null && (
        <a href={model.site_path} target="_blank" rel="noreferrer">
          {t("form.viewOnSite")} <ExportOutlined {...DECORATIVE} />
        </a>
      )}
    </section>
  );
}

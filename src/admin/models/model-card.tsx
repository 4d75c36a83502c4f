import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { RecordSource } from "#resources/record-source.ts";
import { AppIcon } from "./app-icon.tsx";
import { toModelSize } from "./counts.ts";
import { toModelPath } from "./model-address.ts";
import { useCountText } from "./use-count-text.ts";

/** One model; a click anywhere on the card opens its objects. */
export function ModelCard({ model }: { model: RecordSource }) {
  const { t } = useTranslation();
  const countText = useCountText();
  const size = toModelSize(model.count);
  return (
    <li className="model-card">
      <div className="model-card-head">
        <AppIcon app={model.app_label} className="model-card-icon" />
        <h2>
          <Link to={toModelPath(model)}>{model.verbose_name_plural}</Link>
        </h2>
        <span className="badge" data-size={size}>
          {t(`models.size.${size}`)}
        </span>
      </div>
      <p className="model-card-meta">
        {model.app_label} · {countText(model.count, model.count_is_estimate)}
      </p>
      {model.description !== "" && <p className="model-card-text">{model.description}</p>}
    </li>
  );
}

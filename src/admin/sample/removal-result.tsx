import { CheckCircleOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { SampleRemoval } from "#contract/sample.ts";
import { objectPaths } from "#resources/objects.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { SampleCounts } from "./removal.tsx";

function KeptObjects({ models }: { models: SampleRemoval["models"] }) {
  const { t } = useTranslation();
  const kept = models.flatMap((model) => model.kept.map((object) => ({ ...object, model })));
  if (kept.length === 0) return null;
  return (
    <>
      <p>{t("sample.kept")}</p>
      <ul className="sample-counts">
        {kept.map(({ id, repr, model: { content_type_id, verbose_name } }) => (
          <li key={`${verbose_name} ${id}`}>
            {verbose_name}:{" "}
            {content_type_id === null ? repr : <Link to={objectPaths.edit(content_type_id, id)}>{repr}</Link>}
          </li>
        ))}
      </ul>
    </>
  );
}

/** What a removal has deleted, and what it left alone because somebody edited it. */
export function RemovalResult({
  removal: { models },
  onDismiss,
}: {
  removal: SampleRemoval;
  onDismiss: () => void;
}) {
  const { t } = useTranslation();
  const hasRemoved = models.some((model) => model.removed_count > 0);
  return (
    <>
      <h2>
        <CheckCircleOutlined {...DECORATIVE} /> {t("sample.done")}
      </h2>
      <p>{t(hasRemoved ? "sample.removed" : "sample.nothing")}</p>
      <SampleCounts counts={models.map((model) => ({ ...model, count: model.removed_count }))} />
      <KeptObjects models={models} />
      <Button onClick={onDismiss}>{t("sample.dismiss")}</Button>
    </>
  );
}

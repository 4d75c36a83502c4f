import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";
import { SUPPRESSION_MODEL } from "#resources/suppressions.ts";
import { SuppressionsList } from "../email/suppressions-list.tsx";
import { SingletonPage } from "../views/form/singleton-page.tsx";
import { ListPage } from "../views/list/list-page.tsx";
import { AddressedModel } from "./addressed-model.tsx";
import { ModelInfoCard } from "./model-info-card.tsx";

function ModelView({ model }: { model: RecordSource }) {
  const { t } = useTranslation();
  if (model.is_singleton) return <SingletonPage model={model} />;
  const parents = [{ label: t("nav.models"), to: "/admin/models" }];
  const key = `${model.app_label}.${model.model_name}`;
  const List = key === SUPPRESSION_MODEL ? SuppressionsList : ListPage;
  return <List model={model} parents={parents} info={<ModelInfoCard model={model} />} />;
}

/** `/admin/models/:contentTypeId`: the generic view that fits the model. */
export function ModelPage() {
  const { t } = useTranslation();
  // Each model mounts anew: no rows, inputs or subscriptions of the one before stay.
  return (
    <AddressedModel
      draw={(model) => <ModelView key={model.content_type_id} model={model} />}
      failed={t("errors.loadModelInfo")}
    />
  );
}

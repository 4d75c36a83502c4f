import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";
import { AddressedModel } from "../model-pages/addressed-model.tsx";
import { ModelInfoCard } from "../model-pages/model-page.tsx";
import { SingletonPage } from "../views/record/singleton-page.tsx";
import { ModelList } from "./model-sources.tsx";

function ModelView({ model }: { model: RecordSource }) {
  const { t } = useTranslation();
  if (model.is_singleton) return <SingletonPage model={model} />;
  const parents = [{ label: t("nav.models"), to: "/admin/models" }];
  return <ModelList model={model} parents={parents} info={<ModelInfoCard model={model} />} />;
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

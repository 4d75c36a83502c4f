import { useTranslation } from "react-i18next";
import { Navigate } from "react-router";
import type { RecordSource } from "#resources/record-source.ts";
import { AddressedModel } from "../model-pages/addressed-model.tsx";
import { BulkScreen } from "./bulk-screen.tsx";

function draw(model: RecordSource) {
  // One object alone is edited in its form.
  if (model.is_singleton) return <Navigate to={model.paths.list} replace />;
  // Each model mounts anew: no selection or value of the one before stays.
  return <BulkScreen key={model.content_type_id} model={model} />;
}

/** `/admin/models/:contentTypeId/bulk` */
export function BulkPage() {
  const { t } = useTranslation();
  return <AddressedModel draw={draw} failed={t("errors.loadModel")} />;
}

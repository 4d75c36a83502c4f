import { useTranslation } from "react-i18next";
import { Link, Navigate, useParams } from "react-router";
import { PageHeader } from "../layout/page-header.tsx";
import { useModels } from "../models/use-models.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { ErrorState } from "../parts/error-state.tsx";
import { toId } from "../parts/to-id.ts";
import { RowsSkeleton } from "../views/list/rows-skeleton.tsx";
import { BulkScreen } from "./bulk-screen.tsx";

/** `/admin/models/:contentTypeId/bulk`: finds the model. */
export function BulkPage() {
  const { t } = useTranslation();
  const { contentTypeId } = useParams();
  const id = toId(contentTypeId);
  const { query, models } = useModels();
  if (query.isPending) return <RowsSkeleton />;
  if (query.isError && !query.data) {
    return (
      <ErrorState title={t("errors.loadModel")} error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  const model = models.find((candidate) => candidate.content_type_id === id);
  if (!model) {
    return (
      <>
        <PageHeader title={t("errors.modelNotFound")} />
        <EmptyState
          title={t("errors.modelNotFound")}
          text={t("models.notFoundHelp")}
          action={<Link to="/admin/models">{t("nav.models")}</Link>}
        />
      </>
    );
  }
  // One object alone is edited in its form.
  if (model.is_singleton) return <Navigate to={model.paths.list} replace />;
  // Each model mounts anew: no selection or value of the one before stays.
  return <BulkScreen key={id} model={model} />;
}

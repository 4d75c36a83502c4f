import { useTranslation } from "react-i18next";
import { Link, Navigate, useLocation, useParams } from "react-router";
import { PageHeader } from "../layout/page-header.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { ErrorState } from "../parts/error-state.tsx";
import { toId } from "../parts/to-id.ts";
import { SingletonPage } from "../views/form/singleton-page.tsx";
import { ListPage } from "../views/list/list-page.tsx";
import { RowsSkeleton } from "../views/list/rows-skeleton.tsx";
import { ModelInfoCard } from "./model-info-card.tsx";
import { useModels } from "./use-models.ts";

/** Links from outside (of mails) call a model by its name: `contact.message` leads to the number that it has on this site. */
function NamedModel({ name, id }: { name: string; id: number }) {
  const { pathname, search } = useLocation();
  return <Navigate to={{ pathname: pathname.replace(`/${name}`, `/${id}`), search }} replace />;
}

/** `/admin/models/:contentTypeId`: the generic view that fits the model. */
export function ModelPage() {
  const { t } = useTranslation();
  const { contentTypeId: name = "" } = useParams();
  const id = toId(name);
  const { query, models } = useModels();
  if (query.isPending) return <RowsSkeleton />;
  // Models that could not be fetched again are still there, and so must be the form that somebody types in.
  if (query.isError && !query.data) {
    return (
      <ErrorState title={t("errors.loadModel")} error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  const model = models.find((candidate) => candidate.content_type_id === id);
  const named = models.find(({ app_label, model_name }) => `${app_label}.${model_name}` === name);
  if (named) return <NamedModel name={name} id={named.content_type_id} />;
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
  // Each model mounts anew: no rows, inputs or subscriptions of the one before stay.
  return model.is_singleton ? (
    <SingletonPage key={id} model={model} />
  ) : (
    <ListPage
      key={id}
      model={model}
      parents={[{ label: t("nav.models"), to: "/admin/models" }]}
      info={<ModelInfoCard model={model} />}
    />
  );
}

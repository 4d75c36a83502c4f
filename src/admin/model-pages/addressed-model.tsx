import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate, useLocation, useParams } from "react-router";
import type { RecordSource } from "#resources/record-source.ts";
import { useModels } from "../models/use-models.ts";
import { toId } from "../navigation/addresses.ts";
import { PageHeader } from "../navigation/page-header.tsx";
import { ErrorState } from "../ui/errors.tsx";
import { EmptyState, RowsSkeleton } from "../ui/states.tsx";

/** Links from outside (of mails) call a model by its name: `contact.message` leads to the number that it has on this site. */
function NamedModel({ name, id }: { name: string; id: number }) {
  const { pathname, search } = useLocation();
  return <Navigate to={{ pathname: pathname.replace(`/${name}`, `/${id}`), search }} replace />;
}

interface AddressedModelProps {
  draw: (source: RecordSource) => ReactNode;
  /** What to say where the models can't be had. */
  failed: string;
}

/** What a screen draws of the model that its address names: loading, error and unknown have their own drawing. */
export function AddressedModel({ draw, failed }: AddressedModelProps) {
  const { t } = useTranslation();
  const { contentTypeId: name = "" } = useParams();
  const id = toId(name);
  const { query, models } = useModels();
  if (query.isPending) return <RowsSkeleton />;
  // Models that could not be fetched again are still there, and so must be the form that somebody types in.
  if (query.isError && !query.data) {
    return <ErrorState title={failed} error={query.error} onRetry={() => void query.refetch()} />;
  }
  const source = models.find((candidate) => candidate.content_type_id === id);
  if (source) return draw(source);
  const named = models.find(({ app_label, model_name }) => `${app_label}.${model_name}` === name);
  if (named) return <NamedModel name={name} id={named.content_type_id} />;
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

import "./models.css";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../layout/page-header.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { ErrorState } from "../parts/error-state.tsx";
import { ModelCard } from "./model-card.tsx";
import { useModels } from "./use-models.ts";

const SKELETON_CARDS = ["a", "b", "c", "d", "e", "f"];

function ModelsSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status">
      <span className="visually-hidden">{t("states.loading")}</span>
      <ul className="model-cards" aria-hidden>
        {SKELETON_CARDS.map((key) => (
          <li key={key} className="model-card">
            <span className="skeleton skeleton-title" />
            <span className="skeleton" />
            <span className="skeleton skeleton-short" />
          </li>
        ))}
      </ul>
    </div>
  );
}

function ModelCards() {
  const { t } = useTranslation();
  const { query, models } = useModels();
  if (query.isPending) return <ModelsSkeleton />;
  if (query.isError && !query.data) {
    return (
      <ErrorState title={t("errors.loadModels")} error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  if (models.length === 0) return <EmptyState title={t("models.none")} text={t("models.noneHelp")} />;
  return (
    <ul className="model-cards">
      {models.map((model) => (
        <ModelCard key={model.content_type_id} model={model} />
      ))}
    </ul>
  );
}

/** Every content model as a card (specification B section 2). */
export function ModelsPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t("nav.models")} text={t("models.intro")} />
      <ModelCards />
    </>
  );
}

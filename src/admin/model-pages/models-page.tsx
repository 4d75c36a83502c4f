import "./models.css";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { useLiveCounts } from "../cache/use-live-counts.ts";
import { PageHeader } from "../layout/page-header.tsx";
import { findModels } from "../models/find-models.ts";
import { ModelCard } from "../models/model-card.tsx";
import { ModelsSearch } from "../models/models-search.tsx";
import { useModels } from "../models/use-models.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { ErrorState } from "../parts/error-state.tsx";
import { usePreload } from "../parts/use-preload.ts";

const SKELETON_CARDS = ["a", "b", "c", "d", "e", "f"];
/** As many cards are seen at one glance. */
const GLANCE_MAX = 12;

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
  useLiveCounts(models);
  const [params, setParams] = useSearchParams();
  const app = params.get("app") ?? "";
  const search = params.get("search") ?? "";
  if (query.isPending) return <ModelsSkeleton />;
  if (query.isError && !query.data) {
    return (
      <ErrorState title={t("errors.loadModels")} error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  if (models.length === 0) return <EmptyState title={t("models.none")} text={t("models.noneHelp")} />;

  const show = (part: { app?: string; search?: string }) => {
    const next = Object.entries({ app, search, ...part }).filter(([, value]) => value !== "");
    // Typing goes on in the same entry of the history.
    setParams(new URLSearchParams(next), { replace: part.search !== undefined });
  };
  const found = findModels(models, { app, search });
  return (
    <>
      {(models.length > GLANCE_MAX || app !== "" || search !== "") && (
        <ModelsSearch app={app} search={search} onChange={show} />
      )}
      {found.length === 0 ? (
        <EmptyState
          title={t("models.noneMatch")}
          text={t("models.noneMatchHelp")}
          action={<Button onClick={() => show({ app: "", search: "" })}>{t("models.showAll")}</Button>}
        />
      ) : (
        <ul className="model-cards">
          {found.map((model) => (
            <ModelCard key={model.content_type_id} model={model} />
          ))}
        </ul>
      )}
    </>
  );
}

/** Every content model as a card (specification B section 2), or those of one app (`?app=mail`). */
export function ModelsPage() {
  const { t } = useTranslation();
  usePreload(() => import("../models/model-page.tsx"));
  return (
    <>
      <PageHeader title={t("nav.models")} text={t("models.intro")} />
      <ModelCards />
    </>
  );
}

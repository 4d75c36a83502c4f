import "./models.css";
import { CloseCircleFilled, CloseOutlined, SearchOutlined } from "@ant-design/icons";
import { Button, Input, type InputRef } from "antd";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import type { RecordSource } from "#resources/record-source.ts";
import { useLiveCounts } from "../cache/live-counts.ts";
import { AppIcon } from "../models/app-icon.tsx";
import { toModelSize, useCountText } from "../models/counts.ts";
import { toModelPath, useModels } from "../models/use-models.ts";
import { PageHeader } from "../navigation/page-header.tsx";
import { useShortcut } from "../shortcuts/use-shortcut.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { ErrorState } from "../ui/errors.tsx";
import { EmptyState } from "../ui/states.tsx";
import { usePreload } from "../ui/timing.ts";

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
          {found.map((source) => (
            <ModelCard key={source.content_type_id} source={source} />
          ))}
        </ul>
      )}
    </>
  );
}

/** Every content model as a card (specification B section 2), or those of one app (`?app=mail`). */
export function ModelsPage() {
  const { t } = useTranslation();
  usePreload(() => import("./model-page.tsx"));
  return (
    <>
      <PageHeader title={t("nav.models")} text={t("models.intro")} />
      <ModelCards />
    </>
  );
}

interface ModelsSearchProps {
  app: string;
  search: string;
  onChange: (part: { app?: string; search?: string }) => void;
}

/** Finds a card by a word, and says when the models of one app are shown. */
function ModelsSearch({ app, search, onChange }: ModelsSearchProps) {
  const { t } = useTranslation();
  const box = useRef<InputRef>(null);
  useShortcut("/", "models.search", () => box.current?.focus({ cursor: "all" }));
  return (
    <div className="models-toolbar">
      <Input
        ref={box}
        className="models-search"
        type="search"
        allowClear={{ clearIcon: <CloseCircleFilled aria-label={t("list.clearSearch")} /> }}
        prefix={<SearchOutlined {...DECORATIVE} />}
        aria-label={t("models.search")}
        placeholder={t("models.search")}
        value={search}
        onChange={({ target }) => onChange({ search: target.value })}
      />
      {app !== "" && (
        <Button
          icon={<CloseOutlined {...DECORATIVE} />}
          iconPosition="end"
          onClick={() => onChange({ app: "" })}
        >
          {t("models.inApp", { app })}
          <span className="visually-hidden"> ({t("models.showAll")})</span>
        </Button>
      )}
    </div>
  );
}

/** As people search: without case and marks, the Turkish ı as i. */
function fold(text: string): string {
  return text
    .toLocaleLowerCase("tr")
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .replaceAll("ı", "i");
}

/** The models of an app, or of all with "", that have every word of the search in one of their texts. */
function findModels(
  models: readonly RecordSource[],
  { app, search }: { app: string; search: string },
): readonly RecordSource[] {
  const words = fold(search).split(/\s+/).filter(Boolean);
  return models.filter((source) => {
    if (app !== "" && source.app_label !== app) return false;
    const { verbose_name, verbose_name_plural, app_label, model_name, description } = source;
    const text = fold([verbose_name, verbose_name_plural, app_label, model_name, description].join(" "));
    return words.every((word) => text.includes(word));
  });
}

/** One model; a click anywhere on the card opens its objects. */
function ModelCard({ source }: { source: RecordSource }) {
  const { t } = useTranslation();
  const countText = useCountText();
  const size = toModelSize(source.count);
  return (
    <li className="model-card">
      <div className="model-card-head">
        <AppIcon app={source.app_label} className="model-card-icon" />
        <h2>
          <Link to={toModelPath(source)}>{source.verbose_name_plural}</Link>
        </h2>
        <span className="badge" data-size={size}>
          {t(`models.size.${size}`)}
        </span>
      </div>
      <p className="model-card-meta">
        {source.app_label} · {countText(source.count, source.count_is_estimate)}
      </p>
      {source.description !== "" && <p className="model-card-text">{source.description}</p>}
    </li>
  );
}

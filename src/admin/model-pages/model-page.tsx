import "./model-page.css";
import { ExportOutlined } from "@ant-design/icons";
import type { TFunction } from "i18next";
import { type ComponentType, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { buildFilesSource, FILE_MODEL } from "#resources/files.ts";
import { buildMailsSource, MAIL_MODEL } from "#resources/mails.ts";
import { type RecordSource, toSitePath } from "#resources/record-source.ts";
import { buildSuppressionsSource, SUPPRESSION_MODEL } from "#resources/suppressions.ts";
import { AddSuppressions, SUPPRESSION_CELLS } from "../email/suppressions.tsx";
import { FilesList } from "../files/files-list.tsx";
import { AppIcon } from "../models/app-icon.tsx";
import { useShownCount } from "../models/counts.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import type { RowCells } from "../views/list/columns/columns.ts";
import { ListPage, type ListPageProps } from "../views/list/list-page.tsx";
import { SingletonPage } from "../views/record/singleton-page.tsx";
import { AddressedModel } from "./addressed-model.tsx";
import { StartPage } from "./start-page.tsx";

/** What a model is (specification B section 2), in one calm line; its description stands under the heading. */
function ModelInfoCard({ source }: { source: RecordSource }) {
  const { t } = useTranslation();
  const shownCount = useShownCount();
  const sitePath = toSitePath(source, null);
  const facts = [
    { label: t("models.name"), value: source.verbose_name },
    { label: t("models.app"), value: source.app_label },
    { label: t("models.count"), value: shownCount(source.count, source.count_is_estimate) },
    { label: t("models.timestamps"), value: t(source.has_timestamps ? "cell.yes" : "cell.no") },
  ];
  return (
    <section className="model-info" aria-label={t("models.info")}>
      <AppIcon app={source.app_label} className="model-info-icon" />
      <dl>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {sitePath !== null && (
        <a href={sitePath} target="_blank" rel="noreferrer">
          {t("form.viewOnSite")} <ExportOutlined {...DECORATIVE} />
        </a>
      )}
    </section>
  );
}

/** What the list of one model has beside what its model says of itself. */
interface ModelSource {
  /** Adds what is done to its rows through calls of their own. */
  build: (source: RecordSource, t: TFunction) => RecordSource;
  cells?: RowCells;
  /** Stands beside the button that makes a new record. */
  Actions?: ComponentType<{ source: RecordSource }>;
  /** In place of the generic list, which it draws with parts of its own. */
  List?: ComponentType<ListPageProps>;
}

/** By the model's name; a model without an entry is the plain generic list. */
const MODEL_SOURCES: ReadonlyMap<string, ModelSource> = new Map<string, ModelSource>([
  [FILE_MODEL, { build: buildFilesSource, List: FilesList }],
  [MAIL_MODEL, { build: buildMailsSource }],
  ["site.page", { build: (source) => source, Actions: StartPage }],
  [SUPPRESSION_MODEL, { build: buildSuppressionsSource, cells: SUPPRESSION_CELLS, Actions: AddSuppressions }],
]);

const PLAIN: ModelSource = { build: (source) => source };

/** The list of a content model, with its own actions and cells where it has some. */
function ModelList({ source: model, ...rest }: Omit<ListPageProps, "actions" | "cells">) {
  const { t } = useTranslation();
  const own = MODEL_SOURCES.get(`${model.app_label}.${model.model_name}`) ?? PLAIN;
  const { build, cells, Actions, List = ListPage } = own;
  const source = useMemo(() => build(model, t), [build, model, t]);
  return (
    <List
      {...rest}
      source={source}
      {...(cells && { cells })}
      {...(Actions && { actions: <Actions source={source} /> })}
    />
  );
}

function ModelView({ source }: { source: RecordSource }) {
  const { t } = useTranslation();
  if (source.is_singleton) return <SingletonPage source={source} />;
  const parents = [{ label: t("nav.models"), to: "/admin/models" }];
  return <ModelList source={source} parents={parents} info={<ModelInfoCard source={source} />} />;
}

/** `/admin/models/:contentTypeId`: the generic view that fits the model. */
export function ModelPage() {
  const { t } = useTranslation();
  // Each model mounts anew: no rows, inputs or subscriptions of the one before stay.
  return (
    <AddressedModel
      draw={(source) => <ModelView key={source.content_type_id} source={source} />}
      failed={t("errors.loadModelInfo")}
    />
  );
}

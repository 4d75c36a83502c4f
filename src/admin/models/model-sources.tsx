import type { TFunction } from "i18next";
import { type ComponentType, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { buildMailsSource, MAIL_MODEL } from "#resources/mails.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { buildSuppressionsSource, SUPPRESSION_MODEL } from "#resources/suppressions.ts";
import { AddSuppressions } from "../email/add-suppressions.tsx";
import { SUPPRESSION_CELLS } from "../email/suppression-cells.tsx";
import type { RowCells } from "../views/list/columns/columns.ts";
import { ListPage, type ListPageProps } from "../views/list/list-page.tsx";

/** What the list of one model has beside what its model says of itself. */
interface ModelSource {
  /** Adds what is done to its rows through calls of their own. */
  build: (model: RecordSource, t: TFunction) => RecordSource;
  cells?: RowCells;
  /** Stands beside the button that makes a new record. */
  Actions?: ComponentType<{ model: RecordSource }>;
}

/** By the model's name; a model without an entry is the plain generic list. */
const MODEL_SOURCES: ReadonlyMap<string, ModelSource> = new Map([
  [MAIL_MODEL, { build: buildMailsSource }],
  [SUPPRESSION_MODEL, { build: buildSuppressionsSource, cells: SUPPRESSION_CELLS, Actions: AddSuppressions }],
]);

const PLAIN: ModelSource = { build: (model) => model };

/** The list of a content model, with its own actions and cells where it has some. */
export function ModelList({ model, ...rest }: Omit<ListPageProps, "actions" | "cells">) {
  const { t } = useTranslation();
  const { build, cells, Actions } = MODEL_SOURCES.get(`${model.app_label}.${model.model_name}`) ?? PLAIN;
  const source = useMemo(() => build(model, t), [build, model, t]);
  return (
    <ListPage
      {...rest}
      model={source}
      {...(cells && { cells })}
      {...(Actions && { actions: <Actions model={source} /> })}
    />
  );
}

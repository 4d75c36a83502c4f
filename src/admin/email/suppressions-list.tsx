import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";
import { buildSuppressionsSource } from "#resources/suppressions.ts";
import { ListPage, type ListPageProps } from "../views/list/list-page.tsx";
import { AddSuppressions } from "./add-suppressions.tsx";

/** The list of addresses that get no mail: they are added and lifted here, each time with a reason. */
export function SuppressionsList({
  model,
  ...rest
}: Omit<ListPageProps, "actions"> & { model: RecordSource }) {
  const { t } = useTranslation();
  const source = useMemo(() => buildSuppressionsSource(model, t), [model, t]);
  return <ListPage {...rest} model={source} actions={<AddSuppressions model={source} />} />;
}

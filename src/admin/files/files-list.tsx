import { DeleteOutlined, SwapOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { createContext, useContext, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useOutletContext } from "react-router";
import type { ModelRecord } from "#contract/content/models.ts";
import { toLanguage } from "#contract/languages.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { RowButton } from "../ui/row-button.tsx";
import type { RowCells } from "../views/list/columns/columns.ts";
import { ListPage, type ListPageProps } from "../views/list/list-page.tsx";
import { DeleteRow } from "../views/record-actions/delete-row.tsx";
import type { RecordPartProps, RecordParts } from "../views/state/list-context.ts";
import { formatBytes, ReplaceDialog } from "./replace-file.tsx";

function SizeCell({ value }: { value: unknown }) {
  const lang = toLanguage(useTranslation().i18n.language);
  return typeof value === "number" ? formatBytes(value, lang) : null;
}

const CELLS: RowCells = { byte_size: SizeCell };

interface Asked {
  operation: "replace" | "delete";
  record: ModelRecord;
  /** Its drawer is open: the new file's takes its place. */
  isOpened?: boolean;
}

const AskContext = createContext<(asked: Asked) => void>(() => {});

/** At the end of a row. */
function FileActions({ record }: RecordPartProps) {
  const { t } = useTranslation();
  const ask = useContext(AskContext);
  return (
    <span className="row-actions">
      <RowButton
        icon={<SwapOutlined {...DECORATIVE} />}
        label={t("files.replace.row", { name: record.repr })}
        onClick={() => ask({ operation: "replace", record })}
      />
      <RowButton
        danger
        icon={<DeleteOutlined {...DECORATIVE} />}
        label={t("list.deleteRow", { name: record.repr })}
        onClick={() => ask({ operation: "delete", record })}
      />
    </span>
  );
}

/** Above an opened file, for who may replace it. */
function FileHead({ record }: RecordPartProps) {
  const { t } = useTranslation();
  const ask = useContext(AskContext);
  const { permissions } = useOutletContext<RecordSource>();
  if (!permissions.delete) return null;
  return (
    <div className="record-actions">
      <Button
        icon={<SwapOutlined {...DECORATIVE} />}
        onClick={() => ask({ operation: "replace", record, isOpened: true })}
      >
        {t("files.replace.open")}
      </Button>
    </div>
  );
}

const PARTS: RecordParts = { Head: FileHead };
const drawActions = (record: ModelRecord) => <FileActions record={record} />;

/** The stored files: the generic list, where one is replaced or deleted. Both are for who may delete files. */
export function FilesList(props: ListPageProps) {
  const { source } = props;
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const rowActions = useMemo(() => (source.permissions.delete ? drawActions : undefined), [source]);
  return (
    <AskContext value={setAsked}>
      <ListPage {...props} cells={CELLS} recordParts={PARTS} {...(rowActions && { rowActions })} />
      {asked?.operation === "delete" && <DeleteRow source={source} record={asked.record} onClose={close} />}
      {asked?.operation === "replace" && <ReplaceDialog source={source} {...asked} onClose={close} />}
    </AskContext>
  );
}

import { DeleteOutlined } from "@ant-design/icons";
import { Button } from "antd";
import type { TFunction } from "i18next";
import { type ChangeEvent, type MouseEvent, memo, type ReactNode } from "react";
import { Link, type NavigateFunction } from "react-router";
import type { Language } from "#contract/languages.ts";
import type { FieldInfo, ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { HideButton } from "../../ordering/hide-button.tsx";
import { DECORATIVE } from "../../parts/decorative.ts";
import { CellBody } from "../cell.tsx";
import { type RowCells, toCellClass } from "./list-columns.tsx";
import { OPENED_FROM_LIST } from "./opened-from-list.ts";

/** What all rows of a table have in common; one object for as long as nothing of it changes. */
export interface RowOptions {
  model: RecordSource;
  columns: readonly FieldInfo[];
  /** The list's query, which the forms keep. */
  search: string;
  cells: RowCells | undefined;
  rowActions: ((record: ModelRecord) => ReactNode) | undefined;
  /** Address of a related record; undefined where the reader may not see its model. */
  toRelated: (model: number, id: number) => string | undefined;
  onDelete: ((record: ModelRecord) => void) | undefined;
  /** Rows end with what can be done to them. */
  hasActions: boolean;
  /** A click on a row chooses it, and opens nothing. */
  isChoosing: boolean;
  navigate: NavigateFunction;
  t: TFunction;
  lang: Language;
}

interface RowProps {
  record: ModelRecord;
  options: RowOptions;
  /** Undefined: rows can't be selected. */
  isChosen: boolean | undefined;
  onChoose: (id: number, isChosen: boolean, isRange: boolean) => void;
}

function ChooseCell({ record, options, isChosen, onChoose }: RowProps & { isChosen: boolean }) {
  const onChange = ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    const isRange = nativeEvent instanceof window.MouseEvent && nativeEvent.shiftKey;
    onChoose(record.id, target.checked, isRange);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keeps the row's own click out, does nothing itself
    <td className="choose-cell" onClick={(event) => event.stopPropagation()}>
      <label>
        <input
          type="checkbox"
          aria-label={options.t("list.selectRow", { name: record.repr })}
          checked={isChosen}
          onChange={onChange}
        />
      </label>
    </td>
  );
}

function FieldCell({
  record,
  field,
  isFirst,
  options,
}: {
  record: ModelRecord;
  field: FieldInfo;
  isFirst: boolean;
  options: RowOptions;
}) {
  const { model, cells, search, t, lang, toRelated } = options;
  const OwnCell = cells?.[field.name];
  const value = record[field.name];
  const body = OwnCell ? (
    <OwnCell record={record} value={value} isLinked={isFirst} />
  ) : (
    <CellBody field={field} value={value} isLinked={isFirst} toRelated={toRelated} t={t} lang={lang} />
  );
  if (!isFirst) return <td className={toCellClass(field)}>{body}</td>;
  const isHidden = model.hidden_field !== null && record[model.hidden_field] === true;
  return (
    <th scope="row" className={`first-cell ${toCellClass(field)}`} data-hidden={isHidden || undefined}>
      {/* For keyboards, screen readers and new tabs; a click anywhere on the row does the same. */}
      <Link
        to={{ pathname: model.paths.edit(record.id), search }}
        state={OPENED_FROM_LIST}
        onClick={(event) => event.stopPropagation()}
      >
        {body}
      </Link>
      {isHidden && <span className="hidden-tag">{t("list.hidden")}</span>}
    </th>
  );
}

function ActionsCell({ record, options }: Pick<RowProps, "record" | "options">) {
  const { model, rowActions, onDelete, hasActions, t } = options;
  if (!hasActions) return null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keeps the row's own click out, does nothing itself
    <td className="actions-cell" onClick={(event) => event.stopPropagation()}>
      {rowActions ? rowActions(record) : model.hidden_field && <HideButton model={model} record={record} />}
      {!rowActions && onDelete && (
        <Button
          danger
          type="text"
          icon={<DeleteOutlined {...DECORATIVE} />}
          aria-label={t("list.deleteRow", { name: record.repr })}
          onClick={() => onDelete(record)}
        />
      )}
    </td>
  );
}

/** One record. Drawn again only when something of it has changed: a page may hold 200 of them. */
export const Row = memo(function Row(props: RowProps) {
  const { record, options, isChosen } = props;
  const { model, search, navigate } = options;
  function open(event: MouseEvent): void {
    // Text that was just marked must not open a form.
    if (window.getSelection()?.toString()) return;
    if (options.isChoosing) props.onChoose(record.id, !isChosen, event.shiftKey);
    else void navigate({ pathname: model.paths.edit(record.id), search }, { state: OPENED_FROM_LIST });
  }
  return (
    // For keyboards there is the link in the first cell.
    <tr data-row-key={record.id} data-chosen={isChosen || undefined} onClick={open}>
      {isChosen !== undefined && <ChooseCell {...props} isChosen={isChosen} />}
      {options.columns.map((field, index) => (
        <FieldCell key={field.name} record={record} field={field} isFirst={index === 0} options={options} />
      ))}
      <ActionsCell record={record} options={options} />
    </tr>
  );
});

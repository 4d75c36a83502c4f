import { memo } from "react";
import type { FieldInfo, ModelRecord } from "#contract/models.ts";
import { toCellClass } from "../columns/columns.ts";
import {
  FieldBody,
  isHiddenRow,
  openRow,
  RowActions,
  RowBox,
  RowLink,
  type RowOptions,
  type RowProps,
} from "./row-parts.tsx";

interface FieldCellProps {
  record: ModelRecord;
  field: FieldInfo;
  isFirst: boolean;
  options: RowOptions;
}

function FieldCell({ record, field, isFirst, options }: FieldCellProps) {
  if (!isFirst) {
    return (
      <td className={toCellClass(field)}>
        <FieldBody record={record} field={field} options={options} />
      </td>
    );
  }
  return (
    <th
      scope="row"
      className={`first-cell ${toCellClass(field)}`}
      data-hidden={isHiddenRow(record, options) || undefined}
    >
      <RowLink record={record} field={field} options={options} />
    </th>
  );
}

/** One record. Drawn again only when something of it has changed: a page may hold 200 of them. */
export const Row = memo(function Row(props: RowProps) {
  const { record, options, isChosen } = props;
  return (
    // For keyboards there is the link in the first cell.
    <tr
      data-row-key={record.id}
      data-chosen={isChosen || undefined}
      onClick={(event) => openRow(props, event)}
    >
      {isChosen !== undefined && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keeps the row's own click out, does nothing itself
        <td className="choose-cell" onClick={(event) => event.stopPropagation()}>
          <RowBox {...props} isChosen={isChosen} />
        </td>
      )}
      {options.columns.map((field, index) => (
        <FieldCell key={field.name} record={record} field={field} isFirst={index === 0} options={options} />
      ))}
      {options.hasActions && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keeps the row's own click out, does nothing itself
        <td className="actions-cell" onClick={(event) => event.stopPropagation()}>
          <RowActions record={record} options={options} />
        </td>
      )}
    </tr>
  );
});

import { EllipsisOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { memo, useState } from "react";
import type { FieldInfo, ModelRecord } from "#contract/content/models.ts";
import { DECORATIVE } from "../../../ui/accessibility.ts";
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

/** One record on a phone: what names it, the other columns below, and what can be done with it behind a button. */
export const Card = memo(function Card(props: RowProps) {
  const { record, options, isChosen } = props;
  const [isOpen, setOpen] = useState(false);
  const { columns, hasActions, t } = options;
  const [first, ...others] = columns;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: for keyboards there is the link that names the card
    <li
      className="card"
      data-row-key={record.id}
      data-chosen={isChosen || undefined}
      onClick={(event) => openRow(props, event)}
    >
      {isChosen !== undefined && (
        // biome-ignore lint/a11y/noStaticElementInteractions: keeps the card's own click out, does nothing itself
        // biome-ignore lint/a11y/useKeyWithClickEvents: keeps the card's own click out, does nothing itself
        <span className="choose-cell" onClick={(event) => event.stopPropagation()}>
          <RowBox {...props} isChosen={isChosen} />
        </span>
      )}
      <p className="card-title" data-hidden={isHiddenRow(record, options) || undefined}>
        {first &&
          // Where cards are chosen, a thumb on the largest text must not lead away.
          (options.isChoosing ? (
            <FieldBody record={record} field={first} options={options} isLinked />
          ) : (
            <RowLink record={record} field={first} options={options} />
          ))}
      </p>
      {others.length > 0 && (
        <dl>
          {others.map((field) => (
            <div key={field.name}>
              <dt>{field.verbose_name}</dt>
              <dd>
                <FieldBody record={record} field={field} options={options} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {hasActions && (
        // biome-ignore lint/a11y/noStaticElementInteractions: keeps the card's own click out, does nothing itself
        // biome-ignore lint/a11y/useKeyWithClickEvents: keeps the card's own click out, does nothing itself
        <div className="card-end" onClick={(event) => event.stopPropagation()}>
          <Button
            type="text"
            icon={<EllipsisOutlined {...DECORATIVE} />}
            aria-label={t("list.actionsOf", { name: record.repr })}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
          {isOpen && (
            <div className="card-actions">
              <RowActions record={record} options={options} />
            </div>
          )}
        </div>
      )}
    </li>
  );
});

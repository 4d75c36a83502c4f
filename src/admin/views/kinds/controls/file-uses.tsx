import { Link } from "react-router";
import * as z from "zod/mini";
import { type ControlProps, FieldItem, type FieldKind, type Kinds, stopClick } from "../kind.tsx";
import { textValue } from "../text-input.tsx";

const uses = z.array(z.object({ model: z.number(), id: z.number(), repr: z.string(), label: z.string() }));

interface UsesCell {
  kind: "uses";
  uses: z.infer<typeof uses>;
}

/** A list has room for this many; an opened record names all. */
const LISTED_MAX = 2;

/** The server says what uses a file: no form has an input for it. */
function UsesControl({ field }: ControlProps) {
  return (
    <FieldItem field={field}>
      <span />
    </FieldItem>
  );
}

/** The records that use a file, each with its link where the person may open it. */
const fileUses: FieldKind<UsesCell> = {
  types: ["FileUsesField"],
  Control: UsesControl,
  ...textValue,
  toCell(value) {
    const read = uses.safeParse(value);
    if (!read.success) return undefined;
    return { kind: "uses", uses: read.data };
  },
  drawCell(cell, { isLinked, isWhole, toRelated, t }) {
    if (cell.uses.length === 0) return <span className="file-unused">{t("files.unused")}</span>;
    const shown = isWhole ? cell.uses : cell.uses.slice(0, LISTED_MAX);
    const rest = cell.uses.length - shown.length;
    return (
      <ul className="file-uses">
        {shown.map(({ model, id, repr, label }) => {
          const address = isLinked ? undefined : toRelated?.(model, id);
          const words = `${label}: ${repr}`;
          return (
            <li key={`${model} ${id}`}>
              {address === undefined ? (
                words
              ) : (
                <Link to={address} onClick={stopClick}>
                  {words}
                </Link>
              )}
            </li>
          );
        })}
        {rest > 0 && <li>{t("files.moreUses", { count: rest })}</li>}
      </ul>
    );
  },
};

export const kinds: Kinds = { "file-uses": fileUses };

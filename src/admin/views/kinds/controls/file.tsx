import { FileOutlined } from "@ant-design/icons";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { toBackEndAddress } from "#providers/http/http.ts";
import { DECORATIVE } from "../../../ui/accessibility.ts";
import { FileInput, fileEnding, givenName, isImageAddress } from "../file-input.tsx";
import {
  type CellProps,
  type ControlProps,
  FieldItem,
  type FieldKind,
  type Kinds,
  stopClick,
} from "../kind.tsx";
import { textValue } from "../text-input.tsx";

function FileControl({ field, source }: ControlProps) {
  const { t } = useTranslation();
  const isUploading = useRef(false);
  /** A save would store the value of before. */
  const rule = {
    validator: async () => {
      if (isUploading.current) throw new Error(t("form.fileWaits"));
    },
  };
  return (
    <FieldItem field={field} rules={[rule]}>
      <FileInput field={field} source={source} isUploading={isUploading} />
    </FieldItem>
  );
}

interface FileCell {
  kind: "image" | "file";
  address: string;
  /** "" where the address has none that people gave. */
  name: string;
}

/** Size of thumbnails in rows, in CSS pixels; the style sheet says the same. */
const THUMBNAIL_PX = 28;

/** A stored file of a type that the server draws smaller pictures of. */
const DRAWN = /^\/files\/([0-9a-f]{32}\.(?:png|jpg|webp|svg))$/;

/** The smaller picture of a stored file: twice the size of a thumbnail is enough, and a photo has a thousand times its bytes. */
function toSmallAddress(address: string, width: 192 | 768): string {
  const key = DRAWN.exec(address)?.[1];
  return key === undefined ? address : `/pictures/${key}/${width}.webp`;
}

function FileBody({
  cell,
  field,
  isWhole,
  t,
}: Pick<CellProps, "field" | "isWhole" | "t"> & { cell: FileCell }) {
  const alt = t("cell.picture", { name: cell.name || field.verbose_name });
  if (cell.kind === "image" && isWhole)
    return (
      <img className="file-picture" src={toBackEndAddress(toSmallAddress(cell.address, 768))} alt={alt} />
    );
  return cell.kind === "image" ? (
    <img
      className="thumbnail"
      src={toBackEndAddress(toSmallAddress(cell.address, 192))}
      alt={alt}
      width={THUMBNAIL_PX}
      height={THUMBNAIL_PX}
      loading="lazy"
    />
  ) : (
    <>
      <FileOutlined {...DECORATIVE} />{" "}
      {cell.name || t("cell.file", { kind: fileEnding(cell.address).toUpperCase() })}
    </>
  );
}

/** Stored files, pictures among them: their addresses say which are. */
const file: Omit<FieldKind<FileCell>, "types"> = {
  Control: FileControl,
  ...textValue,
  toCell: (value) =>
    typeof value === "string"
      ? { kind: isImageAddress(value) ? "image" : "file", address: value, name: givenName(value) }
      : undefined,
  drawCell(cell, { field, isLinked, isWhole, t }) {
    const body = <FileBody cell={cell} field={field} isWhole={isWhole ?? false} t={t} />;
    if (isLinked) return body;
    return (
      <a
        className="file-link"
        href={toBackEndAddress(cell.address)}
        target="_blank"
        rel="noreferrer"
        onClick={stopClick}
      >
        {body}
      </a>
    );
  },
  cellClass: "fixed-cell",
};

export const kinds: Kinds = {
  file: { types: ["FileField"], ...file },
  image: { types: ["ImageField"], ...file },
};

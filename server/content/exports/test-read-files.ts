import { text } from "node:stream/consumers";
import { fromBufferPromise } from "yauzl";

/** Rows of a csv text (RFC 4180); an empty value is null unless it is quoted. */
export function parseCsv(source: string, delimiter = ","): (string | null)[][] {
  const rows: (string | null)[][] = [];
  let row: (string | null)[] = [];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${delimiter}\\n]*))(${delimiter}|\\n)`, "g");
  for (const [, quoted, plain, end] of source.matchAll(cell)) {
    row.push(quoted === undefined ? plain || null : quoted.replaceAll('""', '"'));
    if (end === delimiter) continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** What a cell of a sheet holds; a moment or day as its number. */
export type CellValue = string | number | boolean | null;
export interface Sheet {
  name: string;
  rows: { style: number; value: CellValue }[][];
  xml: string;
}

const ENTITIES: Record<string, string> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&#10;": "\n",
};

function fromXml(source: string): string {
  return source
    .replaceAll(/&[^;]+;/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function toValue(type: string | undefined, inside: string): CellValue {
  if (type === "inlineStr")
    return fromXml(/^<is><t(?: xml:space="preserve")?>([^<]*)<\/t><\/is>$/.exec(inside)?.[1] ?? "?");
  const value = /^<v>([^<]*)<\/v>$/.exec(inside)?.[1] ?? "?";
  return type === "b" ? value === "1" : Number(value);
}

function parseRows(xml: string): Sheet["rows"] {
  return [...xml.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<c(?: s="(\d)")?(?: t="(\w+)")?(?:\/>|>(.*?)<\/c>)/gs)].map(
      ([, style = "0", type, inside]) => ({
        style: Number(style),
        value: inside === undefined ? null : toValue(type, inside),
      }),
    ),
  );
}

/** Parts of a zip by their paths, each checked against its size and checksum. */
export async function readZip(file: Buffer): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(file);
  const parts = new Map<string, string>();
  for await (const entry of zip.eachEntry())
    parts.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
  return parts;
}

/** Sheets of a workbook in its order, found the way programs find them: by the relationships. */
export async function readBook(file: Buffer): Promise<Sheet[]> {
  const parts = await readZip(file);
  const links = new Map(
    [...(parts.get("xl/_rels/workbook.xml.rels") ?? "").matchAll(/Id="(\w+)"[^>]*Target="([^"]+)"/g)].map(
      ([, id = "", target = ""]) => [id, target],
    ),
  );
  return [...(parts.get("xl/workbook.xml") ?? "").matchAll(/<sheet name="([^"]*)"[^>]*r:id="(\w+)"/g)].map(
    ([, name = "", id = ""]) => {
      const xml = parts.get(`xl/${links.get(id)}`) ?? "";
      return { name: fromXml(name), rows: parseRows(xml), xml };
    },
  );
}

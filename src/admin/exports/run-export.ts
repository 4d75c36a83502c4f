import type { ExportFormat, ExportInfo } from "#contract/content/exports.ts";
import type { FileSink } from "./file-sink.ts";

const NEWLINE = 10;
const QUOTE = 34;

/** Counts the rows of a file while it arrives; undefined for formats that don't show it before their end. */
export interface RowCounter {
  add(chunk: Uint8Array): void;
  count(): number;
}

/** Lines that are no row: the header of csv, the closing bracket of json. */
const OTHER_LINES: Partial<Record<ExportFormat, number>> = { csv: 1, json: 1, ndjson: 0 };

/** A newline inside of quotes belongs to a value of csv; a doubled quote inside of them changes nothing in the end. */
export function createRowCounter(format: ExportFormat): RowCounter | undefined {
  const others = OTHER_LINES[format];
  if (others === undefined) return undefined;
  const hasQuotes = format === "csv";
  let lines = 0;
  let isQuoted = false;
  return {
    add(chunk) {
      for (const byte of chunk) {
        if (byte === NEWLINE && !isQuoted) lines += 1;
        else if (hasQuotes && byte === QUOTE) isQuoted = !isQuoted;
      }
    },
    count: () => Math.max(0, lines - others),
  };
}

/** How far an export is; `rows` where its format shows them. */
export interface ExportProgress {
  bytes: number;
  rows: number | undefined;
}

export interface ExportResult extends ExportProgress {
  /** The server's own length, and where possible its checksum, are those of what arrived. */
  isVerified: boolean;
}

/** The file is not what the server sent: nothing was saved. */
export class BrokenExport extends Error {
  override name = "BrokenExport";
}

/** The server's header that names an export. */
const EXPORT_ID = "X-Export-Id";

export interface ExportDeps {
  format: ExportFormat;
  open: () => Promise<Response>;
  /** What became of an export. */
  getInfo: (id: string) => Promise<ExportInfo>;
  sink: FileSink;
  onProgress: (progress: ExportProgress) => void;
}

async function readInto(
  response: Response,
  { format, sink, onProgress }: Pick<ExportDeps, "format" | "sink" | "onProgress">,
): Promise<ExportProgress> {
  const counter = createRowCounter(format);
  const reader = response.body?.getReader();
  if (!reader) throw new BrokenExport("the answer has no body");
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { bytes, rows: counter?.count() };
      await sink.write(value);
      bytes += value.byteLength;
      counter?.add(value);
      onProgress({ bytes, rows: counter?.count() });
    }
  } catch (error) {
    // A disk that is full ends the download too: the server must not go on reading rows for nobody.
    await reader.cancel().catch(() => undefined);
    throw error;
  }
}

/** @throws BrokenExport where the server describes another file than the one that arrived. */
async function verify(info: ExportInfo, read: ExportProgress, sink: FileSink): Promise<ExportResult> {
  if (info.status !== "complete") throw new BrokenExport(`the export is ${info.status}`);
  if (info.byte_count !== null && info.byte_count !== read.bytes)
    throw new BrokenExport(`${read.bytes} of ${info.byte_count} bytes arrived`);
  const hash = await sink.hash();
  if (hash !== undefined && info.sha256 !== null && hash !== info.sha256)
    throw new BrokenExport("the checksum differs");
  return { bytes: read.bytes, rows: info.row_count ?? read.rows, isVerified: true };
}

/**
 * Reads an export to its end, compares it with what the server says of it, and only then saves it. A back end that names no
 * export is believed: its connection has ended as it should. Rejects, with nothing saved, when anything fails.
 */
export async function runExport(deps: ExportDeps): Promise<ExportResult> {
  const { sink } = deps;
  try {
    const response = await deps.open();
    const read = await readInto(response, deps);
    const id = response.headers.get(EXPORT_ID);
    const result = id ? await verify(await deps.getInfo(id), read, sink) : { ...read, isVerified: false };
    await sink.save();
    return result;
  } catch (error) {
    // A writer that is broken already has nothing left to discard.
    await sink.discard().catch(() => undefined);
    throw error;
  }
}

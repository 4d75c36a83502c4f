import type { ExportFormat as FormatName } from "#contract/exports.ts";
import { csv } from "./csv.ts";
import type { ExportFormat } from "./format.ts";
import { json, ndjson } from "./json.ts";
import { xlsx } from "./xlsx.ts";

export const FORMATS: Readonly<Record<FormatName, ExportFormat>> = { csv, json, ndjson, xlsx };

import type { ModelDeclaration } from "#server/models/declare.ts";
import { certificate } from "#server/models/declared/certificate.ts";
import { confidence } from "#server/models/declared/confidence.ts";
import { education } from "#server/models/declared/education.ts";
import { experience } from "#server/models/declared/experience.ts";
import { link } from "#server/models/declared/link.ts";
import { profile } from "#server/models/declared/profile.ts";
import { CERTIFICATES } from "../certificates.ts";
import { PROFILE } from "../content.ts";
import { JOBS } from "./jobs.ts";
import { LINKS } from "./links.ts";
import { SCHOOLS } from "./schools.ts";
import { TOOLS } from "./tools.ts";

/** Rows of one model as the sample content has them: values by column, a file by its name in `server/sample/files`. */
export interface SampleSet {
  declaration: ModelDeclaration;
  rows: readonly Readonly<Record<string, unknown>>[];
}

function inOrder(rows: readonly Readonly<Record<string, unknown>>[]): SampleSet["rows"] {
  return rows.map((row, index) => ({ ...row, position: index + 1 }));
}

/** The whole sample content. */
export const SAMPLE_CONTENT: readonly SampleSet[] = [
  { declaration: profile, rows: [PROFILE] },
  { declaration: link, rows: inOrder(LINKS) },
  { declaration: experience, rows: inOrder(JOBS) },
  { declaration: education, rows: inOrder(SCHOOLS) },
  { declaration: confidence, rows: inOrder(TOOLS) },
  { declaration: certificate, rows: inOrder(CERTIFICATES) },
];

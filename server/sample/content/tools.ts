import type { confidenceTable } from "#server/models/declared/confidence.ts";

/** Tools in the order of the page, each with an icon of `server/sample/files`. */
export const TOOLS: readonly (typeof confidenceTable.$inferInsert)[] = [
  { label: { en: "TypeScript", tr: "TypeScript" }, icon: "typescript.svg" },
  { label: { en: "PostgreSQL", tr: "PostgreSQL" }, icon: "postgresql.svg" },
  { label: { en: "Linux", tr: "Linux" }, icon: "linux.svg" },
  { label: { en: "Git", tr: "Git" }, icon: "git.svg" },
  { label: { en: "Queues", tr: "Kuyruklar" }, icon: "queues.svg" },
  { label: { en: "Monitoring", tr: "İzleme" }, icon: "monitoring.svg" },
  { label: { en: "Load tests", tr: "Yük testleri" }, icon: "load-tests.svg" },
];

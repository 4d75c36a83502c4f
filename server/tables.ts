/**
 * Every Drizzle table of the product, which start-up compares with the catalog. drizzle-kit, which can't wait for what a folder
 * holds, reads the same files: see `db/drizzle.config.ts`.
 */
export {
  appTable,
  passkeyTable,
  recoveryCodeTable,
  spentTicketTable,
} from "./accounts/factors/tables.ts";
export {
  codeGuessTable,
  codeTable,
  codeTicketTable,
  invitationUseTable,
  sessionTable,
  setupLinkTable,
} from "./accounts/tables.ts";
export { auditSealTable } from "./audit/tables.ts";
export { exportTable, jobFailureTable, jobTable } from "./content/tables.ts";
export { cvImportTable } from "./cv/import/tables.ts";
export { siteKeyTable, workLeaseTable } from "./db/tables.ts";
export { healthSampleTable } from "./health/store.ts";
export { DECLARED_TABLES } from "./models/declared/all.ts";
export { contentTypeTable, searchBuildTable } from "./models/tables.ts";
export { sampleRowTable, siteSeedTable } from "./sample/tables.ts";
export { voiceBlockTable, voiceDailyCountTable } from "./voice/tables.ts";

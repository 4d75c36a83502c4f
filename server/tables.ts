/** Every Drizzle table of the product: what drizzle-kit generates migrations from and what start-up compares with the catalog. */
export { codeTable, sessionTable } from "./accounts/tables.ts";
export { auditEntryTable } from "./audit/tables.ts";
export { mailMessageTable, mailSuppressionTable } from "./mail/tables.ts";
export { accessLevelTable } from "./models/declared/access-level.ts";
export { certificateTable } from "./models/declared/certificate.ts";
export { confidenceTable } from "./models/declared/confidence.ts";
export { contactMessageTable } from "./models/declared/contact-message.ts";
export { educationTable } from "./models/declared/education.ts";
export { experienceTable } from "./models/declared/experience.ts";
export { linkTable } from "./models/declared/link.ts";
export { profileTable } from "./models/declared/profile.ts";
export { sitePageTable } from "./models/declared/site-page.ts";
export { siteSettingsTable } from "./models/declared/site-settings.ts";
export { storedFileTable } from "./models/declared/stored-file.ts";
export { userTable } from "./models/declared/user.ts";
export { contentTypeTable } from "./models/tables.ts";
export { sampleRowTable, siteSeedTable } from "./sample/tables.ts";

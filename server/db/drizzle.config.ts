import { defineConfig } from "drizzle-kit";

/** For `drizzle-kit generate`, called by `npm run db:generate`. Works offline; paths are relative to the repository. */
export default defineConfig({
  dialect: "postgresql",
  schema: "./server/tables.ts",
  out: "./server/db/migrations",
});

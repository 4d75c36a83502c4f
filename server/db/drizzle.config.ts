import { defineConfig } from "drizzle-kit";

/** For `drizzle-kit generate`, called by `npm run db:generate`. Works offline; paths are relative to the repository. */
export default defineConfig({
  dialect: "postgresql",
  // The same tables as `server/tables.ts`.
  schema: ["./server/*/**/tables.ts", "./server/health/store.ts", "./server/models/declared/!(all).ts"],
  out: "./server/db/migrations",
});

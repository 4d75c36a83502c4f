import "./base/quick-imports.ts";

/** What `npm run foyer` runs: the commands stand behind the hook, which has to be there before their imports. */
await import("./commands.ts");

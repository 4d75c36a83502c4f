import "./base/quick-imports.ts";

/** What `npm start` and the service run: the server itself stands behind the hook, which has to be there before its imports. */
await import("./start.ts");

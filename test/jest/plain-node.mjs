import { registerHooks } from "node:module";

/** Runs once in each worker. Test files import from `@jest/globals`, which answers inside of Jest's own runner alone. */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "@jest/globals"
      ? { url: new URL("./plain-node-globals.ts", import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
});

if (process.env.FOYER_LATE_CONNECTIONS) await import("./late-connections.mjs");

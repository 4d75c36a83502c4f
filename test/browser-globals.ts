import { TextDecoder, TextEncoder } from "node:util";
import { configure } from "@testing-library/dom";

/** What every browser has and jsdom lacks; react-router reads them while it is being imported. */
Object.assign(globalThis, { TextDecoder, TextEncoder });

// Ends a test that would hang: what is waited for comes when a busy machine comes to it.
configure({ asyncUtilTimeout: 60_000 });

if (process.env.FOYER_LATE_DRAWING) await import("./jest/late-drawing.ts");

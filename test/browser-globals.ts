import { TextDecoder, TextEncoder } from "node:util";

/** What every browser has and jsdom lacks; react-router reads them while it is being imported. */
Object.assign(globalThis, { TextDecoder, TextEncoder });

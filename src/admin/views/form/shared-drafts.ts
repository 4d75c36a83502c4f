import { createDrafts } from "./drafts.ts";

/** The drafts of this browser. */
export const drafts = createDrafts();

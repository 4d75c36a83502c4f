import { z } from "zod";

/** Lines that the writer prints, one JSON object each. A line is printed after the commit it speaks of. */
export const writerMessage = z.discriminatedUnion("kind", [
  /** The server is up and the data was looked at. */
  z.object({
    kind: z.literal("checked"),
    startMs: z.number(),
    rows: z.number(),
    maxId: z.number(),
    updates: z.number(),
    /** What amcheck and the content check found; empty when all is well. */
    faults: z.array(z.string()),
    didRecover: z.boolean(),
  }),
  /** A row was committed. */
  z.object({ kind: z.literal("row"), id: z.number() }),
  /** An update was committed; `count` is how many there were in all. */
  z.object({ kind: z.literal("update"), count: z.number() }),
  z.object({ kind: z.literal("failed"), message: z.string() }),
]);

/** One line of the writer. */
export type WriterMessage = z.infer<typeof writerMessage>;

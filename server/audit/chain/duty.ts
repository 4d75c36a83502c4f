import * as z from "zod";
import type { Leases } from "#server/db/leases/lease.ts";
import { isSame, signNote } from "./signature.ts";

const trouble = z.object({ since: z.iso.datetime(), reason: z.string() });
const chainNote = z.object({
  /** The newest seal that the sink had. */
  had: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
  /** When the whole chain was last read. */
  lookedAt: z.iso.datetime().optional(),
  broken: trouble.optional(),
  failing: trouble.optional(),
});

/** What the process that seals leaves to the next one, and to those that only show how the log is. */
export type ChainNote = z.infer<typeof chainNote>;

/** Sealing, looking and the copy are one process's of the site. */
export interface ChainDuty {
  isMine(): boolean;
  /** Whether other processes can be there. */
  readonly isShared: boolean;
  /** Calls back each time that it becomes this process's after another one had it. */
  onGain(listener: () => void): void;
  /** Empty where nothing was left, and where it isn't of a process that has the key: whoever reaches the database can write there. */
  read(): Promise<ChainNote>;
  /** Leaves this beside the rest. False: it is another process's duty by now. */
  write(part: ChainNote): Promise<boolean>;
  giveUp(): Promise<void>;
}

export function createChainDuty(leases: Pick<Leases, "keep" | "isShared">, key: Buffer): ChainDuty {
  let listener = () => {};
  const duty = leases.keep("audit chain", () => listener());

  async function read(): Promise<ChainNote> {
    const [signature = "", text = ""] = (await duty.read())?.split("\n") ?? [];
    if (!isSame(signature, signNote(key, text))) return {};
    return chainNote.parse(JSON.parse(text));
  }

  return {
    isMine: duty.isMine,
    isShared: leases.isShared,
    onGain(next) {
      listener = next;
    },
    read,
    async write(part) {
      if (!leases.isShared) return duty.isMine();
      const text = JSON.stringify({ ...(await read()), ...part });
      return duty.leave(`${signNote(key, text)}\n${text}`);
    },
    giveUp: duty.giveUp,
  };
}

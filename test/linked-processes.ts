import { openMemoryCounters } from "#server/base/counters.ts";
import { openLink } from "#server/cluster/link.ts";
import type { Link } from "#server/cluster/link-types.ts";
import type { Cluster } from "#server/cluster/open-cluster.ts";
import { createCarriers, type TestCarrier } from "#test/carriers.ts";

export interface LinkedProcess {
  link: Link;
  carrier: TestCarrier;
}

/** What an app is opened with, to be one of them. */
export function toOpenCluster({ link }: LinkedProcess, isUp = true): () => Promise<Cluster> {
  return async () => ({
    link,
    openCounter: openMemoryCounters(() => performance.now()),
    getState: () => ({
      isUp,
      carrier: "redis",
      server: "redis://redis.test",
      processes: link.list().length,
      missing: 0,
    }),
    close: () => link.close(),
  });
}

/** Processes of one site that know each other a few turns later; a fault of a handler is thrown. Time stands: nobody is ever too silent. */
export function createLinkedProcesses<Name extends string>(
  ...names: readonly Name[]
): Record<Name, LinkedProcess> {
  const carriers = createCarriers();
  const processes = names.map((processId): [Name, LinkedProcess] => {
    const carrier = carriers.create();
    const log = {
      warn(details: object) {
        throw details;
      },
    };
    const timing = { clock: () => 0, every: () => () => undefined, gatherMs: 0 };
    return [processId, { link: openLink({ processId, carrier, log, ...timing }), carrier }];
  });
  return Object.fromEntries(processes) as Record<Name, LinkedProcess>; // entries lose the names' type
}

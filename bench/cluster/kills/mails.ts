import { setTimeout as sleep } from "node:timers/promises";
import { judge, type Verdict } from "../../outbox/judge.ts";
import { readWhenSent } from "../../outbox/read-outbox.ts";
import { type Registration, register } from "../../outbox/register.ts";
import { type SinkProcess, startSink } from "../../outbox/sink-process.ts";
import type { ClusterSite } from "../site.ts";

const PAUSE_MS = 700;
/** With few rounds no kill may hit a mail on its way, which is no fault here. */
const UNTRIED = "no kill came between the end of a message and its 250";

/** People who register one after the other, each with an address of their own; each gets one mail. */
export interface Registrations {
  /** Settings of the site's processes. */
  env: NodeJS.ProcessEnv;
  begin(url: string): void;
  finish(site: ClusterSite): Promise<Verdict>;
  stop(): Promise<void>;
}

export async function openRegistrations(): Promise<Registrations> {
  const sink: SinkProcess = await startSink();
  const registrations: Registration[] = [];
  let running = Promise.resolve();
  let isEnding = false;

  async function run(url: string): Promise<void> {
    for (let index = 0; !isEnding; index += 1) {
      registrations.push(await register(url, Math.floor(index / 100), index % 100));
      await sleep(PAUSE_MS);
    }
  }

  return {
    env: { SMTP_URL: sink.url, MAIL_FROM: "Foyer <site@foyer.example>", TRUST_PROXY: "true" },
    begin(url) {
      running = run(url);
    },
    async finish({ pool }) {
      isEnding = true;
      await running;
      const verdict = judge(registrations, await readWhenSent(pool), await sink.readCopies());
      return { ...verdict, faults: verdict.faults.filter((fault) => fault !== UNTRIED) };
    },
    stop: () => sink.stop(),
  };
}

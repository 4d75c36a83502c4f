import { once } from "node:events";
import { pino } from "pino";
import { drainServer } from "#server/http/drain.ts";
import { onShutdown } from "#server/process.ts";
import { createTestApp } from "./app.ts";

/** The whole server as a process that stops as the product does; its drain lasts until `process.test.ts`, which starts it, says so. */
const stop = onShutdown(pino({ level: "silent" }));
const site = await createTestApp({ isStopping: () => stop.isStopping });
stop.add(site.close);
stop.add(() => drainServer(site.app, { drainMs: 1, wait: () => once(process, "message") }));
process.channel?.ref();
process.send?.(await site.listen());

import "./base/quick-imports.ts";

/** What `npm start` and the service run: the server itself stands behind the hook, which has to be there before its imports. */
const { readCount } = await import("./launch/read-count.ts");
const count = readCount(process.argv.slice(2), process.env);
if (count === 1) await import("./start.ts");
else await (await import("./launch/start-processes.ts")).startProcesses(count);

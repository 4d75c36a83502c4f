import { startChannelServer } from "./channel-server.ts";

// The server of the transcripts in a process of its own, for the scenario that ends it: prints its address.

const server = await startChannelServer();
process.once("SIGTERM", () => void server.close().then(() => process.exit(0)));
console.log(server.url);

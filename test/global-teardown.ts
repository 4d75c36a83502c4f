import { rm } from "node:fs/promises";

export default async function tearDown(): Promise<void> {
  const server = globalThis.foyerTestServer;
  globalThis.foyerTestServer = undefined;
  if (!server) return;
  await server.stop();
  await rm(server.dataDir, { recursive: true, force: true });
}

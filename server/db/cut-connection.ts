import type pg from "pg";

/**
 * Closes the socket under a connection. `pg` has no call that ends a COPY whose reader has gone: whatever comes after it on the
 * connection would wait for ever. Statements on it fail from here on; release the client as broken.
 */
export function cutConnection(client: pg.PoolClient): void {
  // `pg` keeps it there; its types do not tell.
  const { connection } = client as unknown as { connection?: { stream?: { destroy(): void } } };
  connection?.stream?.destroy();
}

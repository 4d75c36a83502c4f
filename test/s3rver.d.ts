declare module "@20minutes/s3rver" {
  import type { AddressInfo } from "node:net";

  /** What of a request of Koa's the tests change. */
  export interface S3Context {
    app: object;
    method: string;
    query: Record<string, unknown>;
  }

  /** What the tests use of it; it has no types of its own. */
  export default class S3rver {
    constructor(options: {
      port: number;
      address: string;
      silent: boolean;
      vhostBuckets: boolean;
      /** Where it keeps objects. */
      directory: string;
      configureBuckets: { name: string }[];
    });
    middleware: ((context: S3Context, next: () => Promise<void>) => Promise<void>)[];
    run(): Promise<AddressInfo>;
  }
}

declare module "@20minutes/s3rver/lib/models/account.js" {
  export const DUMMY_ACCOUNT: { createKeyPair(key: string, secret: string): void };
}

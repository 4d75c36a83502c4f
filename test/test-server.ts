import { CLUSTER_USER } from "#server/db/embedded/cluster.ts";

/** The PostgreSQL that `global-setup.ts` started. */
export interface TestServer {
  dataDir: string;
  /** Of its superuser. */
  admin: TestConnection;
  stop(): Promise<void>;
}

export interface TestConnection {
  host: string;
  port: number;
  user: string;
  database: string;
}

export const TEMPLATE_DATABASE = "foyer_template";

/** Connection of the tests' PostgreSQL, by the role that the product uses; test files run in processes of their own and read it from the environment. */
export function adminConnection(database?: string): TestConnection {
  const text = process.env.FOYER_TEST_SERVER;
  if (!text) throw new Error("No test PostgreSQL: tests are started by Jest with test/global-setup.ts");
  const connection = JSON.parse(text) as TestConnection; // written by global-setup.ts
  return database ? { ...connection, database } : connection;
}

/** The same as the cluster's superuser: for faults that the product's own role can't make. */
export function superuserConnection(database: string): TestConnection {
  return { ...adminConnection(database), user: CLUSTER_USER };
}

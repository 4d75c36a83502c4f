import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { loadEnvFile } from "node:process";
import * as z from "zod";

const EMPTY_IS_UNSET = (value: unknown) => (value === "" ? undefined : value);
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(EMPTY_IS_UNSET, schema.optional());
const withDefault = <Schema extends z.ZodType>(schema: Schema, value: z.input<Schema>) =>
  z.preprocess((given) => EMPTY_IS_UNSET(given) ?? value, schema);

const flag = z
  .enum(["true", "false", "1", "0"], { error: "must be true or false" })
  .transform((text) => text === "true" || text === "1");

/** `true`/`false`, a number of proxies, or addresses and networks, as Fastify takes them. */
const trustProxy = z.string().transform((text, context) => {
  if (text === "true" || text === "false") return text === "true";
  const hops = /^\d{1,2}$/.test(text) ? Number(text) : undefined;
  if (hops !== undefined) return (_address: string, hop: number) => hop < hops;
  if (/^[\da-fA-F.:/, ]+$/.test(text)) return text;
  context.addIssue({
    code: "custom",
    message: "must be true, false, a number of proxies, or addresses such as 127.0.0.1, 10.0.0.0/8",
  });
  return z.NEVER;
});

const PORT_FAULT = "must be a whole number from 0 to 65535";

/** Scheme, host and port alone, perhaps with the slash that follows them. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && `${url.origin}/` === url.href;
}

const schema = z.object({
  NODE_ENV: withDefault(z.enum(["production", "development", "test"]), "production"),
  PORT: withDefault(
    z.coerce.number({ error: PORT_FAULT }).int(PORT_FAULT).min(0, PORT_FAULT).max(65_535, PORT_FAULT),
    "3000",
  ),
  HOST: withDefault(z.string(), "127.0.0.1"),
  PUBLIC_URL: optional(
    z
      .url({ protocol: /^https?$/, error: "must be a full address such as https://example.org" })
      .refine(isOrigin, "must end after the host: the site's pages begin there"),
  ),
  FOYER_DATA_DIR: withDefault(z.string(), "./data"),
  FOYER_DB_USER: optional(z.string()),
  DATABASE_URL: optional(
    z.url({ protocol: /^postgres(ql)?$/, error: "must be postgresql://user:password@host/database" }),
  ),
  LOG_LEVEL: withDefault(z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]), "info"),
  TRUST_PROXY: withDefault(trustProxy, "false"),
  OWNER_EMAIL: optional(z.email({ error: "must be an e-mail address" })),
  FOYER_OUT_DIR: withDefault(z.string(), "dist"),
  FOYER_DEV: withDefault(flag, "false"),
});

/** Settings of the process, typed; names of the environment on the right side of `.env.example`. */
export interface Config {
  isProduction: boolean;
  isDevelopment: boolean;
  port: number;
  host: string;
  /** Without a trailing slash; undefined: the address that the request came to. */
  publicUrl: string | undefined;
  /** Absolute. */
  dataDir: string;
  databaseUser: string | undefined;
  databaseUrl: string | undefined;
  logLevel: string;
  trustProxy: boolean | string | ((address: string, hop: number) => boolean);
  ownerEmail: string | undefined;
  /** Absolute folder of the built browser app. */
  outDir: string;
}

/** A setting that can't be used. The message names it and is meant for the owner's terminal. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** Reads settings from an environment. @throws ConfigError that names every wrong value. */
export function parseConfig(environment: NodeJS.ProcessEnv, root = process.cwd()): Config {
  const parsed = schema.safeParse(environment);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      const secret = name === "DATABASE_URL" ? "" : ` (it is "${environment[name] ?? ""}")`;
      return `  ${name}${secret}: ${issue.message}`;
    });
    throw new ConfigError(
      `A setting is wrong. Correct it in the environment or in .env:\n${lines.join("\n")}`,
    );
  }
  const values = parsed.data;
  return {
    isProduction: values.NODE_ENV === "production",
    isDevelopment: values.FOYER_DEV,
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL?.replace(/\/+$/, ""),
    dataDir: resolve(root, values.FOYER_DATA_DIR),
    databaseUser: values.FOYER_DB_USER,
    databaseUrl: values.DATABASE_URL,
    logLevel: values.LOG_LEVEL,
    trustProxy: values.TRUST_PROXY,
    ownerEmail: values.OWNER_EMAIL,
    outDir: resolve(root, values.FOYER_OUT_DIR),
  };
}

/** Reads `.env` (the environment wins) and then the environment. */
export function loadConfig(): Config {
  if (existsSync(".env")) loadEnvFile(".env");
  return parseConfig(process.env);
}

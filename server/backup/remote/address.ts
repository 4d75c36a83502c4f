import * as z from "zod";
import {
  OPTIONS_FAULT,
  type RemoteUrl,
  readRemoteUrl,
  type S3Address,
  toS3Address,
} from "#server/base/s3.ts";

export interface SftpAddress {
  kind: "sftp";
  title: string;
  host: string;
  port: number;
  user: string;
  password: string | undefined;
  /** Absolute; of a private key without a passphrase. */
  keyFile: string | undefined;
  /** Fingerprints (`SHA256:…`) that the server may show; empty: none was set yet. */
  hostKeys: readonly string[];
  /** Absolute, or below where the log-in begins. */
  folder: string;
}

export type RemoteAddress = S3Address | SftpAddress;

/** What the name of a file that is being written ends in. */
export const DRAFT = ".part";
/** A file that `check` writes and takes away. */
export const PROBE = "foyer-check.txt";

/** Where a copy of each backup goes. Everything rejects with an Error whose message says what is wrong, without secrets. */
export interface RemotePlace {
  /** As the owner knows it, without passwords. */
  title: string;
  /**
   * Puts a file there under that name, complete or not at all, and compares it with what arrived. One of the same name and size
   * that is there already is that file.
   */
  put(file: string, name: string, stop: AbortSignal): Promise<void>;
  /** Names in the folder; what a copy that was cut off left ends in `.part`. */
  list(): Promise<string[]>;
  remove(name: string): Promise<void>;
  /** Writes it over a local file. */
  fetch(name: string, file: string, stop: AbortSignal): Promise<void>;
  /** Writes a small file there and takes it away again. */
  check(): Promise<void>;
}

const ADDRESS_FAULT =
  "must be sftp://user@host/folder or s3://KEY:SECRET@host/bucket/folder?region=… (other signs of a secret as %2F for /, %2B for +, %40 for @ …)";
const USER_FAULT = "must name who logs in: sftp://user@host/folder";

const SSH_PORT = 22;
/** As curl and git write it: below the folder where the log-in begins. */
const HOME = "/~/";

function toSftp({ url, user, password, path }: RemoteUrl): SftpAddress | string {
  if (user === "") return USER_FAULT;
  if (url.search !== "") return OPTIONS_FAULT;
  const folder = `${path}/`.startsWith(HOME) ? path.slice(HOME.length) || "." : path || "/";
  return {
    kind: "sftp",
    title: `sftp://${user}@${url.host}${path}`,
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? SSH_PORT : Number(url.port),
    user,
    password,
    keyFile: undefined,
    hostKeys: [],
    folder,
  };
}

/** `BACKUP_TO`. */
export const remoteAddress = z.string().transform((text, context): RemoteAddress => {
  const read = readRemoteUrl(text);
  const address = !read ? ADDRESS_FAULT : read.url.protocol === "s3:" ? toS3Address(read) : toSftp(read);
  if (typeof address !== "string") return address;
  context.addIssue({ code: "custom", message: address });
  return z.NEVER;
});

const FINGERPRINT = /^SHA256:[A-Za-z\d+/]{43}$/;

/** `BACKUP_TO_HOST_KEY`: one, or several with commas between them while a server changes its key. */
export const fingerprints = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim().replace(/=+$/, "")))
  .refine(
    (parts) => parts.every((part) => FINGERPRINT.test(part)),
    "must be a fingerprint such as ssh-keygen -lf shows it: SHA256: and 43 characters",
  );

const NOT_SFTP = "belongs to a BACKUP_TO that begins with sftp://";

/** `BACKUP_TO` with the settings beside it. `report`: what is wrong with one of these. */
export function toRemote(
  values: {
    BACKUP_TO?: RemoteAddress | undefined;
    BACKUP_TO_KEY_FILE?: string | undefined;
    BACKUP_TO_HOST_KEY?: string[] | undefined;
    BACKUP_RECIPIENT?: string | undefined;
  },
  report: (name: "BACKUP_TO_KEY_FILE" | "BACKUP_TO_HOST_KEY" | "BACKUP_RECIPIENT", fault: string) => void,
): RemoteAddress | undefined {
  const { BACKUP_TO: address, BACKUP_TO_KEY_FILE: keyFile, BACKUP_TO_HOST_KEY: hostKeys = [] } = values;
  // Whoever names one believes that something is encrypted.
  if (values.BACKUP_RECIPIENT !== undefined && !address)
    report("BACKUP_RECIPIENT", "belongs to a BACKUP_TO: backups in the folder are not encrypted");
  if (address?.kind === "sftp") {
    if (address.password === undefined && keyFile === undefined)
      report("BACKUP_TO_KEY_FILE", "is needed where BACKUP_TO has no password: the file of a private key");
    return { ...address, keyFile, hostKeys };
  }
  if (keyFile !== undefined) report("BACKUP_TO_KEY_FILE", NOT_SFTP);
  if (hostKeys.length > 0) report("BACKUP_TO_HOST_KEY", NOT_SFTP);
  return address;
}

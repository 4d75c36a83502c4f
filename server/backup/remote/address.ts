import * as z from "zod";

/** A bucket of anything that speaks S3. */
export interface S3Address {
  kind: "s3";
  /** As the owner knows it, without passwords. */
  title: string;
  /** With the bucket: `https://host/bucket`. */
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** What names of files begin with there: empty, or with a slash at its end. */
  prefix: string;
}

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
const BUCKET_FAULT = "must name a bucket behind the host: s3://KEY:SECRET@host/bucket/folder";
const KEYS_FAULT = "must have both parts of the key: s3://KEY:SECRET@host/bucket/folder";
const USER_FAULT = "must name who logs in: sftp://user@host/folder";
const OPTIONS_FAULT = "may have no other options than region=… and tls=false, for s3 alone";

const DEFAULT_REGION = "us-east-1";
const SSH_PORT = 22;
/** As curl and git write it: below the folder where the log-in begins. */
const HOME = "/~/";

/** Node's URL knows no defaults of these schemes, and leaves what stands in them encoded. */
function readUrl(text: string) {
  const url = URL.parse(text);
  if (!url || !/^(s3|sftp):$/.test(url.protocol) || url.hostname === "" || url.hash !== "") return undefined;
  try {
    const [user, password] = [url.username, url.password].map(decodeURIComponent);
    const path = decodeURIComponent(url.pathname).replace(/\/+$/, "");
    return { url, user: user ?? "", password: password || undefined, path };
  } catch {
    return undefined; // a % that encodes nothing
  }
}

function toS3({ url, user, password, path }: NonNullable<ReturnType<typeof readUrl>>): S3Address | string {
  const [, bucket = "", ...folders] = path.split("/");
  if (bucket === "") return BUCKET_FAULT;
  if (user === "" || password === undefined) return KEYS_FAULT;
  const { searchParams, host } = url;
  const tls = searchParams.get("tls") ?? "true";
  if ([...searchParams.keys()].some((key) => !["region", "tls"].includes(key)) || !/^(true|false)$/.test(tls))
    return OPTIONS_FAULT;
  const amazon = /^s3[.-]([a-z\d-]+)\.amazonaws\.com/.exec(host)?.[1];
  return {
    kind: "s3",
    title: `s3://${host}${path}`,
    endpoint: `${tls === "true" ? "https" : "http"}://${host}/${bucket}`,
    region: searchParams.get("region") ?? amazon ?? DEFAULT_REGION,
    accessKeyId: user,
    secretAccessKey: password,
    prefix: folders.length > 0 ? `${folders.join("/")}/` : "",
  };
}

function toSftp({
  url,
  user,
  password,
  path,
}: NonNullable<ReturnType<typeof readUrl>>): SftpAddress | string {
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
  const read = readUrl(text);
  const address = !read ? ADDRESS_FAULT : read.url.protocol === "s3:" ? toS3(read) : toSftp(read);
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

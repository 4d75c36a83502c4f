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

const ADDRESS_FAULT =
  "must be s3://KEY:SECRET@host/bucket/folder?region=… (other signs of a secret as %2F for /, %2B for +, %40 for @ …)";
const BUCKET_FAULT = "must name a bucket behind the host: s3://KEY:SECRET@host/bucket/folder";
const KEYS_FAULT = "must have both parts of the key: s3://KEY:SECRET@host/bucket/folder";
export const OPTIONS_FAULT = "may have no other options than region=… and tls=false, for s3 alone";

const DEFAULT_REGION = "us-east-1";

/** An address of another machine, its parts decoded. */
export interface RemoteUrl {
  url: URL;
  user: string;
  password: string | undefined;
  /** Without a slash at its end. */
  path: string;
}

/** Node's URL knows no defaults of these schemes, and leaves what stands in them encoded. Undefined: it is no such address. */
export function readRemoteUrl(text: string): RemoteUrl | undefined {
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

/** A text says what is wrong with it. */
export function toS3Address({ url, user, password, path }: RemoteUrl): S3Address | string {
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

/** `S3_URL`. */
export const s3Address = z.string().transform((text, context): S3Address => {
  const read = readRemoteUrl(text);
  const address = read?.url.protocol === "s3:" ? toS3Address(read) : ADDRESS_FAULT;
  if (typeof address !== "string") return address;
  context.addIssue({ code: "custom", message: address });
  return z.NEVER;
});

/** What the owner can do about the usual refusals, by the service's own word; SETTING is where the address stands. */
const ADVICE = {
  InvalidAccessKeyId: "Is the key in SETTING right?",
  SignatureDoesNotMatch: "Is the secret in SETTING right, with / as %2F and + as %2B?",
  AccessDenied: "The key may not do this: it needs to list, read, write and delete there.",
  NoSuchBucket: "Make the bucket first, or correct its name in SETTING.",
  PermanentRedirect: "Name the bucket's own region: ?region=…",
  AuthorizationHeaderMalformed: "Name the bucket's own region: ?region=…",
  RequestTimeTooSkewed: "Set the clock of this machine.",
} as const;

export const toS3Advice = (word: keyof typeof ADVICE, setting: string) =>
  ADVICE[word].replace("SETTING", setting);
const isKnown = (word: string): word is keyof typeof ADVICE => word in ADVICE;

/** What a service refused, as the client's library throws it: it is loaded by those who use it. */
const refusal = z.object({
  name: z.literal("S3ServiceError"),
  status: z.number(),
  serviceCode: z.string().optional(),
});

/** The status and the word of a refusal; undefined for any other fault. */
export function findRefusal(error: unknown): { status: number; word: string } | undefined {
  const { data } = refusal.safeParse(error);
  return data && { status: data.status, word: data.serviceCode ?? "" };
}

/** A fault of the service or of the way to it, for the owner and without secrets. `setting` is the name of the setting with its address. */
export function sayS3Fault(doing: string, error: unknown, setting: string): string {
  const refused = findRefusal(error);
  if (refused) {
    const { status, word } = refused;
    const known = isKnown(word) ? word : status === 403 ? "AccessDenied" : undefined;
    const said = `${doing} was refused (${[status, word].filter(Boolean).join(" ")}).`;
    return [said, known && toS3Advice(known, setting)].filter(Boolean).join(" ");
  }
  let reason = error;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  return `${doing} failed: ${reason instanceof Error ? reason.message || reason.name : String(reason)}`;
}

import { createSeededRandom, type SeededRandom } from "../socket/seeded-random.ts";
import { toPathPart, toQuery } from "./addresses.ts";
import { type Body, toBody } from "./bodies.ts";
import { type Header, toAuthorization, toOddHeaders } from "./heads.ts";
import type { Schema } from "./values.ts";

/** A route of the product, as OpenAPI describes it. */
export interface Route {
  method: string;
  /** With names in braces. */
  path: string;
  /** Of its query. */
  query: readonly string[];
  /** Undefined: it takes none. */
  body: { type: string; schema: Schema } | undefined;
}

interface Operation {
  parameters?: { in: string; name: string }[];
  requestBody?: { content?: Record<string, { schema: Schema }> };
}
/** What `/api/openapi.json` answers, as far as it is used. */
export interface Description {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

const text: Schema = { type: "string" };
const toForm = (...names: string[]): Route["body"] => ({
  type: "application/x-www-form-urlencoded",
  schema: { type: "object", properties: Object.fromEntries(names.map((name) => [name, text])) },
});
const anyJson: Route["body"] = {
  type: "application/json",
  schema: { type: "object", additionalProperties: true },
};
const multipart: Route["body"] = { type: "multipart/form-data", schema: {} };
const get = (path: string): Route => ({ method: "GET", path, query: ["lang", "page"], body: undefined });
const post = (path: string, body: Route["body"]): Route => ({ method: "POST", path, query: [], body });

/** Those that OpenAPI doesn't name. */
const UNNAMED: readonly Route[] = [
  ...[
    "/",
    "/cv",
    "/en/cv",
    "/tr/cv",
    "/terms",
    "/contact",
    "/rooms",
    "/rooms/{slug}",
    "/login",
    "/{slug}",
  ].map(get),
  ...["/tr/{slug}", "/admin", "/admin/{slug}", "/assets/{slug}", "/sitemap.xml", "/robots.txt"].map(get),
  ...["/llms.txt", "/favicon.ico", "/manifest.webmanifest", "/.well-known/{slug}", "/api/{slug}"].map(get),
  ...["/api/docs/", "/api/docs/{slug}", "/api/openapi.json"].map(get),
  post("/contact", toForm("name", "email", "subject", "message", "challenge")),
  post("/tr/contact", toForm("name", "email", "subject", "message", "challenge")),
  post("/api/csp-reports/", anyJson),
  post("/api/mail/webhooks/{provider}/", anyJson),
  post("/api/{slug}", anyJson),
];

/** What OpenAPI describes in words alone. */
const MULTIPART_PATHS: ReadonlySet<string> = new Set(["/api/admin/files/", "/api/users/profile/"]);

/** Every route: those of OpenAPI, and those that it leaves out. */
export function listRoutes({ paths }: Description): Route[] {
  const named = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]): Route => {
      const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
      const body = type && content ? { type, schema: content.schema } : undefined;
      return {
        method: method.toUpperCase(),
        path,
        query: parameters.filter((one) => one.in === "query").map(({ name }) => name),
        body: MULTIPART_PATHS.has(path) && method !== "get" ? multipart : body,
      };
    }),
  );
  return [...named, ...UNNAMED];
}

/** What addresses name: numbers and names of what is there, by the parameter. */
export type Known = Readonly<Record<string, readonly string[]>>;

/** Who sends: nobody, or somebody with their header. */
export interface Sender {
  kind: string;
  authorization: string | undefined;
}

/** A request as bytes. */
export interface FuzzRequest {
  /** `GET /path/{id}/`. */
  route: string;
  /** As it is on the wire. */
  method: string;
  bytes: Buffer;
  /** It promises more than it holds: the sender goes away behind it. */
  isCut: boolean;
  /** Whether a refusal of the sender would be news. */
  isSignedIn: boolean;
}

/** What the fuzz is about. */
export interface Field {
  routes: readonly [Route, ...Route[]];
  known: Known;
  /** Schemas of the objects of models, by the model's number. */
  models: Readonly<Record<string, Schema>>;
}

const ODD_METHODS = [
  "HEAD",
  "OPTIONS",
  "PUT",
  "PATCH",
  "DELETE",
  "TRACE",
  "PROPFIND",
  "get",
  "FOO",
  "",
] as const;
const ADDRESSES = 2_000;

/** Objects of models are anything to OpenAPI: their own schema says more. */
function toSchema({ models }: Field, path: string, schema: Schema): Schema {
  const model = /\/models\/(\d+)\/objects\//.exec(path)?.[1];
  const found = model === undefined ? undefined : models[model];
  if (!found) return schema;
  if (schema.properties?.data) return { ...schema, properties: { ...schema.properties, data: found } };
  return schema.properties ? schema : found;
}

function toHead(line: string, headers: readonly Header[]): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`${[line, ...lines].join("\r\n")}\r\n\r\n`, "latin1");
}

/** The bytes behind the head, and how the head announces them. */
function frame(
  random: SeededRandom,
  { type, bytes }: Body,
): { headers: Header[]; bytes: Buffer; isCut: boolean } {
  const headers: Header[] = type === undefined ? [] : [["content-type", type]];
  if (random.chance(93))
    return { headers: [...headers, ["content-length", String(bytes.length)]], bytes, isCut: false };
  if (random.chance(40)) {
    const size = bytes.length.toString(16);
    const chunks = Buffer.concat([Buffer.from(`${size}\r\n`), bytes, Buffer.from("\r\n0\r\n\r\n")]);
    const isBroken = random.chance(40);
    return {
      headers: [...headers, ["transfer-encoding", "chunked"]],
      bytes: isBroken ? chunks.subarray(0, random.below(chunks.length)) : chunks,
      isCut: true,
    };
  }
  return {
    headers: [...headers, ["content-length", String(bytes.length + 1 + random.below(99))]],
    bytes,
    isCut: true,
  };
}

const FRAMING: ReadonlySet<string> = new Set([
  "content-length",
  "transfer-encoding",
  "expect",
  "connection",
  "upgrade",
]);

/** The same request from the same seed, sender and field. */
export function toRequest(seed: number, field: Field, sender: Sender): FuzzRequest {
  const random = createSeededRandom(seed);
  const route = random.pick(field.routes);
  const path = route.path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    toPathPart(random, field.known[name] ?? []),
  );
  const isOddMethod = random.chance(3);
  const method = isOddMethod ? random.pick(ODD_METHODS as unknown as [string, ...string[]]) : route.method;
  const odd = toOddHeaders(random);
  const authorization = toAuthorization(random, sender.authorization);
  const hasBody =
    route.body !== undefined ? random.chance(96) : random.chance(route.method === "GET" ? 2 : 20);
  const { type, schema } = route.body ?? { type: "application/json", schema: {} };
  const body = hasBody && frame(random, toBody(random, type, toSchema(field, path, schema)));
  const address = random.below(ADDRESSES);
  const isOwnHost = odd.some(([name]) => name === "host");
  const headers: Header[] = [
    ...(isOwnHost || random.chance(1) ? [] : ([["host", "127.0.0.1"]] as const)),
    ...(odd.some(([name]) => name === "x-forwarded-for")
      ? []
      : ([["x-forwarded-for", `10.1.${address >> 8}.${address & 255}`]] as const)),
    ...authorization,
    ...odd,
    ...(body ? body.headers : []),
  ];
  const separator = random.chance(99) ? " " : random.pick(["  ", "\t", ""]);
  const version = random.chance(99) ? "HTTP/1.1" : random.pick(["HTTP/1.0", "HTTP/2.0", "HTTP/9.9", ""]);
  const line = `${method} ${path}${toQuery(random, route.query)}${separator}${version}`;
  const isOddFraming = odd.some(([name]) => FRAMING.has(name)) || isOddMethod || version !== "HTTP/1.1";
  return {
    route: `${route.method} ${route.path}`,
    method,
    bytes: Buffer.concat([toHead(line, headers), ...(body ? [body.bytes] : [])]),
    isCut: (body !== false && body.isCut) || isOddFraming || separator !== " ",
    isSignedIn: authorization[0]?.[1] === sender.authorization && sender.authorization !== undefined,
  };
}

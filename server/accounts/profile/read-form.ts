import type { MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { LIMITS } from "#contract/limits.ts";
import { AppError, type FieldFault } from "#server/base/errors.ts";

/** Fields that are pictures. */
export const PICTURE_FIELDS = ["avatar", "cover"] as const;
export type PictureField = (typeof PICTURE_FIELDS)[number];

/** What a request says, still unchecked; `faults` are those of its form. */
export interface ProfileForm {
  values: Record<string, unknown>;
  pictures: Partial<Record<PictureField, Buffer>>;
  faults: FieldFault[];
}

const MAX_PARTS = 40;
/** A bio of 1000 characters in four bytes each, and any preferences. */
const MAX_TEXT_BYTES = 16 * 1024;
const MEGABYTE = 1024 * 1024;
/** Two pictures and everything else: what says that it is longer isn't read at all, and what doesn't say it only so far. */
const MAX_BODY_BYTES = PICTURE_FIELDS.length * LIMITS.profilePictureMaxBytes + MEGABYTE;
const TOO_LARGE = { max: `${LIMITS.profilePictureMaxBytes / MEGABYTE} MB` };

/** A file that is too large ends here, as a fault of its field, and not in the parser, which would forget the other faults. */
const PARSER = {
  throwFileSizeLimit: false,
  limits: {
    fileSize: LIMITS.profilePictureMaxBytes,
    files: MAX_PARTS,
    fields: MAX_PARTS,
    parts: MAX_PARTS,
    fieldSize: MAX_TEXT_BYTES,
  },
};

function isPictureField(name: string): name is PictureField {
  return PICTURE_FIELDS.some((field) => field === name);
}

/** Bytes of files that a form may still bring. */
interface Room {
  bytes: number;
}

/**
 * Undefined when it is larger than a picture may be: the rest is read and thrown away, so that the client receives the answer.
 * @throws AppError body_too_large when the form's files together are longer than a form may be.
 */
async function readFile(part: MultipartFile, room: Room): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of part.file) {
    room.bytes -= chunk.byteLength;
    if (room.bytes < 0) throw new AppError("body_too_large", { vars: TOO_LARGE });
    if (!part.file.truncated) chunks.push(chunk);
  }
  return part.file.truncated ? undefined : Buffer.concat(chunks);
}

async function readFilePart(part: MultipartFile, form: ProfileForm, room: Room): Promise<void> {
  const { fieldname: field } = part;
  const content = await readFile(part, room);
  // What a browser sends for a picker in which nothing was picked.
  if (content?.byteLength === 0 && !part.filename) return;
  if (!isPictureField(field)) form.faults.push({ field, code: "invalid_type" });
  else if (!content) form.faults.push({ field, code: "body_too_large", vars: TOO_LARGE });
  else if (field in form.pictures || field in form.values) form.faults.push({ field, code: "sent_twice" });
  else form.pictures[field] = content;
}

async function readMultipart(request: FastifyRequest): Promise<ProfileForm> {
  const form: ProfileForm = { values: {}, pictures: {}, faults: [] };
  const room = { bytes: MAX_BODY_BYTES };
  for await (const part of request.parts(PARSER)) {
    const { fieldname: field } = part;
    if (part.type === "file") await readFilePart(part, form, room);
    else if (part.valueTruncated)
      form.faults.push({ field, code: "too_long", vars: { max: MAX_TEXT_BYTES } });
    else if (field in form.values || field in form.pictures) form.faults.push({ field, code: "sent_twice" });
    else form.values[field] = part.value;
  }
  return form;
}

function requireBodySize(request: FastifyRequest): void {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > MAX_BODY_BYTES) throw new AppError("body_too_large", { vars: TOO_LARGE });
}

/**
 * The form as `multipart/form-data`, or JSON without pictures.
 * @throws AppError malformed_body, body_too_large, unsupported_media_type.
 */
export async function readProfileForm(request: FastifyRequest): Promise<ProfileForm> {
  if (request.isMultipart()) {
    requireBodySize(request);
    // The parser's own faults (no boundary, an early end, too many parts, a client that left) are the request's.
    return readMultipart(request).catch((error: unknown) => {
      // What still comes is thrown away, so that the client receives the answer.
      request.raw.resume();
      if (error instanceof AppError) throw error;
      throw new AppError("malformed_body", { cause: error });
    });
  }
  const { body } = request;
  if (typeof body === "string") throw new AppError("unsupported_media_type");
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw new AppError("malformed_body");
  return { values: { ...body }, pictures: {}, faults: [] };
}

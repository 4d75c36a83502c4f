import { isUtf8 } from "node:buffer";

/** Lines of one POST; more are left out, as Phoenix does. Clients send at most so many. */
const MAX_LINES = 100;
const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

/** As much as the longest POST has whose every message is taken: bytes in base64, each with the end of its line. */
export function toBodyLimit(maxFrameBytes: number): number {
  return MAX_LINES * (Math.ceil(maxFrameBytes / 3) * 4 + 2);
}

/** Whether the body is a list of messages; else the whole of it is one, as first clients sent it. */
function isNdjson(contentType: string | undefined): boolean {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase() === "application/x-ndjson";
}

/** A line that is not JSON is a binary message in base64. Undefined: neither. */
function parseLine(line: string): string | Buffer | undefined {
  if (line.startsWith("[")) return line;
  return BASE64.test(line) ? Buffer.from(line, "base64") : undefined;
}

/** The messages of a POST, in order. Undefined: a line is neither JSON nor base64, or the bytes are no text. */
export function parseMessages(
  body: Buffer,
  contentType: string | undefined,
): readonly (string | Buffer)[] | undefined {
  if (!isUtf8(body)) return undefined;
  const text = body.toString();
  if (!isNdjson(contentType)) return [text];
  const messages: (string | Buffer)[] = [];
  for (const line of text.split(/\r?\n/, MAX_LINES)) {
    const message = line === "" ? undefined : parseLine(line);
    if (message !== undefined) messages.push(message);
    else if (line !== "") return undefined;
  }
  return messages;
}

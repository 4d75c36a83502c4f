import { hostname } from "node:os";
import * as z from "zod";

/** Where the log goes too, so that a copy stands out of reach of whoever gets at the database. */
export type SinkTarget =
  | { kind: "file"; path: string }
  | { kind: "syslog"; protocol: "udp" | "tcp"; host: string; port: number };

const SINK_FAULT = "must be file:/folder/file.log, syslog://host:514 (UDP) or syslog+tcp://host:601";

/** Reads `AUDIT_SINK`. Syslog is by UDP unless `+tcp` says otherwise; an IPv6 address stands in brackets. */
export const sinkTarget = z.string().transform((text, context): SinkTarget => {
  const path = /^file:(?:\/\/)?(\/.+)$/.exec(text)?.[1];
  if (path) return { kind: "file", path };
  const found = /^syslog(\+tcp)?:\/\/(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text);
  const [, tcp, v6, name, port] = found ?? [];
  const host = v6 ?? name;
  if (host && Number(port) >= 1 && Number(port) <= 65_535)
    return { kind: "syslog", protocol: tcp ? "tcp" : "udp", host, port: Number(port) };
  context.addIssue({ code: "custom", message: SINK_FAULT });
  return z.NEVER;
});

/** An entry as the sink gets it: a line of JSON, and its moment in ISO 8601. */
export interface SinkLine {
  timestamp: string;
  line: string;
}

/** Facility 13 is "log audit" (RFC 5424), severity 5 is "notice". */
const PRIORITY = 13 * 8 + 5;
/** A line as RFC 5424 has it. */
export function toSyslog({ timestamp, line }: SinkLine): Buffer {
  return Buffer.from(`<${PRIORITY}>1 ${timestamp} ${hostname()} foyer ${process.pid} audit - ${line}`);
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const MAIL_FOLDER = join(process.cwd(), "test/mail");

/** The data has 12 digits where the product has 24. */
export const toToken = (short: string): string => short + short;

const RETURN_PATH = "back@foyer.example";
export const toReturnPath = (short: string): string => `back+b-${toToken(short)}@foyer.example`;

/** A mail of the data as the product would get it: its return paths, its header, and a Message-ID that is no secret. */
export function readMailFile(folder: string, file: string): Buffer {
  const text = readFileSync(join(MAIL_FOLDER, folder, file), "latin1")
    .replace(/bounces\+([0-9a-f]{12})@foyer\.test/g, (_, token: string) => toReturnPath(token))
    .replace(/bounces@foyer\.test/g, RETURN_PATH)
    .replace(
      /(X-Foyer-Message-Id: )([0-9a-f]{12})/g,
      (_, name: string, token: string) => name + toToken(token),
    )
    .replace(/<[0-9a-f]{12}@foyer\.test>/g, "<2026-1@foyer.example>");
  return Buffer.from(text, "latin1");
}

export const listMailFiles = (folder: string): string[] =>
  readdirSync(join(MAIL_FOLDER, folder))
    .filter((name) => name.endsWith(".eml"))
    .sort();

/** What expected.json says of the files of a folder. */
export function readVerdicts<Verdict extends { file: string }>(folder: string): Map<string, Verdict> {
  const list: Verdict[] = JSON.parse(readFileSync(join(MAIL_FOLDER, folder, "expected.json"), "utf8"));
  return new Map(list.map((verdict) => [verdict.file, verdict]));
}

export const TOKEN = "0123456789abcdef01234567";
export const CODE = "493027";

/** A report; `fields` replaces parts of it. */
export function toReport(fields: {
  text?: string;
  status?: string;
  perMessage?: string;
  type?: string;
  original?: string;
  to?: string;
}): Buffer {
  return Buffer.from(
    `From: Mail System <mailer-daemon@mx.example>
To: ${fields.to ?? `back+b-${TOKEN}@foyer.example`}
Message-ID: <1@mx.example>
Date: Fri, 20 Nov 2026 11:36:17 +0000 (UTC)
Subject: Undelivered: ${CODE} is your code for Foyer
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain; charset=utf-8

${fields.text ?? "It failed."}

--b
Content-Type: ${fields.type ?? "message/delivery-status"}

${fields.perMessage ?? "Reporting-MTA: dns; mx.example"}

${fields.status ?? "Final-Recipient: rfc822; nobody@example.net\nAction: failed\nStatus: 5.1.1"}

--b
Content-Type: message/rfc822

${
  fields.original ??
  `X-Foyer-Message-Id: ${TOKEN}
Message-ID: <7@foyer.example>
Subject: ${CODE} is your code for Foyer
To: nobody@example.net

Your code is ${CODE}. The secret letter.`
}
--b--
`,
  );
}

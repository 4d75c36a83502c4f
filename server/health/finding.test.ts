import { expect, test } from "@jest/globals";
import { toFindingText } from "./finding.ts";

const BACKUP = {
  reason: "backup_good",
  vars: { when: "2026-11-26 19:21", size: "0.7", where: "/srv/2026-11-26/1.5", next: "2026-11-27 03:30" },
} as const;

test.each([
  ["en", BACKUP, "Nov 26, 2026, 19:21"],
  ["en", BACKUP, "0.7 MB"],
  ["tr", BACKUP, "26 Kas 2026 19:21"],
  ["tr", BACKUP, "0,7 MB"],
  ["tr", BACKUP, "27 Kas 2026 03:30"],
  // A path is left as it is, whatever stands in it.
  ["tr", BACKUP, "/srv/2026-11-26/1.5"],
  ["tr", { reason: "files_checked", vars: { count: 23, day: "2026-11-26" } }, "son okuma 26 Kas 2026"],
  ["tr", { reason: "disk_full", vars: { free: "3.4", share: 12 } }, "3,4 GB"],
  ["en", { reason: "relay_local", vars: { port: 3478, minPort: 49_160, maxPort: 49_200 } }, "49160"],
  ["tr", { reason: "too_slow", vars: { seconds: 2.5 } }, "2,5 saniye"],
  ["en", { reason: "relay_refuses", vars: { address: "192.0.2.1", code: "508" } }, "192.0.2.1"],
] as const)("%s: %j says %s", (lang, finding, text) => {
  expect(toFindingText(finding, lang)).toContain(text);
});

import { expect, test } from "@jest/globals";
import { toRelativeTime } from "./relative-time.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");

test.each([
  ["2026-11-20T12:00:05Z", "now", "şimdi"],
  ["2026-11-20T11:59:10Z", "now", "şimdi"],
  ["2026-11-20T11:58:30Z", "1 minute ago", "1 dakika önce"],
  ["2026-11-20T09:00:00Z", "3 hours ago", "3 saat önce"],
  ["2026-11-19T11:00:00Z", "yesterday", "dün"],
  ["2026-11-10T12:00:00Z", "last week", "geçen hafta"],
  ["2026-08-01T12:00:00Z", "3 months ago", "3 ay önce"],
  ["2024-01-01T12:00:00Z", "2 years ago", "2 yıl önce"],
])("%s reads %s and %s", (moment, en, tr) => {
  expect([toRelativeTime(moment, NOW, "en"), toRelativeTime(moment, NOW, "tr")]).toEqual([en, tr]);
});

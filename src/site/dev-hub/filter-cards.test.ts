import { expect, test } from "@jest/globals";
import { SITE_INFO } from "#test/site-info.ts";
import { getText } from "../../head/test-request.ts";
import { filterCards } from "./filter-cards.ts";
import { type HubCard, toCards } from "./hub-cards.ts";

const CARD: HubCard = { feature: "voice-chat", title: "", text: "", tags: [], to: "/rooms", isOpen: true };

test.each<[query: string, lang: "en" | "tr", isFound: boolean]>([
  ["", "en", true],
  ["voice", "en", true],
  ["VOICE CHAT", "en", true],
  ["microphone", "en", true],
  ["audio monitoring", "en", true],
  ["monitoring voice", "en", true],
  ["  rooms  ", "en", true],
  ["voice video", "en", false],
  ["video", "en", false],
  [".*", "en", false],
  ["SESLİ SOHBET", "tr", true],
  ["KATILIMCILAR", "tr", true],
  ["odalar", "tr", true],
  ["görüntü", "tr", false],
])("%j in %s finds Voice Chat: %j", (query, lang, isFound) => {
  expect(filterCards(toCards(SITE_INFO, getText(lang)), query, lang)).toHaveLength(isFound ? 1 : 0);
});

test.each<[text: string, query: string, lang: "en" | "tr", isFound: boolean]>([
  ["Işık", "IŞIK", "tr", true],
  ["Işık", "ışık", "tr", true],
  ["IŞIK", "ışık", "tr", true],
  ["İstanbul", "istanbul", "tr", true],
  ["istanbul", "İSTANBUL", "tr", true],
  ["sesli", "SESLI", "tr", true],
  ["WIFI", "wifi", "tr", true],
  ["ısı", "isi", "tr", false],
  ["Wifi", "WIFI", "en", true],
  ["mic", "mıc", "en", false],
  ["Çınar", "C\u0327ınar", "tr", true],
])("%j holds %j by the rules of %s: %j", (text, query, lang, isFound) => {
  const cards = { title: { ...CARD, title: text }, text: { ...CARD, text }, tag: { ...CARD, tags: [text] } };
  for (const card of Object.values(cards))
    expect(filterCards([card], query, lang)).toHaveLength(isFound ? 1 : 0);
});

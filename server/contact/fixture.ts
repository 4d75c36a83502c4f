import { hash } from "node:crypto";
import { type ContactChallenge, contactChallenge } from "#contract/site/contact.ts";
import { createTestApp } from "#test/app.ts";
import { CHALLENGE_WAIT_MS } from "./challenge.ts";

export const MESSAGE = {
  name: "Işıl Örnek",
  email: "isil@foyer.example",
  subject: "A question",
  message: "How do you test this?\nWith care.",
};

interface StoredMessage {
  name: string;
  email: string;
  subject: string;
  message: string;
  language: string;
}

/** Works a challenge off as a browser does. */
export function solve({ challenge, puzzles, zero_bits }: ContactChallenge): string {
  return Array.from({ length: puzzles }, (_, puzzle) => {
    for (let number = 0; ; number += 1) {
      const digest = hash("sha256", `${challenge}.${puzzle}.${number}`, "buffer");
      if (digest.readUInt32BE(0) >>> (32 - zero_bits) === 0) return number;
    }
  }).join(".");
}

/** The whole server with a clock that tests move. Each message comes from an address of its own, unless a test says which. */
export async function openContact(options: { ownerEmail?: string } = {}) {
  const clock = { now: Date.parse("2026-05-01T10:00:00Z") };
  const site = await createTestApp({ ...options, now: () => new Date(clock.now) });
  let address = 0;
  const takeAddress = () => `198.51.${Math.floor(++address / 250)}.${(address % 250) + 1}`;

  const getChallenge = async () =>
    contactChallenge.parse((await site.app.inject({ url: "/api/contact/challenge/" })).json());

  return {
    site,
    clock,
    takeAddress,
    getChallenge,
    /** A challenge that was worked off and is old enough. */
    async getProof(): Promise<{ challenge: string; solution: string }> {
      const work = await getChallenge();
      clock.now += CHALLENGE_WAIT_MS;
      return { challenge: work.challenge, solution: solve(work) };
    },
    post: (
      payload: unknown,
      { from = takeAddress(), headers = {} }: { from?: string; headers?: Record<string, string> } = {},
    ) =>
      site.app.inject({
        method: "POST",
        url: "/api/contact/",
        remoteAddress: from,
        headers: { "content-type": "application/json", ...headers },
        payload: JSON.stringify(payload),
      }),
    /** The form without JavaScript. */
    postForm: (
      fields: Record<string, string>,
      {
        from = takeAddress(),
        url = "/en/contact",
        headers = {},
      }: { from?: string; url?: string; headers?: Record<string, string> } = {},
    ) =>
      site.app.inject({
        method: "POST",
        url,
        remoteAddress: from,
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
        payload: new URLSearchParams(fields).toString(),
      }),
    /** Messages since the last call. */
    async takeStored(): Promise<StoredMessage[]> {
      const { rows } = await site.database.pool.query<StoredMessage>(
        `WITH taken AS (DELETE FROM contact_message RETURNING *)
         SELECT name, email, subject, message, language FROM taken ORDER BY id`,
      );
      return rows;
    },
    close: () => site.close(),
  };
}

export type ContactFixture = Awaited<ReturnType<typeof openContact>>;

import { type Exchange, type Recording, readJson, toName } from "./recording.ts";

/** What a served recording was asked for. */
export interface RecordedBackEnd {
  fetch: typeof fetch;
  /** Requests that are not in it, by name: a test that leaves one has failed. */
  unknown: string[];
  /** `GET /api/…`, in order. */
  asked: string[];
}

/**
 * Answers from a recording, at one origin alone. The same request gets the answers that it got in their order, and the last
 * one from then on. A guest gets what was recorded for a guest: calls behind the log-in without a token are unknown.
 */
export function serveRecording(recording: Recording, baseUrl: string): RecordedBackEnd {
  const answers = new Map<string, Exchange["response"][]>();
  for (const { request, response } of recording) {
    const name = toName(request);
    answers.set(name, [...(answers.get(name) ?? []), response]);
  }
  const unknown: string[] = [];
  const asked: string[] = [];

  const serve: typeof fetch = async (target, init) => {
    const url = new URL(String(target));
    const { method = "GET", body } = init ?? {};
    const path = url.pathname + url.search;
    const name = toName({ method, path, ...(typeof body === "string" && { body: readJson(body) }) });
    asked.push(`${method} ${path}`);
    const queue = answers.get(name);
    const response = queue && queue.length > 1 ? queue.shift() : queue?.[0];
    if (url.origin !== baseUrl || !response) {
      unknown.push(url.origin === baseUrl ? name : `${method} ${url}`);
      throw new TypeError(`Not in the recording: ${name}`);
    }
    const text = typeof response.body === "string" ? response.body : JSON.stringify(response.body);
    const hasBody = response.status !== 204 && response.body !== undefined;
    return new Response(hasBody ? text : null, { status: response.status, headers: response.headers });
  };
  return { fetch: serve, unknown, asked };
}

import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { sampleAnswer, sampleRemoval } from "#contract/site/site.ts";
import type { Floor } from "#server/floor.ts";
import { SIGNED_IN, toCaller } from "#server/http/bearer.ts";
import { noStore } from "#server/http/caching.ts";
import type { App } from "#server/http/zod.ts";
import { createSampleConsole } from "./service.ts";

/** The content that the site came with: what is left of it, and its removal. */
export function openSample(app: App, floor: Floor): void {
  const sample = createSampleConsole(floor);
  const onRequest = [noStore, floor.requireLevel(ACCESS_LEVEL.admin)];
  const about = { tags: ["sample"], security: SIGNED_IN };

  app.get(
    "/api/admin/sample/",
    {
      onRequest,
      schema: {
        ...about,
        summary: "What is left of the sample content",
        description: "For those who may delete objects of each of its models.",
        response: { 200: sampleAnswer },
      },
    },
    (request) => sample.read(toCaller(request)),
  );

  app.post(
    "/api/admin/sample/remove/",
    {
      onRequest,
      schema: {
        ...about,
        summary: "Remove the sample content",
        description:
          "Objects that were edited since they came stay. Files that nothing names any more go along.",
        response: { 200: sampleRemoval },
      },
    },
    (request) => sample.remove(toCaller(request)),
  );
}

import { describe, expect, test } from "@jest/globals";
import { KINDS, requireKind } from "./kinds.ts";
import type { FieldKind } from "./model.ts";

describe("a file of kinds/", () => {
  test("without a kind stops the start, with its name", () => {
    expect(() => requireKind("rating.ts", {})).toThrow("server/models/kinds/rating.ts exports no kind");
  });

  test("whose control the console doesn't have stops the start", () => {
    const { text } = KINDS;
    const kind = { ...text, control: "stars" } as unknown as FieldKind; // what a start without types would load
    expect(() => requireKind("rating.ts", { kind })).toThrow(
      'server/models/kinds/rating.ts: "stars" is no control of contract/content/models.ts',
    );
  });
});

import { expect, test } from "@jest/globals";
import { fillTemplate } from "./fill-template.ts";

test("slots are filled as they are, whatever a text holds", () => {
  const slots = { head: "$& $1 <!--body-->", body: "B" };
  expect(fillTemplate("<!--head-->|<!--body-->|<!--other-->", slots)).toBe(
    "$& $1 <!--body-->|B|<!--other-->",
  );
});

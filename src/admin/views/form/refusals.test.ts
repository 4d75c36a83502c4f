import { expect, test } from "@jest/globals";
import { createRefusals } from "./refusals.ts";

test("what the server said stands for as long as the refused value does, and not once it is sent again", () => {
  const refusals = createRefusals();
  const sent = new Map([["label.tr", "Büyük"]]);
  refusals.note([{ name: ["label", "tr"], errors: ["Too grand.", "Too long."] }], (path) =>
    sent.get(path.join(".")),
  );
  expect(refusals.find(["label", "tr"], "Büyük")).toBe("Too grand. Too long.");
  expect(refusals.find(["label", "tr"], "Küçük")).toBeUndefined();
  expect(refusals.find(["label", "en"], "Büyük")).toBeUndefined();
  refusals.clear();
  expect(refusals.find(["label", "tr"], "Büyük")).toBeUndefined();
});

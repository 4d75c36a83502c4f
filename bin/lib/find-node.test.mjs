import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { getNode24, NODE_PACKAGE } from "./find-node.mjs";
import { makeTestFolder } from "./test-folder.mjs";

const toRunning = (node) => ({ versions: { node }, execPath: "/usr/bin/node" });
let folder;

afterEach(() => folder.remove());

test("the pinned Node goes before the running one", () => {
  folder = makeTestFolder({ [`${NODE_PACKAGE}/bin/node`]: "" });
  expect(getNode24(folder.root, toRunning("26.0.0"))).toBe(join(folder.root, NODE_PACKAGE, "bin/node"));
});

test.each([
  ["20.20.2", undefined],
  ["24.11.1", undefined],
  ["24.12.0", "/usr/bin/node"],
  ["26.0.0", "/usr/bin/node"],
])("without the pinned one, Node %s gives %s", (version, node) => {
  folder = makeTestFolder();
  expect(getNode24(folder.root, toRunning(version))).toBe(node);
});

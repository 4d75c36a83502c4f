/** @jest-environment node */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";

// What no test of behaviour can show: that no screen takes one of these up again. The others are in the files beside this one.

const ROOT = path.resolve(import.meta.dirname, "../../..");

function readSources(): Map<string, string> {
  const files = ["src/admin", "providers", "resources"].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) =>
      path.join(folder, name),
    ),
  );
  const sources = files.filter((name) => /(?<!\.test)\.tsx?$/.test(name));
  return new Map(sources.map((name) => [name, readFileSync(path.join(ROOT, name), "utf8")]));
}

const SOURCES = readSources();

/** Names that a file imports from Refine. */
function findImports(source: string): string[] {
  const lists = source.matchAll(/import (?:type )?\{([^}]*)\} from "@refinedev\/[\w-]+"/g);
  return [...lists].flatMap(([, list = ""]) =>
    list.split(",").map((name) => name.replace("type ", "").trim()),
  );
}

describe("trap", () => {
  test.each([
    ["useExport pages through the list in the browser, and never ends on an estimated total", "useExport"],
    ["useImport parses in the browser and writes everything in one createMany", "useImport"],
    ["useDeleteMany sends one parallel request for each id", "useDeleteMany"],
    ["useUpdateMany sends one parallel request for each id", "useUpdateMany"],
    ["useCreateMany sends one parallel request for each row", "useCreateMany"],
    ["useMany asks for each row by itself", "useMany"],
    ["useTable replaces the history and reads the address once", "useTable"],
    ["useForm knows no If-Match and no 409", "useForm"],
    ["useModalForm knows no If-Match and no 409", "useModalForm"],
    ["useStepsForm knows no If-Match and no 409", "useStepsForm"],
    ["useWarnAboutChange misses Back and replace", "useWarnAboutChange"],
    [
      "UnsavedChangesNotifier lets links, push, replace and Back of a data router leave without a question",
      "UnsavedChangesNotifier",
    ],
    ["CanAccess draws nothing while it asks", "CanAccess"],
    ["useLog writes the audit log from the browser", "useLog"],
    ["useSubscription stays with its first channel", "useSubscription"],
  ])("%s: not used", (_why, hook) => {
    const users = [...SOURCES].filter(([, source]) => findImports(source).includes(hook));
    expect(users.map(([name]) => name)).toEqual([]);
  });

  test.each([
    ["Refine is given no auditLogProvider", /auditLogProvider/],
    ["no write is undoable or optimistic", /mutationMode[^\n]*(undoable|optimistic)/],
    [
      "Refine's live mode isn't used: it refetches open forms and follows the first resource",
      /liveMode\s*[:=]/,
    ],
    ["@refinedev/rest and @refinedev/kbar aren't used", /from "@refinedev\/(rest|kbar)"/],
  ])("%s", (_what, pattern) => {
    const users = [...SOURCES].filter(([, source]) => pattern.test(source));
    expect(users.map(([name]) => name)).toEqual([]);
  });

  test.each([
    ["the router binding is mended in one place", "react-router", "src/admin/router-provider.ts"],
    ["the antd adapter serves the form's save button", "antd", "src/admin/views/form/form-actions.tsx"],
  ])("%s, and imported nowhere else", (_what, name, place) => {
    const users = [...SOURCES].filter(([, source]) => source.includes(`from "@refinedev/${name}"`));
    expect(users.map(([user]) => user)).toEqual([place]);
  });

  test("of the antd adapter SaveButton alone is taken: each other part weighs up to 100 kB or loses what ours can", () => {
    const [, parts] =
      /import \{([^}]*)\} from "@refinedev\/antd"/.exec(
        SOURCES.get("src/admin/views/form/form-actions.tsx") ?? "",
      ) ?? [];
    expect(parts?.trim()).toBe("SaveButton");
  });

  test("telemetry is off and writes wait for the server, by name", () => {
    const options = SOURCES.get("src/admin/refine.tsx") ?? "";
    expect(options).toContain("disableTelemetry: true");
    expect(options).toContain('mutationMode: "pessimistic"');
  });
});

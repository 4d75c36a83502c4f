import { describe, expect, test } from "@jest/globals";
import type { Inputs } from "../kinds/registry.ts";
import { buildField, buildModel } from "../test-model.ts";
import { type Draft, toDraftFields } from "./drafts.ts";
import { type EditorEvent, type EditorState, isShut, openEditor, reduce } from "./editor-machine.ts";

const SOURCE = buildModel({ fields: [buildField({ name: "label" }), buildField({ name: "issuer" })] });
const BASE = { label: "Light", issuer: "ACME" };
const TYPED = { label: "Lighter", issuer: "ACME" };
const OFFLINE = new Error("offline");
/** Somebody else's version, which changes what was typed here too. */
const THEIRS = { label: "Bright", issuer: "ACME" };
/** Somebody else's version, which changes another input. */
const BESIDE = { label: "Light", issuer: "Bolt" };

function open(part: Partial<Parameters<typeof openEditor>[1]> = {}): EditorState {
  const opening = { isNew: false, base: BASE, initial: BASE, version: "1", drafts: [], isJustCreated: false };
  return openEditor(SOURCE, { ...opening, ...part });
}

const run = (state: EditorState, ...events: EditorEvent[]) =>
  events.reduce((before, event) => reduce(before, event, SOURCE), state);

const save = (typed: Inputs = TYPED): EditorEvent => ({ type: "save", typed });
const failed = (part: Partial<Extract<EditorEvent, { type: "failed" }>> = {}): EditorEvent => ({
  type: "failed",
  error: OFFLINE,
  fieldErrors: [],
  isSignedOut: false,
  ...part,
});
const updated = (stored: Inputs, typed: Inputs = TYPED): EditorEvent => ({
  type: "updated",
  stored,
  version: "2",
  typed,
});
const received = (theirs: Inputs, typed: Inputs = TYPED, version: string | undefined = "2"): EditorEvent => ({
  type: "received",
  theirs,
  version,
  typed,
});
const overtaken = (theirs: Inputs): EditorEvent => ({
  type: "overtaken",
  theirs,
  version: "2",
  typed: TYPED,
});
const choose = (choice: "mine" | "theirs"): EditorEvent => ({ type: "chosen", key: "label", choice });

const buildDraft = (typed: Inputs): Draft => ({
  savedAt: 1,
  etag: null,
  writer: "before",
  fields: toDraftFields(SOURCE, BASE, typed),
});

describe("a save", () => {
  test("sends the fields that were changed, and no second one beside it", () => {
    const saving = run(open(), { type: "asked", after: "close" }, save());
    expect(saving).toMatchObject({
      phase: { kind: "saving", sent: TYPED, names: ["label"] },
      after: "close",
    });
    expect(isShut(saving)).toBe(true);
    expect(run(saving, save({ ...TYPED, issuer: "Bolt" }))).toBe(saving);
    expect(run(saving, { type: "asked", after: "stay" }, { type: "invalid" })).toBe(saving);
  });

  test("without a change sends nothing, and has succeeded each time that it is asked for", () => {
    const before = open();
    const saved = run(before, save(BASE));
    expect(saved.phase).toEqual({ kind: "saved" });
    expect(saved.laid).toBe(before.laid);
    expect(run(saved, save(BASE)).phase).not.toBe(saved.phase);
  });

  test("takes over what the server made of the values, and not what was typed meanwhile", () => {
    const saved = run(
      open(),
      save(),
      updated({ label: "LIGHTER", issuer: "ACME" }, { ...TYPED, issuer: "Bo" }),
    );
    expect(saved).toMatchObject({ phase: { kind: "saved" }, version: "2" });
    expect(saved.base).toEqual({ label: "LIGHTER", issuer: "ACME" });
    expect(saved.laid).toEqual({ label: "LIGHTER" });
  });

  test("is over with the next key", () => {
    const saved = run(open({ isJustCreated: true }));
    expect(saved.phase.kind).toBe("saved");
    const typed = run(saved, { type: "typed" });
    expect(typed.phase.kind).toBe("editing");
    expect(run(typed, { type: "typed" })).toBe(typed);
  });

  test("that is refused says why until the next one begins, whatever is typed meanwhile", () => {
    const fieldErrors = [
      { field: "label", code: "x", message: "Too bright." },
      { field: "other", code: "x", message: "Missing." },
    ];
    const refused = run(open(), save(), failed({ fieldErrors }));
    expect(refused.phase).toMatchObject({
      kind: "refused",
      sent: TYPED,
      placed: { inputs: [{ name: ["label"], errors: ["Too bright."] }], others: ["other: Missing."] },
    });
    expect(run(refused, { type: "typed" })).toBe(refused);
    expect(run(refused, save()).phase.kind).toBe("saving");
  });

  test("that fails keeps the stored values and their version", () => {
    expect(run(open(), save(), failed())).toMatchObject({
      phase: { kind: "refused", error: OFFLINE },
      base: BASE,
      version: "1",
    });
  });

  test("over an ended session remembers where it was to lead, and each refusal is another one", () => {
    const out = run(open(), { type: "asked", after: "close" }, save(), failed({ isSignedOut: true }));
    expect(out).toMatchObject({ phase: { kind: "signedOut" }, after: "close" });
    const again = run(out, save(), failed({ isSignedOut: true }));
    expect(again.phase.kind).toBe("signedOut");
    expect(again.phase).not.toBe(out.phase);
  });

  test("that the inputs stop leads nowhere", () => {
    expect(run(open(), { type: "asked", after: "close" }, { type: "invalid" }).after).toBe("stay");
  });

  test("answers that come without one are ignored", () => {
    const state = open();
    const record = { id: 9, repr: "Nine" };
    for (const event of [updated(THEIRS), failed(), overtaken(THEIRS)]) expect(run(state, event)).toBe(state);
    expect(run(state, { type: "created", record, typed: TYPED })).toBe(state);
  });
});

describe("a new record", () => {
  const EMPTY = { label: "", issuer: "" };
  const RECORD = { id: 9, repr: "Nine" };
  const openNew = () => open({ isNew: true, base: EMPTY, initial: EMPTY, version: undefined });

  test("is sent as it is typed, even with nothing in it", () => {
    expect(run(openNew(), save(EMPTY)).phase).toEqual({ kind: "saving", sent: EMPTY, names: [] });
    expect(run(openNew(), save({ ...EMPTY, label: "A" })).phase).toMatchObject({ names: ["label"] });
  });

  test("of a copy is sent what it has from its original, and every new one its switches and defaults", () => {
    const flag = buildField({ name: "flag", control: "switch", type: "BooleanField" });
    const model = buildModel({ fields: [...SOURCE.fields, flag] });
    const source = { ...model, defaults: { issuer: "" } };
    const copied = { label: "Light", issuer: "", flag: false };
    const state = openEditor(source, {
      ...open({ isNew: true }),
      initial: copied,
      drafts: [],
      isJustCreated: false,
    });
    expect(reduce(state, save(copied), source).phase).toMatchObject({ names: ["label", "issuer", "flag"] });
  });

  test("that is made shuts its form for good", () => {
    const typed = { label: "A", issuer: "" };
    const created = run(openNew(), save(typed), { type: "created", record: RECORD, typed });
    expect(created).toMatchObject({ phase: { kind: "created", record: RECORD }, base: typed });
    expect(isShut(created)).toBe(true);
    for (const event of [save(typed), failed(), received(THEIRS), { type: "typed" } as const])
      expect(run(created, event)).toBe(created);
  });
});

describe("a newer version of somebody else's", () => {
  test("is taken over in silence where nothing is typed, or where it makes no difference", () => {
    const taken = run(open(), received(THEIRS, BASE));
    expect(taken).toMatchObject({ base: THEIRS, laid: THEIRS, version: "2", conflict: null });
    const same = run(open(), received(TYPED));
    expect(same).toMatchObject({ base: TYPED, laid: TYPED, conflict: null });
  });

  test("that is known already, or that a save under way has stored, changes nothing", () => {
    const state = open();
    expect(run(state, received(THEIRS, TYPED, "1"))).toBe(state);
    expect(run(state, { type: "received", theirs: BASE, version: undefined, typed: TYPED })).toBe(state);
    const saving = run(state, save());
    expect(run(saving, received(THEIRS))).toBe(saving);
  });

  test("stands beside what was typed until the person goes on", () => {
    const noticed = run(open(), received(BESIDE));
    expect(noticed).toMatchObject({ conflict: { reason: "noticed" }, base: BASE, version: "1" });
    const settled = run(noticed, { type: "settled", typed: TYPED });
    expect(settled).toMatchObject({ conflict: null, base: BESIDE, version: "2" });
    expect(settled.laid).toEqual({ label: "Lighter", issuer: "Bolt" });
    expect(settled.focus).not.toBe(noticed.focus);
  });

  test.each([
    ["mine", "Lighter"],
    ["theirs", "Bright"],
  ] as const)("where both changed an input it is as chosen: %s", (choice, label) => {
    const settled = run(open(), received(THEIRS), choose(choice), { type: "settled", typed: TYPED });
    expect(settled).toMatchObject({ conflict: null, laid: { label } });
  });

  test("asks for a missing choice each time that it is needed, and sends nothing", () => {
    const noticed = run(open(), received(THEIRS));
    const asked = run(noticed, { type: "settled", typed: TYPED });
    expect(asked.conflict?.asked).not.toBeNull();
    expect(asked.focus).toBe(noticed.focus);
    const again = run(asked, save());
    expect(again.phase.kind).toBe("editing");
    expect(again.conflict?.asked).not.toBe(asked.conflict?.asked);
    expect(
      run(again, choose("mine"), received({ ...THEIRS, issuer: "Bolt" }, TYPED, "3")).conflict,
    ).toMatchObject({
      choices: { label: "mine" },
      asked: again.conflict?.asked,
    });
  });

  test("and a third one: a choice between values of before has to be made anew", () => {
    const third = run(
      open(),
      received(THEIRS),
      choose("mine"),
      received({ ...THEIRS, label: "Dim" }, TYPED, "3"),
    );
    expect(third.conflict).toMatchObject({ choices: {}, version: "3" });
  });

  test("that a save meets stops it; the next one sends both as chosen, over that version", () => {
    const stopped = run(
      open(),
      { type: "asked", after: "close" },
      save(),
      overtaken({ ...BESIDE, label: "Bright" }),
    );
    expect(stopped).toMatchObject({
      phase: { kind: "editing" },
      conflict: { reason: "refused" },
      after: "close",
    });
    expect(run(stopped, received(THEIRS, TYPED, "3")).conflict?.reason).toBe("refused");
    const saving = run(stopped, choose("mine"), save());
    expect(saving).toMatchObject({
      version: "2",
      conflict: null,
      laid: { label: "Lighter", issuer: "Bolt" },
    });
    expect(saving.phase).toMatchObject({ kind: "saving", sent: { issuer: "Bolt" }, names: ["label"] });
    expect(saving.after).toBe("close");
  });

  test("can come while a refused save is mended: both are said", () => {
    const both = run(open(), save(), failed(), received(THEIRS));
    expect(both).toMatchObject({ phase: { kind: "refused" }, conflict: { reason: "noticed" } });
  });

  test("takes the place of what was typed where the person wants that", () => {
    const noticed = run(open(), received(THEIRS));
    const loaded = run(noticed, { type: "loaded" });
    expect(loaded).toMatchObject({ base: THEIRS, laid: THEIRS, version: "2", conflict: null });
    expect(loaded.focus).not.toBe(noticed.focus);
  });

  test("choices without a conflict are ignored", () => {
    const state = open();
    for (const event of [choose("mine"), { type: "loaded" }, { type: "settled", typed: TYPED }] as const)
      expect(run(state, event)).toBe(state);
  });
});

describe("a draft of before", () => {
  const DRAFT = buildDraft({ label: "Mine", issuer: "ACME" });
  const openOffered = () => open({ drafts: [buildDraft(BASE), DRAFT] });

  test("is offered where it would change something", () => {
    expect(openOffered().offer).toMatchObject({ kind: "offered", draft: DRAFT });
    expect(open({ drafts: [buildDraft(BASE)] }).offer).toEqual({ kind: "none" });
  });

  test("is put into the inputs that it changes, over the record as it is by now", () => {
    const restored = run(openOffered(), received(BESIDE, BASE), { type: "restored" });
    expect(restored).toMatchObject({ offer: { kind: "decided", draft: DRAFT }, focus: { field: "label" } });
    expect(restored.laid).toEqual({ label: "Mine" });
  });

  test("is let go without a change", () => {
    const offered = openOffered();
    const discarded = run(offered, { type: "discarded" });
    expect(discarded.offer).toEqual({ kind: "decided", draft: DRAFT });
    expect(discarded.laid).toBe(offered.laid);
    for (const event of [{ type: "restored" }, { type: "discarded" }] as const)
      expect(run(discarded, event)).toBe(discarded);
  });

  test("stays on offer beside a save for as long as it changes something", () => {
    expect(run(openOffered(), save(), updated(TYPED)).offer.kind).toBe("offered");
    const mine = { label: "Mine", issuer: "ACME" };
    expect(run(openOffered(), save(mine), updated(mine, mine)).offer).toEqual({ kind: "none" });
  });

  test("a full storage is said until it has room or nothing is left to keep", () => {
    const state = open();
    expect(run(state, { type: "kept", isKept: true })).toBe(state);
    const full = run(state, { type: "kept", isKept: false });
    expect(full.isStorageFull).toBe(true);
    expect(run(full, { type: "kept", isKept: true }).isStorageFull).toBe(false);
    expect(run(full, save(), updated(TYPED)).isStorageFull).toBe(false);
    expect(run(full, save(), updated(TYPED, { ...TYPED, issuer: "Bo" })).isStorageFull).toBe(true);
  });
});

test("what is typed may be lost once it is abandoned: nothing differs from the stored values any more", () => {
  const abandoned = run(open(), { type: "abandoned", typed: TYPED });
  expect(abandoned).toMatchObject({ base: TYPED, laid: BASE, phase: { kind: "editing" } });
});

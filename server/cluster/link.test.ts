import { afterEach, expect, jest, test } from "@jest/globals";
import { createCarriers, createTimers, settle, type TestCarrier } from "#test/carriers.ts";
import { until } from "#test/until.ts";
import { getAwayRequestId, runForRequest } from "../base/actor.ts";
import { openLink } from "./link.ts";
import type { Link } from "./link-types.ts";
import { ProcessGoneError } from "./questions.ts";

const timers = createTimers();
let carriers = createCarriers();
const open: Link[] = [];

function start(processId: string): {
  link: Link;
  carrier: TestCarrier;
  gone: string[];
  changes: () => number;
} {
  const carrier = carriers.create();
  const link = openLink({
    processId,
    carrier,
    log: { warn: (details) => Promise.reject(details) },
    ...timers,
  });
  const gone: string[] = [];
  let changes = 0;
  link.onGone((address) => gone.push(address));
  link.onChange(() => {
    changes += 1;
  });
  open.push(link);
  return { link, carrier, gone, changes: () => changes };
}

async function startThree() {
  const three = { a: start("a"), b: start("b"), c: start("c") };
  await settle();
  return three;
}

afterEach(async () => {
  jest.restoreAllMocks();
  for (const link of open.splice(0)) await link.close();
  carriers = createCarriers();
});

test("all know each other, in one order", async () => {
  const { a, b, c } = await startThree();
  expect(a.link.list()).toEqual(["a.1", "b.1", "c.1"]);
  expect(b.link.list()).toEqual(a.link.list());
  expect(c.link.list()).toEqual(a.link.list());
  expect(a.link.listStaying()).toEqual(a.link.list());
});

test("what one sends to one arrives in order, and at nobody else", async () => {
  const { a, b, c } = await startThree();
  const heard: unknown[] = [];
  const stray = jest.fn();
  b.link.on("word", (body, from) => heard.push([from, body]));
  c.link.on("word", stray);
  for (let i = 0; i < 100; i += 1) a.link.send("b.1", "word", i);
  await settle();
  expect(heard).toEqual(Array.from({ length: 100 }, (_, i) => ["a.1", i]));
  expect(stray).not.toHaveBeenCalled();
});

test("what is sent to all arrives at all but who sent it", async () => {
  const { a, b, c } = await startThree();
  const heard: string[] = [];
  for (const { link } of [a, b, c]) link.on("word", () => heard.push(link.self));
  a.link.sendToAll("word", {});
  await settle();
  expect(heard.sort()).toEqual(["b.1", "c.1"]);
});

test("a question is answered, or fails for who asks alone", async () => {
  const { a, b } = await startThree();
  b.link.answer("sum", async (body) => (body as number[]).reduce((sum, value) => sum + value, 0));
  expect(await a.link.ask("b.1", "sum", [1, 2, 3])).toBe(6);
  await expect(a.link.ask("nobody.1", "sum", [])).rejects.toThrow(ProcessGoneError);
});

test("a question takes the number of the request along that it is asked for", async () => {
  const { a, b } = await startThree();
  b.link.answer("number", async () => {
    await settle();
    return getAwayRequestId() ?? null;
  });
  const ask = () => a.link.ask("b.1", "number", null);
  expect(await Promise.all([runForRequest("one", ask), ask(), runForRequest("two", ask)])).toEqual([
    ...["one", null, "two"],
  ]);
});

test("a question that nobody can read is no fault of the process that was asked", async () => {
  const { a, b } = await startThree();
  const rejected = jest.fn();
  process.once("unhandledRejection", rejected);
  await a.carrier.send("b.1", JSON.stringify({ from: "a.1", entries: [["ask", null]] }));
  await settle();
  process.off("unhandledRejection", rejected);
  expect(rejected).not.toHaveBeenCalled();
  b.link.answer("one", async () => 1);
  expect(await a.link.ask("b.1", "one", null)).toBe(1);
});

test("a question to a process that goes meanwhile fails at once", async () => {
  const { a, b } = await startThree();
  b.link.answer("wait", () => new Promise(() => undefined));
  const asked = a.link.ask("b.1", "wait", null);
  const failed = expect(asked).rejects.toThrow("b.1 is gone");
  await settle();
  await b.link.close();
  await failed;
});

test("who stops is gone at once", async () => {
  const { a, b, c } = await startThree();
  await b.link.close();
  await settle();
  expect(a.gone).toEqual(["b.1"]);
  expect(c.link.list()).toEqual(["a.1", "c.1"]);
});

test("who was killed is missed with the first message to it", async () => {
  const { a, b } = await startThree();
  await b.carrier.close();
  a.link.send("b.1", "word", 1);
  await settle();
  expect(a.gone).toEqual(["b.1"]);
});

test("who was killed is missed with the next beat, though nobody writes to it; the others stay", async () => {
  const { a, b, c } = await startThree();
  await b.carrier.close();
  await timers.pass(1_000);
  expect([a.gone, c.gone]).toEqual([["b.1"], ["b.1"]]);
  expect(a.link.list()).toEqual(["a.1", "c.1"]);
  expect(c.link.list()).toEqual(["a.1", "c.1"]);
});

test("whom one misses, the others miss at once", async () => {
  const { a, b, c } = await startThree();
  await b.carrier.close();
  a.link.send("b.1", "word", 1);
  await settle();
  expect(c.gone).toEqual(["b.1"]);
});

test("who says nothing for 3.5 s is gone; others stay", async () => {
  const { a, b, c } = await startThree();
  // It hears nothing and says nothing: its own beats are its own interval's, which the test can't stop, so that it closes its way out.
  b.carrier.hang();
  b.carrier.send = async () => undefined;
  await timers.pass(3_000);
  expect(a.gone).toEqual([]);
  await timers.pass(2_000);
  expect(a.gone).toEqual(["b.1"]);
  expect(a.link.list()).toEqual(["a.1", "c.1"]);
  expect(c.link.list()).toEqual(["a.1", "c.1"]);
});

test("who was given up and was only slow comes back under another address, and gives up the others too", async () => {
  const { a, b } = await startThree();
  const send = b.carrier.send.bind(b.carrier);
  b.carrier.send = async () => undefined;
  await timers.pass(5_000);
  expect(a.gone).toEqual(["b.1"]);
  expect(b.gone).toEqual([]);
  b.carrier.send = send;
  await timers.pass(1_000);
  expect(b.gone.sort()).toEqual(["a.1", "c.1"]);
  expect(b.link.self).toBe("b.2");
  expect(a.link.list()).toEqual(["a.1", "b.2", "c.1"]);
  expect(b.link.list()).toEqual(["a.1", "b.2", "c.1"]);
});

test("without the carrier each is alone; afterwards all are there again, under other addresses", async () => {
  const { a, b, c } = await startThree();
  for (const { carrier } of [a, b, c]) carrier.setUp(false);
  await settle();
  expect(a.link.list()).toEqual(["a.1"]);
  expect(a.gone.sort()).toEqual(["b.1", "c.1"]);
  a.link.sendToAll("word", 1);
  await expect(a.link.ask("b.1", "sum", [])).rejects.toThrow(ProcessGoneError);
  for (const { carrier } of [a, b, c]) carrier.setUp(true);
  await settle();
  for (const { link } of [a, b, c]) expect(link.list()).toEqual(["a.2", "b.2", "c.2"]);
});

test("who is about to stop is reached, but isn't among those that stay", async () => {
  const { a, b } = await startThree();
  const changes = a.changes();
  b.link.retire();
  await settle();
  expect(a.link.list()).toEqual(["a.1", "b.1", "c.1"]);
  expect(a.link.listStaying()).toEqual(["a.1", "c.1"]);
  expect(b.link.listStaying()).toEqual(["a.1", "c.1"]);
  expect(a.changes()).toBe(changes + 1);
});

test("a process alone stays its own home, also while it stops", async () => {
  const { link } = start("lone");
  await settle();
  link.retire();
  expect(link.listStaying()).toEqual([link.self]);
});

test("a message that can't be handled takes none of the others along", async () => {
  const warn = jest.fn();
  const a = start("a");
  const link = openLink({ processId: "b", carrier: carriers.create(), log: { warn }, ...timers });
  open.push(link);
  await settle();
  const heard = jest.fn();
  link.on("bad", () => {
    throw new Error("broken");
  });
  link.on("good", heard);
  a.link.send("b.1", "bad", 1);
  a.link.send("b.1", "good", 2);
  await settle();
  expect(warn).toHaveBeenCalledTimes(1);
  expect(heard).toHaveBeenCalledWith(2, "a.1");
});

test("whoever comes back has the new address at once, and sends nothing before it is heard there", async () => {
  const { a, b } = await startThree();
  const heard = jest.fn();
  b.link.on("word", heard);
  let changed = 0;
  a.link.onChange(() => {
    if (a.link.self === "a.2") changed += 1;
  });
  a.carrier.setUp(false);
  a.carrier.setUp(true);
  expect([a.link.self, changed]).toEqual(["a.2", 1]);
  expect(a.link.list()).toEqual(["a.2"]);
  a.link.sendToAll("word", "too early");
  expect(a.link.send("b.1", "word", "too early")).toBe(false);
  await settle();
  expect(heard).not.toHaveBeenCalled();
  expect(b.link.list()).toEqual(["a.2", "b.1", "c.1"]);
});

test("whoever is cut off says so also where it knew nobody", async () => {
  const { link, carrier } = start("a");
  await settle();
  const heard: boolean[] = [];
  link.onChange(() => heard.push(link.isIn));
  carrier.setUp(false);
  expect(heard).toEqual([false]);
});

test("a carrier that refuses one packet has left a gap: it is told of, and the process comes in anew", async () => {
  const warn = jest.fn();
  const carrier = carriers.create();
  const link = openLink({ processId: "a", carrier, log: { warn }, ...timers });
  open.push(link);
  const [b] = [start("b"), start("c")];
  await settle();
  const send = carrier.send.bind(carrier);
  carrier.send = async () => {
    carrier.send = send;
    throw new Error("refused");
  };
  link.send("b.1", "word", "lost");
  await until(() => link.self === "a.2");
  await settle();
  expect(link.list()).toEqual(["a.2", "b.1", "c.1"]);
  expect(b.gone).toEqual(["a.1"]);
  expect(warn).toHaveBeenCalledTimes(1);
});

test("a carrier that lets it say nothing leaves it out, is asked again with each beat, and told of once", async () => {
  const warn = jest.fn();
  const carrier = carriers.create();
  const send = carrier.send.bind(carrier);
  carrier.send = () => Promise.reject(new Error("no permission"));
  const link = openLink({ processId: "b", carrier, log: { warn }, ...timers });
  open.push(link);
  const a = start("a");
  await timers.pass(3_000);
  expect(warn).toHaveBeenCalledTimes(1);
  expect([link.isIn, link.list()]).toEqual([false, ["b.1"]]);
  carrier.send = send;
  await timers.pass(1_000);
  expect([link.isIn, link.list()]).toEqual([true, ["a.1", "b.1"]]);
  expect(a.link.list()).toEqual(["a.1", "b.1"]);
  // What was between them before they met ended nobody's presence.
  expect(a.link.self).toBe("a.1");
});

test("a carrier that lets it hear nothing is asked again with each beat, and told of once", async () => {
  const warn = jest.fn();
  const carrier = carriers.create();
  const hear = carrier.hear.bind(carrier);
  carrier.hear = () => Promise.reject(new Error("no permission"));
  const link = openLink({ processId: "b", carrier, log: { warn }, ...timers });
  open.push(link);
  const a = start("a");
  await timers.pass(3_000);
  expect(warn).toHaveBeenCalledTimes(1);
  expect(link.isIn).toBe(false);
  expect(a.link.list()).toEqual(["a.1"]);
  carrier.hear = hear;
  await timers.pass(1_000);
  expect(link.isIn).toBe(true);
  expect(a.link.list()).toEqual(["a.1", "b.1"]);
  expect(link.list()).toEqual(["a.1", "b.1"]);
});

test("who is met while it is about to stop was never one that stays", async () => {
  const { a, b } = await startThree();
  b.link.retire();
  await settle();
  const homes: string[][] = [];
  a.link.onChange(() => homes.push([...a.link.listStaying()]));
  a.carrier.setUp(false);
  a.carrier.setUp(true);
  await settle();
  expect(a.link.list()).toContain("b.1");
  expect(homes.flat()).not.toContain("b.1");
});

test("a text that nobody can read is told of, and breaks nothing", async () => {
  const warn = jest.fn();
  const carrier = carriers.create();
  const link = openLink({ processId: "b", carrier, log: { warn }, ...timers });
  open.push(link);
  const a = start("a");
  await settle();
  await carrier.send("b.1", "no JSON");
  await settle();
  expect(warn).toHaveBeenCalledTimes(1);
  expect(link.list()).toEqual(["a.1", "b.1"]);
  expect(a.link.list()).toEqual(["a.1", "b.1"]);
});

test("a busy process gathers what it has for another one; behind a pause it doesn't wait", async () => {
  const late: (() => void)[] = [];
  const timeout = jest.spyOn(globalThis, "setTimeout");
  timeout.mockImplementation(((run: () => void) => late.push(run)) as unknown as typeof setTimeout);
  const passGather = async () => {
    for (const run of late.splice(0)) run();
    await settle();
  };
  const clock = createTimers();
  const carrier = carriers.create();
  open.push(openLink({ processId: "a", carrier, log: { warn() {} }, ...clock, gatherMs: 50 }));
  const a = open[0] as Link;
  const b = start("b");
  await settle();
  await passGather();
  expect(a.list()).toEqual(["a.1", "b.1"]);
  await clock.pass(500);
  const heard: unknown[] = [];
  b.link.on("word", (body) => heard.push(body));
  const sent = jest.spyOn(carrier, "send");

  for (let word = 1; word <= 3; word += 1) {
    a.send("b.1", "word", word);
    await settle();
  }
  expect(heard).toEqual([1]);
  await passGather();
  expect(heard).toEqual([1, 2, 3]);
  expect(sent).toHaveBeenCalledTimes(2);
});

test("what is for all and what is for one don't overtake each other", async () => {
  const { a, b } = await startThree();
  const heard: unknown[] = [];
  b.link.on("word", (body) => heard.push(body));
  a.link.sendToAll("word", 1);
  a.link.send("b.1", "word", 2);
  a.link.sendToAll("word", 3);
  a.link.send("b.1", "word", 4);
  await settle();
  expect(heard).toEqual([1, 2, 3, 4]);
});

test("what is said at once and is too long for one text goes in several", async () => {
  const { a, b } = await startThree();
  const heard: unknown[] = [];
  b.link.on("word", (body) => heard.push(String(body).length));
  const sent = jest.spyOn(a.carrier, "send");
  for (let count = 0; count < 3; count += 1) a.link.send("b.1", "word", "x".repeat(3_000_000));
  await settle();
  expect(heard).toEqual([3_000_000, 3_000_000, 3_000_000]);
  expect(sent).toHaveBeenCalledTimes(3);
});

test("what a process said before its end arrives", async () => {
  const clock = createTimers();
  const a = openLink({
    processId: "a",
    carrier: carriers.create(),
    log: { warn() {} },
    ...clock,
    gatherMs: 60_000,
  });
  const b = start("b");
  await until(() => b.link.list().length === 2);
  const heard: unknown[] = [];
  b.link.on("word", (body) => heard.push(body));
  a.sendToAll("word", "last");
  a.send("b.1", "word", "but one");
  await a.close();
  await settle();
  expect(heard).toEqual(["last", "but one"]);
  expect(b.gone).toEqual(["a.1"]);
});

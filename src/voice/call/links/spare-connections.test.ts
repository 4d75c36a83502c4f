import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { SpareConnections } from "./spare-connections.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
  Reflect.deleteProperty(globalThis, "RTCPeerConnection");
});

class FakeConnection {
  transceivers = 0;
  isClosed = false;
  configuration: unknown;
  constructor(configuration?: unknown) {
    this.configuration = configuration;
  }
  addTransceiver() {
    this.transceivers += 1;
  }
  setConfiguration(configuration: unknown) {
    this.configuration = configuration;
  }
  close() {
    this.isClosed = true;
  }
}

function setUp() {
  const built: FakeConnection[] = [];
  const spares = new SpareConnections(() => {
    const connection = new FakeConnection();
    built.push(connection);
    return connection as unknown as RTCPeerConnection;
  });
  Object.assign(globalThis, { RTCPeerConnection: FakeConnection });
  const take = (isOffer: boolean) => spares.take({ iceServers: [] }, isOffer) as unknown as FakeConnection;
  return { spares, built, take };
}

test("makes one to answer on and as many to offer on as there are others, with their transceivers", () => {
  const { spares, built, take } = setUp();
  spares.keep(2);
  expect(built).toHaveLength(0);
  jest.runAllTimers();
  expect(built.map(({ transceivers }) => transceivers)).toEqual([0, 1, 1]);
  const offer = take(true);
  expect(built).toContain(offer);
  expect(offer.configuration).toEqual({ iceServers: [] });
  expect(take(false)).toBe(built[0]);
});

test("what is wanted beyond that is made at once, ready for its use", () => {
  const { built, take } = setUp();
  expect(take(true)).toMatchObject({ transceivers: 1, configuration: { iceServers: [] } });
  expect(take(false)).toMatchObject({ transceivers: 0 });
  expect(built).toHaveLength(0);
});

test("one that was answered on is followed by another, those to offer on are not", () => {
  const { spares, built, take } = setUp();
  spares.keep(1);
  jest.runAllTimers();
  take(true);
  take(false);
  jest.runAllTimers();
  expect(built.map(({ transceivers }) => transceivers)).toEqual([0, 1, 0]);
});

test("in a call those to offer on are closed, and the end closes all", () => {
  const { spares, built } = setUp();
  spares.keep(2);
  jest.runAllTimers();
  spares.keep(0);
  expect(built.map(({ isClosed }) => isClosed)).toEqual([false, true, true]);
  spares.close();
  jest.runAllTimers();
  expect(built.map(({ isClosed }) => isClosed)).toEqual([true, true, true]);
});

test("a browser that makes none is asked again by who needs one", () => {
  const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
  const spares = new SpareConnections(() => {
    throw new Error("no more");
  });
  spares.keep(3);
  jest.runAllTimers();
  expect(warn).toHaveBeenCalledTimes(1);
  warn.mockRestore();
});

import { describe, expect, test } from "@jest/globals";
import { toSeat } from "../test-call.ts";
import { RETURN_MS } from "./mesh.ts";
import { createTestMesh } from "./test-mesh.ts";

describe("who offers", () => {
  test("is the newcomer, to everybody but themselves", () => {
    const { takeRoster, takeCalls, mesh } = createTestMesh();
    takeRoster([toSeat("1"), toSeat("2"), toSeat("3")]);
    expect(takeCalls()).toEqual(["link 1 connect", "link 2 connect", "link 3 connect"]);
    expect(["1", "2", "3", "5"].map((userId) => mesh.has(userId))).toEqual([true, true, true, false]);
  });

  test("is whoever comes later, and is waited for", () => {
    const { takeRoster, takeCalls, mesh, getLink } = createTestMesh();
    takeRoster([]);
    mesh.add(toSeat("8"));
    expect([takeCalls(), getLink(1).parts.isOfferer]).toEqual([["link 1 expect"], false]);
  });

  test.each([
    ["a seat", "link 1 connect"],
    ["z seat", "link 1 expect"],
  ])("among equals behind a restart is settled by the seats: %s", (id, call) => {
    const { takeRoster, takeCalls } = createTestMesh();
    takeRoster([toSeat("2", { id, join_number: 5 })]);
    expect(takeCalls()).toEqual([call]);
  });

  test("never is one with whom nothing may pass, and their messages lead nowhere", () => {
    const { takeRoster, takeCalls, mesh, blocked } = createTestMesh();
    blocked.add("2");
    takeRoster([toSeat("1"), toSeat("2")]);
    const description = { type: "offer", sdp: "v=0" } as const;
    mesh.take({ userId: "2", participantId: "s2" }, { event: "offer", description, epoch: 1 });
    mesh.take({ userId: "1", participantId: "s1" }, { event: "offer", description, epoch: 1 });
    expect([takeCalls(), mesh.has("2")]).toEqual([["link 1 connect", "link 1 takes offer"], false]);
    blocked.delete("2");
    mesh.add(toSeat("2"));
    expect(takeCalls()).toEqual(["link 2 connect"]);
  });

  test("speaks to one person alone, and hears only the seat that is linked", () => {
    const { takeRoster, takeCalls, mesh, getLink } = createTestMesh();
    takeRoster([toSeat("2")]);
    takeCalls();
    getLink(1).parts.send({ event: "offer", offer: { type: "offer" }, epoch: 1 });
    mesh.take({ userId: "2", participantId: "another tab" }, { event: "answer", epoch: 1 });
    expect(takeCalls()).toEqual(["offer to 2"]);
  });
});

describe("a seat", () => {
  test("of the same person in another tab is linked anew; a return to the first counts its attempts on", () => {
    const { takeRoster, takeCalls, mesh, getLink } = createTestMesh();
    takeRoster([toSeat("2")]);
    getLink(1).epoch = 4;
    mesh.add(toSeat("2", { id: "another tab" }));
    mesh.remove("2", "s2");
    expect([takeCalls(), mesh.has("2")]).toEqual([
      ["link 1 connect", "link 1 close", "link 2 connect"],
      true,
    ]);
    mesh.add(toSeat("2"));
    expect([getLink(2).parts.firstEpoch, getLink(3).parts.firstEpoch]).toEqual([0, 4]);
  });

  test("that is gone from a roster is closed, and its sound with it", () => {
    const { takeRoster, takeCalls, connect, mesh, voices } = createTestMesh();
    takeRoster([toSeat("2"), toSeat("3")]);
    connect(1, "2");
    takeCalls();
    takeRoster([toSeat("3")]);
    expect([takeCalls(), voices["2"]?.isClosed, mesh.has("2")]).toEqual([["link 1 close"], true, false]);
  });
});

describe("behind a restart of the server", () => {
  const setUp = () => {
    const page = createTestMesh();
    page.takeRoster([toSeat("2"), toSeat("3"), toSeat("4")]);
    page.connect(1, "2");
    page.connect(2, "3");
    page.takeCalls();
    page.takeRoster([], true);
    return page;
  };

  test("links that stand are kept for those who are missing, the others are closed", () => {
    const { takeCalls, mesh } = setUp();
    expect(takeCalls()).toEqual(["link 3 close", "link 1 lookAgain", "link 2 lookAgain"]);
    expect(["2", "3", "4"].map((userId) => mesh.has(userId))).toEqual([true, true, false]);
  });

  test("who comes back in time stays linked, and who does not is gone", () => {
    const { takeCalls, mesh, clock } = setUp();
    takeCalls();
    clock.now = RETURN_MS;
    mesh.add(toSeat("3"));
    mesh.measure();
    expect([takeCalls(), mesh.has("2")]).toEqual([[], true]);
    clock.now = RETURN_MS + 1;
    mesh.measure();
    expect([takeCalls(), mesh.has("2"), mesh.has("3")]).toEqual([["link 1 close"], false, true]);
  });

  test("who comes back is told again that they are heard", () => {
    const { mesh, takeHearing } = setUp();
    mesh.reportHearing();
    mesh.reportHearing();
    expect(takeHearing()).toEqual([["2", "3"]]);
    mesh.add(toSeat("3"));
    mesh.reportHearing();
    expect(takeHearing()).toEqual([["2", "3"]]);
    mesh.add(toSeat("3"));
    mesh.reportHearing();
    expect(takeHearing()).toEqual([]);
  });
});

describe("whom one hears", () => {
  test("is those whose link stands and whose sound is played, told at each change alone", () => {
    const { takeRoster, connect, getLink, mesh, takeHearing } = createTestMesh();
    takeRoster([toSeat("3"), toSeat("2")]);
    connect(1, "3");
    getLink(2).phase = "connected";
    mesh.reportHearing();
    connect(2, "2");
    mesh.reportHearing();
    mesh.reportHearing();
    getLink(1).phase = "lost";
    mesh.reportHearing();
    expect(takeHearing()).toEqual([["3"], ["2", "3"], ["2"]]);
    mesh.forgetHearing();
    mesh.reportHearing();
    expect(takeHearing()).toEqual([["2"]]);
  });

  test("is nobody while the browser holds sound back, which is told once it lasts", () => {
    const { takeRoster, connect, speaker, clock, mesh, takeHearing } = createTestMesh();
    takeRoster([toSeat("2")]);
    connect(1, "2");
    speaker.isRunning = false;
    clock.now = 3000;
    mesh.reportHearing();
    expect(takeHearing()).toEqual([]);
    clock.now = 3001;
    mesh.reportHearing();
    speaker.isRunning = true;
    mesh.reportHearing();
    expect(takeHearing()).toEqual([[], ["2"]]);
  });

  test("is played as loud as was chosen, and not where a moderator or the listener says so", () => {
    const { takeRoster, connect, mesh, muted, voices } = createTestMesh();
    takeRoster([toSeat("2", { is_silenced: true }), toSeat("3")]);
    connect(1, "2");
    connect(2, "3");
    expect([voices["2"], voices["3"]]).toMatchObject([
      { volume: 0.5, isSilenced: true },
      { isSilenced: false },
    ]);
    mesh.add(toSeat("2"));
    muted.add("3");
    mesh.changeVolume("3");
    expect([voices["2"]?.isSilenced, voices["3"]?.isSilenced]).toEqual([false, true]);
  });
});

test("somebody who speaks and is not heard for two seconds has lost the path, until a packet comes", () => {
  const { takeRoster, takeCalls, connect, getLink, clock, mesh } = createTestMesh();
  takeRoster([toSeat("2")]);
  connect(1, "2");
  takeCalls();
  clock.now = 5000;
  mesh.changeState("2", { is_speaking: true });
  clock.now = 7000;
  mesh.measure();
  expect(takeCalls()).toEqual([]);
  clock.now = 7001;
  mesh.measure();
  expect(takeCalls()).toEqual(["link 1 lose"]);
  getLink(1).phase = "lost";
  getLink(1).played = { level: 0.4, rtpTimestamp: 960 };
  expect([[...mesh.measure()], takeCalls()]).toEqual([[["2", 0.4]], ["link 1 found"]]);
});

test("the end of a word that was played unasked before the path was lost brings nothing back, a new packet does", () => {
  const { takeRoster, takeCalls, connect, getLink, mesh } = createTestMesh();
  takeRoster([toSeat("2", { is_speaking: true })]);
  connect(1, "2");
  const link = getLink(1);
  link.played = { level: 0.4, rtpTimestamp: 960 };
  mesh.measure();
  mesh.changeState("2", { is_speaking: false });
  link.played = { level: 0.1, rtpTimestamp: 1920 };
  mesh.measure();
  link.phase = "lost";
  link.parts.onPhase("lost");
  takeCalls();
  mesh.measure();
  expect(takeCalls()).toEqual([]);
  link.played = { level: 0.4, rtpTimestamp: 2880 };
  mesh.measure();
  expect(takeCalls()).toEqual(["link 1 found"]);
});

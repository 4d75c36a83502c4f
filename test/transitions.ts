import { describe, expect, test } from "@jest/globals";

/**
 * Tests a reducer with every event in every state. `next` says by event, then by state, what follows; a pair that isn't there
 * leaves the state as it is, the same object.
 */
export function testTransitions<State, Event, StateName extends string, EventName extends string>(
  reduce: (state: State, event: Event) => State,
  states: Readonly<Record<StateName, State>>,
  events: Readonly<Record<EventName, Event>>,
  next: Readonly<Record<EventName, Partial<Record<StateName, State | undefined>>>>,
): void {
  const toNames = <Name extends string>(named: Readonly<Record<Name, unknown>>) =>
    Object.keys(named) as Name[]; // a record's keys
  describe.each(toNames(events))("the event %s", (event) => {
    test.each(toNames(states))("in the state %s", (name) => {
      const state = states[name];
      const followed = reduce(state, events[event]);
      const expected = next[event][name];
      if (expected === undefined) expect(followed).toBe(state);
      else expect(followed).toEqual(expected);
    });
  });
}

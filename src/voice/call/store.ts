/** A state that listeners follow; React reads it by `useSyncExternalStore`. */
export interface Store<State, Event> {
  getState(): State;
  dispatch(event: Event): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<State, Event>(
  reduce: (state: State, event: Event) => State,
  first: State,
): Store<State, Event> {
  let state = first;
  const listeners = new Set<() => void>();
  return {
    getState: () => state,
    dispatch(event) {
      const next = reduce(state, event);
      if (next === state) return;
      state = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

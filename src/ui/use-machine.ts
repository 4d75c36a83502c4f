import { type Dispatch, type EffectCallback, useEffectEvent, useLayoutEffect, useReducer } from "react";

/**
 * Binds the machine of a form. `reduce` says which state follows; `enter` begins what a phase has to get done, each time the
 * machine comes into it, and may answer how to end that. What it reports after its phase is over has nothing to say any more.
 * That is before the new phase is painted: nobody sees it half done. In development React enters the first phase twice.
 */
export function useMachine<State extends { phase: string }, Event>(
  reduce: (state: State, event: Event) => State,
  begin: () => State,
  enter: (state: State, report: Dispatch<Event>) => ReturnType<EffectCallback>,
): [State, Dispatch<Event>] {
  const [state, dispatch] = useReducer(reduce, undefined, begin);
  const enterNow = useEffectEvent((report: Dispatch<Event>) => enter(state, report));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes within a phase begins nothing anew
  useLayoutEffect(() => {
    let isOver = false;
    const end = enterNow((event) => {
      if (!isOver) dispatch(event);
    });
    return () => {
      isOver = true;
      end?.();
    };
  }, [state.phase]);
  return [state, dispatch];
}

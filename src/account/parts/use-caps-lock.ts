import { type KeyboardEvent, useState } from "react";

/** Whether caps lock is on while somebody types into a field; only key events tell. */
export function useCapsLock() {
  const [isOn, setIsOn] = useState(false);
  const note = (event: KeyboardEvent) => setIsOn(event.getModifierState("CapsLock"));
  return { isOn, handlers: { onKeyDown: note, onKeyUp: note, onBlur: () => setIsOn(false) } };
}

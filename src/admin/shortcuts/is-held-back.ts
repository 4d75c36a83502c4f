/** Keys do something else there: they write, or choose. */
const TYPED_INTO = [
  "input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=reset], [type=file], [type=color], [type=image])",
  "textarea",
  "select",
  "[contenteditable]:not([contenteditable=false])",
  "[role=combobox]",
  "[role=listbox]",
  "[role=menu]",
  "[role=textbox]",
  ".ant-select-dropdown",
  ".ant-picker-dropdown",
  ".ant-dropdown",
  ".ant-popover",
].join();

/** Over these the keys of the screen below rest. */
const MODAL = ".ant-modal-wrap:not([style*='none']), dialog[open]";
const COVERING = `${MODAL}, .ant-drawer-open`;

/** Whether single keys belong to what has the focus. */
export function isTyping({ target }: Pick<Event, "target">): boolean {
  return target instanceof Element && target.closest(TYPED_INTO) !== null;
}

/** Whether something lies over the screen, so that its single keys mean nothing. */
export function isCovered(): boolean {
  return document.querySelector(COVERING) !== null;
}

/** Whether a question lies over a drawer, so that keys of the drawer mean nothing. */
export function isUnderModal(): boolean {
  return document.querySelector(MODAL) !== null;
}

/** Whether a dialog of the frame (palette, sheet of shortcuts) has the keys for itself. */
export function isUnderDialog(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

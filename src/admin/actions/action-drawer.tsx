/** One entry of the log, over the list. */
export function ActionDrawer() {
  return null;
}

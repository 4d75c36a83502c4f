/**
 * Takes away the second half of a double click, whose first half opens or closes something: another thing stands under the
 * pointer by then. Over with the next first click.
 */
export function dropSecondClick(): void {
  const drop = (event: MouseEvent) => {
    if (event.detail > 1) {
      event.preventDefault();
      event.stopPropagation();
    } else document.removeEventListener("click", drop, true);
  };
  document.addEventListener("click", drop, true);
}

/** A picture that could not be drawn, with the reason for the log. Asking again soon would end the same way. */
export class DrawingError extends Error {
  override name = "DrawingError";
}

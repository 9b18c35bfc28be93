/** How much the hostile tests do: a little in `npm test`, all of it with `FORGELINE_HOSTILE=full`. */
export const isFull = process.env["FORGELINE_HOSTILE"] === "full";

export function size(small: number, full: number): number {
  return isFull ? full : small;
}

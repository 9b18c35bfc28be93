/**
 * Whether the command line paints, decided in this place alone: never with `NO_COLOR`, always with `FORCE_COLOR`, else
 * on a terminal. What picocolors itself decides takes every CI job for a terminal.
 */
import { createColors } from "picocolors";

/** `FORCE_COLOR=0` is a no. `TERM=dumb` is a terminal that shows escape sequences as they are. */
export function isPainted(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  if (env["NO_COLOR"]) return false;
  if (env["FORCE_COLOR"]) return !["0", "false"].includes(env["FORCE_COLOR"]);
  return stream.isTTY === true && env["TERM"] !== "dumb";
}

/** For what goes to standard output. */
export const colors = createColors(isPainted(process.stdout));

/** For what goes to standard error. */
export const errorColors = createColors(isPainted(process.stderr));

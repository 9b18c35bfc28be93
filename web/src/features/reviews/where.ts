/** Where a thread stands, in words. */
import { text } from "../../text/reviews.ts";
import type { Thread } from "./review.ts";

/** Of an outdated thread, where it was. */
export function whereOf(thread: Thread): string {
  const { side, current, outdated } = thread;
  const { line, start_line: start } = outdated || !current ? thread : current;
  return line === null ? text.atFile : text.atLines(start ?? line, line, side === "old");
}

/** What decides about one push while Git takes it, and records what came of it. */
import type { PushHandlers } from "./push-hooks.ts";

export interface PushSession extends PushHandlers {
  /** Whether Git shall ask for each ref, so that refused ones do not keep the others back. To be asked before Git starts. */
  judgesEachRef(): Promise<boolean>;
  /** No ref has moved, and none will: gives the intent up. */
  abandon(): Promise<void>;
  /** When Git has ended, however it ended: settles what the hooks did not. Never throws. */
  finish(): Promise<void>;
}

/** Decides about one push while Git receives it, and records the result. */
import type { PushHandlers } from "./push-hooks.ts";

export interface PushSession extends PushHandlers {
  /** Whether Git shall ask for each ref, so that refused ones do not keep the others back. To be asked before Git starts. */
  judgesEachRef(): Promise<boolean>;
  /** No ref was updated, and none will be: gives the intent up. */
  abandon(): Promise<void>;
  /** To be called when Git has ended, however it ended: settles what the hooks did not. Never throws. */
  finish(): Promise<void>;
}

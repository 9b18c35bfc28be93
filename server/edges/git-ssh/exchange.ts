/** What one Git program over SSH needs. */
import type { Logger } from "../../platform/logger.ts";
import type { RequestMemory } from "../../platform/git/processes/request-memory.ts";
import type { Git } from "../../platform/git/processes/run-git.ts";
import type { CommandChannel } from "./command-channel.ts";

export interface Exchange {
  git: Git;
  logger: Logger;
  directory: string;
  protocol: GitProtocol | undefined;
  /** Then Git is ended. */
  timeoutMs: number;
  channel: CommandChannel;
  /** Waits for a slot and does the work with it, so that an idle client holds none. Throws `unavailable`. */
  underSlot<T>(work: () => Promise<T>): Promise<T>;
  /** Reserves memory for a request while it is being received, of at most so many bytes. */
  room(maxBytes?: number): RequestMemory;
}

export type GitProtocol = "version=1" | "version=2";

/** The one variable that clients may set, to one of two values. */
export function readProtocol(name: string, value: string): GitProtocol | undefined {
  if (name !== "GIT_PROTOCOL") return undefined;
  return value === "version=1" || value === "version=2" ? value : undefined;
}

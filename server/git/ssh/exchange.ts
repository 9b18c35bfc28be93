/** What one Git program over SSH works with. */
import type { Logger } from "../../platform/logger.ts";
import type { Git } from "../run-git.ts";
import type { CommandChannel } from "./command-channel.ts";

export interface Exchange {
  git: Git;
  logger: Logger;
  directory: string;
  protocol: GitProtocol | undefined;
  /** Then Git is ended. */
  timeoutMs: number;
  channel: CommandChannel;
}

export type GitProtocol = "version=1" | "version=2";

/** The one variable that clients may set, to one of two values. */
export function readProtocol(name: string, value: string): GitProtocol | undefined {
  if (name !== "GIT_PROTOCOL") return undefined;
  return value === "version=1" || value === "version=2" ? value : undefined;
}

/** The engine's end, for which nobody waits forever: a daemon that does not answer would hold the runner. */
import type { Logger } from "pino";
import type { CacheUploads } from "../caches/cache-uploads.ts";
import type { SharedWorkspaces } from "../job/shared-workspaces.ts";
import { outcomeWithin } from "../outcome-within.ts";
import type { Engine } from "./engine.ts";

const withinMs = 15_000;

export interface Closed {
  engine: Engine;
  /** Stages that are not over get another runner. */
  sharedWorkspaces: Pick<SharedWorkspaces, "releaseAll">;
  /** What is still being sent is given up. */
  uploads?: Pick<CacheUploads, "clear">;
  logger: Logger;
}

/** Never rejects. What stays is swept at the next start. */
export async function closeEngine({ engine, sharedWorkspaces, uploads, logger }: Closed): Promise<void> {
  void uploads?.clear();
  const outcome = await outcomeWithin(
    sharedWorkspaces.releaseAll().then(() => engine.close()),
    withinMs,
  );
  if (outcome !== undefined)
    logger.error(
      { err: outcome },
      "what the runner has made for jobs could not be removed in time; the next start will remove them",
    );
}

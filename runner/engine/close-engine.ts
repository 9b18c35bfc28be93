/** The engine's end, for which nobody waits forever: a daemon that does not answer would hold the runner. */
import type { Logger } from "pino";
import { outcomeWithin } from "../outcome-within.ts";
import type { Engine } from "./engine.ts";

const withinMs = 15_000;

/** Never rejects. What stays is swept at the next start. */
export async function closeEngine({ engine, logger }: { engine: Engine; logger: Logger }): Promise<void> {
  const outcome = await outcomeWithin(engine.close(), withinMs);
  if (outcome !== undefined)
    logger.error(
      { err: outcome },
      "the prepared containers could not be removed in time; the next start will remove them",
    );
}

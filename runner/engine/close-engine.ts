/** The engine's end, for which nobody waits for ever: a daemon that does not answer would hold the runner. */
import type { Logger } from "pino";
import type { Engine } from "./engine.ts";

const withinMs = 15_000;

/** Never rejects. What stays is swept at the next start. */
export async function closeEngine({ engine, logger }: { engine: Engine; logger: Logger }): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), withinMs);
  });
  const outcome = await Promise.race([engine.close(), late]).catch((error: unknown) => error);
  clearTimeout(timer);
  if (outcome !== undefined)
    logger.error(
      { err: outcome },
      "what waited for jobs could not be removed in time; the next start sweeps",
    );
}

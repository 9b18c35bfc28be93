/** Whether jobs can run here at all. Where they cannot, the runner takes none, says why, and looks again until they can. */
import type { Logger } from "pino";
import { Deadline } from "./deadline.ts";
import type { Engine } from "./engine/engine.ts";

const lookAgainMs = 60_000;

export interface Readiness {
  /** Why no job can run here, as last looked; null: nothing is known against it. */
  problem(): string | null;
  /** Looks for the first time, and logs what an operator should know. */
  start(): Promise<void>;
  clear(): void;
}

/** `onReady` is called when a problem is gone. */
export function createReadiness(
  { engine, logger }: { engine: Pick<Engine, "warnings" | "obstacle">; logger: Logger },
  onReady: () => void,
): Readiness {
  const next = new Deadline();
  let problem: string | null = null;
  let isOver = false;

  async function look(): Promise<void> {
    problem = await engine.obstacle();
    if (problem !== null && !isOver) next.set(lookAgainMs, () => void lookAgain());
  }

  /** An engine that does not answer leaves it as it was. */
  async function lookAgain(): Promise<void> {
    await look().catch(() => next.set(lookAgainMs, () => void lookAgain()));
    if (problem !== null || isOver) return;
    logger.info("Jobs can run here now.");
    onReady();
  }

  return {
    problem: () => problem,
    async start() {
      for (const warning of await engine.warnings()) logger.warn(warning);
      await look();
      if (problem !== null) logger.error(`Jobs cannot run here, so none are taken. ${problem}`);
    },
    clear() {
      isOver = true;
      next.clear();
    },
  };
}

/**
 * A push without a client that moves many refs at once: their objects were fetched from elsewhere and wait to be judged. Checks,
 * intent, record, followers and recovery after a crash are the same as for every push.
 */
import { AppError } from "../../../platform/app-error.ts";
import { crashPoint } from "../../../platform/crash-point.ts";
import { movePacks } from "../../../platform/git/objects/move-packs.ts";
import type { RunGit } from "../../../platform/git/processes/run-git.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import { moveTogether } from "../../../platform/git/transfer/partial-pushes.ts";
import type { PushSession } from "../../../platform/git/transfer/push-session.ts";
import { refusal } from "./direct-push.ts";

export interface TakenRefs {
  updates: RefUpdate[];
  /** Directory of the new objects: packs, on the disk of the repository. */
  quarantine: string;
  /** Files above the limit among them. */
  tooLarge: ReadonlyMap<string, number>;
}

interface Taking {
  session: PushSession;
  runGit: RunGit;
  directory: string;
  taken: TakenRefs;
}

/** As `PushService.take`. */
export async function takeRefs({ session, runGit, directory, taken }: Taking): Promise<void> {
  const { updates, quarantine, tooLarge } = taken;
  try {
    const verdict = await session.beforeRefsMove({
      updates,
      options: [],
      quarantine,
      certificate: null,
      isAtomic: true,
      tooLarge,
    });
    if (!verdict.accept) throw refusal(verdict);
    await movePacks(quarantine, directory);
    if (!(await moveTogether(runGit, directory, updates))) {
      await session.abandon();
      throw new AppError("conflict", { message: "Branches or tags have changed in the meantime." });
    }
    crashPoint("mirror.refs-moved-before-record");
    // The refs have moved whatever happens now; a record that fails here is made up for.
    await session.afterRefsMoved(updates).catch(() => undefined);
  } finally {
    await session.finish();
  }
}

/**
 * A push without a Git client: an operation of ours updates one ref. Checks, intent, record, followers and recovery after a
 * crash are the same as for every push.
 */
import { moveRef } from "../../../platform/git/refs/move-ref.ts";
import type { RunGit } from "../../../platform/git/processes/run-git.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import type { Verdict } from "../../../platform/git/transfer/push-hooks.ts";
import type { PushSession } from "../../../platform/git/transfer/push-session.ts";

export interface DirectPush {
  session: PushSession;
  runGit: RunGit;
  directory: string;
  update: RefUpdate;
  /** Asked right before the ref moves, as what came before takes time: false: `conflict`. */
  isStillMeant?: (() => Promise<boolean>) | undefined;
}

/**
 * Resolves when the ref has moved; what follows is then recorded, or will be soon. Throws `conflict` when the ref is not
 * at `before` any more, and the code of the verdict when the push is not allowed.
 */
export async function pushDirectly(push: DirectPush): Promise<void> {
  const { session, runGit, directory, update, isStillMeant } = push;
  try {
    const verdict = await session.beforeRefsMove({
      updates: [update],
      options: [],
      quarantine: null,
      certificate: null,
      isAtomic: false,
    });
    if (!verdict.accept) throw refusal(verdict);
    const outcome =
      isStillMeant && !(await isStillMeant()) ? "overtaken" : await moveRef(runGit, directory, update);
    if (outcome !== "moved") {
      await session.abandon();
      throw new AppError("conflict", { message: conflictText[outcome] });
    }
    // The ref has moved whatever happens now; a record that fails here is made up for.
    await session.afterRefsMoved([update]).catch(() => undefined);
  } finally {
    await session.finish();
  }
}

/** For whoever is no Git client. */
export function refusal({ lines, code }: Verdict): AppError {
  const message = lines.join(" ");
  return new AppError(code ?? "forbidden", message === "" ? {} : { message });
}

const conflictText = {
  elsewhere: "The branch or tag has changed in the meantime; read it again.",
  overtaken: "It took too long, and somebody else has begun meanwhile.",
  clash: "A branch or tag with this name already exists, or its name conflicts with this one.",
};

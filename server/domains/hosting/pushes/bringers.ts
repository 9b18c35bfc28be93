/** Who brought a commit to a ref, by the record of pushes. */
import type { Queryable } from "../../../platform/db/database.ts";
import { findBringer, type RefTip } from "./pushes.store.ts";

export type { RefTip } from "./pushes.store.ts";

export interface Bringers {
  /**
   * Who pushed this commit to this ref last. Null: a job did, or nobody that is recorded among the newest pushes of the repository.
   * Undefined: a push of it is being recorded right now, so ask again in a moment.
   */
  find(db: Queryable, tip: RefTip): Promise<string | null | undefined>;
}

export function createBringers(): Bringers {
  return {
    async find(db, tip) {
      const push = await findBringer(db, tip);
      if (push && !push.isRecorded) return undefined;
      return push?.userId ?? null;
    },
  };
}

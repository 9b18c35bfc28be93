/** The audit log as people read and prove it; writing is `record.ts`. */
import type { AuditVerification } from "@forgeline/schemas/audit/resource.ts";
import type { AuditQuery } from "@forgeline/schemas/audit/routes.ts";
import type { Database } from "../../db/database.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { listEntries, type EntryRow, type Owner } from "./store.ts";
import { checkChain, type Point } from "./verify.ts";

export interface AuditService {
  /** `owner` null: the instance's own entries. */
  list(owner: Owner, query: AuditQuery): Promise<{ rows: EntryRow[]; total: number }>;
  verify(owner: Owner): Promise<AuditVerification>;
}

export function createAuditService(deps: {
  db: Database;
  checkpoints: Checkpoints;
  /** Links what is committed, so that what is shown has its place. */
  link(): Promise<void>;
}): AuditService {
  return {
    async list(owner, query) {
      await deps.link();
      return listEntries(deps.db, owner, query);
    },
    async verify(owner) {
      await deps.link();
      const chain = owner ?? "instance";
      // Before the chain, which may grow meanwhile but never shrink.
      const compared = await deps.checkpoints.compare(chain);
      const { entries, head, problem } = await checkChain(deps.db, chain);
      const found = problem ?? compared.problem;
      const { checkpoint } = compared;
      return {
        valid: found === null,
        entries,
        head: head && present(head),
        checkpoint: checkpoint && present(checkpoint),
        problem: found,
      };
    },
  };
}

function present({ number, hash, at }: Point) {
  return { seq: number, hash, at: at.toISOString() };
}

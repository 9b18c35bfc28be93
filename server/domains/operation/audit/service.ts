/** Reads and proves the audit log; `record.ts` writes it. */
import type { AuditVerification } from "@forgeline/schemas/audit/resource.ts";
import type { AuditProofQuery, AuditQuery } from "@forgeline/schemas/audit/routes.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { limitTime } from "./chain.store.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { AnchorSigner } from "./anchors.ts";
import { countExpired } from "./anchors.store.ts";
import { presentPoint } from "./present.ts";
import { startOfChain, type Position, type ProofCursors } from "./proof-cursor.ts";
import { listEntries, type EntryRow, type Owner } from "./audit.store.ts";
import { provePart, type Part, type ProofLimits } from "./verify.ts";

export interface AuditService {
  /** `owner` null: the instance's own entries. */
  list(owner: Owner, query: AuditQuery): Promise<{ rows: EntryRow[]; total: number }>;
  /**
   * One part of a proof. Throws `bad_request` for a cursor that is not ours, `unavailable` where enough proofs run
   * already or a part takes too long.
   */
  verify(owner: Owner, query: AuditProofQuery): Promise<AuditVerification>;
}

/** In one process: a proof keeps a core of the database busy. */
const maxProofs = 2;
const maxMs = 20_000;

export function createAuditService(deps: {
  db: Database;
  checkpoints: Checkpoints;
  cursors: ProofCursors;
  anchorSigner: AnchorSigner;
  /** Links what is committed, so that shown entries have a position. */
  link(): Promise<void>;
}): AuditService {
  let proofs = 0;

  async function prove(chain: string, from: Position, limit: number): Promise<AuditVerification> {
    await deps.link();
    // Read before the chain, which may grow meanwhile but never shrink.
    const compared = await deps.checkpoints.compare(chain);
    const part = await withinTime(deps.db, from, { limit, signer: deps.anchorSigner });
    const problem = part.problem ?? compared.problem;
    const more = problem === null && !part.complete;
    return {
      valid: more ? null : problem === null,
      entries: part.until.number,
      expired: await countExpired(deps.db, chain),
      head: part.head && presentPoint(part.head),
      checkpoint: compared.checkpoint && presentPoint(compared.checkpoint),
      problem,
      next: more ? deps.cursors.write(part.until) : null,
    };
  }

  return {
    async list(owner, query) {
      await deps.link();
      return listEntries(deps.db, owner, query);
    },
    async verify(owner, { cursor, limit }) {
      const chain = owner ?? "instance";
      const from = cursor === undefined ? startOfChain(chain) : deps.cursors.read(cursor, chain);
      if (!from)
        throw new AppError("bad_request", { message: "cursor: is not from an answer about this log." });
      if (proofs >= maxProofs) throw new AppError("unavailable", { retryAfterSeconds: 2 });
      proofs += 1;
      try {
        return await prove(chain, from, limit);
      } finally {
        proofs -= 1;
      }
    },
  };
}

function withinTime(db: Database, from: Position, limits: ProofLimits): Promise<Part> {
  return db.transaction(async (tx) => {
    await limitTime(tx, maxMs);
    try {
      return await provePart(tx, from, limits);
    } catch (error) {
      if ((error as { code?: string }).code !== "57014") throw error;
      const message = "This many entries cannot be verified in time; use a smaller limit.";
      throw new AppError("unavailable", { message, retryAfterSeconds: 2, cause: error });
    }
  });
}

/** A run that has ended as an export shows it: the record of REST, without the runs above and below it. */
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import { isFinal } from "@forgeline/schemas/pipelines/status.ts";
import type { Database } from "../../../platform/db/database.ts";
import { readGates } from "../approvals/read-gates.ts";
import { findForkApproval } from "../merge-request-runs/read-fork-approval.ts";
import { presentRun } from "./present.ts";
import { readRun } from "./runs.store.ts";

export type EndedRun = Omit<Pipeline, "parent" | "children">;

const nothingWaits = { attempts: new Map(), slots: new Map() };

/** Reads one by its id; undefined for one that is gone, or goes on again. */
export function createRunReader(deps: {
  db: Database;
  addresses: { baseUrl: string; webUrl: string };
}): (id: string) => Promise<EndedRun | undefined> {
  const { db, addresses } = deps;
  return async (id) => {
    const row = await readRun(db, id);
    if (!row || !isFinal(row.status)) return undefined;
    const { baseUrl, webUrl } = addresses;
    const approvals = row.has_gates ? await readGates(db, id, undefined) : [];
    const fork = row.source === "merge_request" ? await findForkApproval(db, id, null) : null;
    const shown = presentRun(row, nothingWaits, { baseUrl, webUrl, nowMs: Date.now() });
    return { ...shown, approvals, fork_approval: fork };
  };
}

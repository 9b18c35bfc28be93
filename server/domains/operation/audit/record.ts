/** The one way to record a significant action: in the transaction that does it. */
import type { AuditAction } from "@forgeline/schemas/audit/actions.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { storableJson, storableText } from "../../../platform/storable-text.ts";
import type { Actor, JobHolder } from "../../../platform/access/actor.ts";
import { insertEntry } from "./audit.store.ts";

export interface AuditEntry {
  action: AuditAction;
  target: { type: string; id: string; name: string };
  details?: Record<string, unknown>;
  /** Needed only if the target does not determine it: the organization of the target or actor is found automatically. */
  organizationId?: string;
}

function jobDetails({ username }: Actor, { id, pipelineId }: JobHolder): object {
  return { id, pipeline_id: pipelineId, started_by: username };
}

/** Changes of people's own accounts: their organizations learn that they happened, and no details. */
const personal = /^(auth|user|oauth)\./;

export async function recordAudit(tx: Transaction, actor: Actor, entry: AuditEntry): Promise<void> {
  const { request, job } = actor;
  const isOfUser = entry.target.type === "user" && entry.target.id !== "";
  await insertEntry(tx, {
    id: newId("evt"),
    // What a job did, nobody did by hand.
    actorId: job ? null : actor.userId,
    actorUsername: storableText(job ? `job ${job.name}` : actor.username),
    ipAddress: request?.ipAddress ?? null,
    action: entry.action,
    target: { ...entry.target, name: storableText(entry.target.name) },
    details: storableJson({ ...entry.details, ...(job ? { job: jobDetails(actor, job) } : {}) }),
    userAgent: request && storableText(request.userAgent),
    geo: request?.geo ? JSON.stringify(request.geo) : null,
    requestId: request?.id ?? null,
    organizationId: entry.organizationId ?? null,
    personOf: personal.test(entry.action) ? (isOfUser ? entry.target.id : actor.userId) : null,
  });
}

/** Tries the target of a stream with an entry that is not in the log. */
import type { AuditStreamTest } from "@forgeline/schemas/audit-streams/resource.ts";
import type { AuditEntry } from "@forgeline/schemas/audit/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { newId } from "../../../platform/ids.ts";
import { targetOfLog, type LogOwner } from "../audit-exports/log-owner.ts";
import type { Batch } from "./batch.ts";
import { openTarget, type OpenTargetDeps, type TargetRow } from "./open-target.ts";
import { TargetProblem } from "./stream-target.ts";

/** For all of it: somebody is waiting. */
const longestMs = 15_000;

export async function trySending(
  deps: OpenTargetDeps,
  { row, actor, owner }: { row: TargetRow; actor: Actor; owner: LogOwner },
): Promise<AuditStreamTest> {
  const startedAt = Date.now();
  const signal = AbortSignal.timeout(longestMs);
  const target = openTarget(deps, row);
  const ended = (error: string | null) => ({
    accepted: error === null,
    error,
    duration_ms: Date.now() - startedAt,
  });
  try {
    await target.send(testBatch(actor, owner), signal);
    await target.confirm(signal);
    return ended(null);
  } catch (error) {
    if (signal.aborted) return ended("The target did not respond in time.");
    if (error instanceof TargetProblem) return ended(error.message);
    throw error;
  } finally {
    target.close();
  }
}

function testBatch(actor: Actor, owner: LogOwner): Batch {
  const entry: AuditEntry = {
    id: newId("evt"),
    seq: null,
    hash: null,
    timestamp: new Date().toISOString(),
    actor: { id: actor.userId, username: actor.username, ip_address: null },
    action: "audit.stream_test",
    target: targetOfLog(owner),
    details: {},
    user_agent: null,
    geo: null,
    request_id: actor.request?.id ?? null,
  };
  return { lines: [JSON.stringify(entry)], place: null };
}

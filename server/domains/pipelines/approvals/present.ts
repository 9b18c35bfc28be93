/** Rows of gates as REST records. Pure. */
import { leastLevel } from "@forgeline/schemas/approvals/level.ts";
import type { ApprovalGate, AwaitedApproval } from "@forgeline/schemas/approvals/resource.ts";
import type { GoingBack } from "../environments/going-back.store.ts";
import type { NewerDeployment } from "../environments/newer.store.ts";
import type { AwaitedRow } from "./awaited.store.ts";
import type { ListedGate } from "./gates.store.ts";
import { shortageText } from "./gate-texts.ts";
import { runAddress } from "../runs/run-address.ts";

/** `able`: how many may approve, if that was counted. */
export function presentGate(row: ListedGate, able?: number): ApprovalGate {
  const { rule } = row;
  const state = stateOf(row);
  const isShort = state === "open" && able !== undefined && able < rule.count;
  return {
    id: row.id,
    stage: row.stage,
    job: row.job,
    environment: row.environment,
    sequence: row.sequence,
    sha: row.sha,
    state,
    count: rule.count,
    approvers: rule.approvers,
    level: leastLevel(rule),
    allow_self: rule.allowSelf,
    message: rule.message,
    approvals: row.approvals.map(({ user_id: id, username, decided_at, ...given }) => ({
      user: { id, username },
      decision: given.decision,
      comment: given.comment,
      counts: given.counts,
      at: new Date(decided_at).toISOString(),
    })),
    newer: row.newer && presentNewer(row.newer),
    rollback: row.rollback && presentRollback(row.rollback),
    shortage: isShort ? shortageText(rule, able, row.environment) : null,
    may_decide: state === "open" && row.may_decide,
    opened_at: row.opened_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    on_expire: rule.onExpire,
    decided_at: row.decided_at?.toISOString() ?? null,
  };
}

/** The run that waits; `approval` and `fork_approval` say for what. */
export function presentAwaited(
  row: AwaitedRow,
  { baseUrl, webUrl }: { baseUrl: string; webUrl: string },
): Pick<AwaitedApproval, "repository" | "pipeline"> {
  const { repository, pipeline_id: id, number, ref, sha } = row;
  const pipeline = {
    id,
    number,
    ref,
    commit: { sha, message: row.commit_message ?? "", author: row.commit_author ?? "" },
    url: `${baseUrl}/repos/${repository}/pipelines/${id}`,
    web_url: runAddress(webUrl, repository, number),
  };
  return { repository, pipeline };
}

function presentNewer({ environment, sha, refused, ...newer }: NewerDeployment): ApprovalGate["newer"] {
  return {
    environment,
    pipeline: { id: newer.pipeline_id, number: newer.number },
    sha,
    at: new Date(newer.at).toISOString(),
    refused,
  };
}

function presentRollback({ environment, sha, ...row }: GoingBack): ApprovalGate["rollback"] {
  const pipeline = { id: row.pipeline_id, number: row.number };
  return { environment, replaces: { pipeline, sha }, asked_by: row.asked_by };
}

export function isOpen(row: ListedGate): boolean {
  return stateOf(row) === "open";
}

/** The workflow writes down that a gate has expired; until then it is over already. */
function stateOf({ state, is_late: isLate, is_awaited: isAwaited }: ListedGate): ApprovalGate["state"] {
  if (state !== "open") return state;
  if (!isAwaited) return "closed";
  return isLate ? "expired" : "open";
}

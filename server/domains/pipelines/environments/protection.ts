/** What the protection of an environment asks of a job. Pure. */
import type { ApprovalLevel } from "@forgeline/schemas/approvals/level.ts";
import { pipelineLimits } from "@forgeline/schemas/pipeline-limits/limits.ts";
import type { EnvironmentProtection, GivenProtection } from "@forgeline/schemas/environments/resource.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PlanApproval } from "@forgeline/schemas/pipeline-file/plan-approval.ts";
import { isRefAmong, refLimitText } from "../runs/ref-limits.ts";
import type { NewerDeployment } from "./newer.store.ts";
import { withoutDeployments, type SourceTrust } from "../runs/source-trust.ts";

/** As it is stored. */
export interface StoredProtection {
  branches: string[];
  tags: string[];
  approvers: string[];
  approval_level: ApprovalLevel | null;
  approval_count: number;
  allow_self: boolean;
  wait_minutes: number;
  refuse_older: boolean;
}

export function protectionOf({
  approval_count: count,
  approval_level: level,
  ...row
}: StoredProtection): EnvironmentProtection {
  const { branches, tags, approvers, allow_self, wait_minutes, refuse_older } = row;
  return { branches, tags, approvers, level, count, allow_self, wait_minutes, refuse_older };
}

/** With its defaults: whoever says who may approve wants one of them to approve. */
export function withDefaults({ count, ...given }: GivenProtection): EnvironmentProtection {
  const saysWho = given.approvers.length > 0 || given.level !== null;
  return { ...given, count: count ?? (saysWho ? 1 : 0) };
}

/** Why the run may not deploy, as a sentence for people; null: it may. */
export function refusalOf(
  { name, ...protection }: Pick<StoredProtection, "branches" | "tags"> & { name: string },
  event: Pick<PipelineEvent, "branch" | "tag">,
  trust: SourceTrust,
): string | null {
  const ofSource = withoutDeployments(trust);
  if (ofSource !== null) return ofSource;
  if (isRefAmong(protection, event)) return null;
  return `The environment ${name} ${refLimitText(protection, event)}.`;
}

/** Why an older run may not replace what is there. */
export function olderText({ environment, number, sha, at }: NewerDeployment): string {
  const when = `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return `The newer run #${number} deployed commit ${sha.slice(0, 8)} to ${environment} on ${when}, and ${environment} refuses what is older. To go back on purpose, run this job again, or deploy an earlier version again from the page of the environment.`;
}

/** Gates of a run end earlier where administrators allow less. */
const longestMs = pipelineLimits.approval_days.highest * 24 * 60 * 60 * 1000;

/** The approvals that it asks for, in the form of the file's; `count` 0: none. */
export function ruleOf({
  approvers,
  approval_level: level,
  approval_count: count,
  allow_self: allowSelf,
}: StoredProtection): PlanApproval {
  const named = { approvers, ...(level === null ? {} : { level }) };
  return { ...named, count, allowSelf, expiresMs: longestMs, onExpire: "reject", message: null };
}

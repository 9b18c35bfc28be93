/** Options of `forgeline repo protection set` that rules for branches have and rules for tags have not. */
import { Option, type Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { mergeStrategies, pushLevels } from "@forgeline/client/generated/choices.ts";
import { UsageError } from "../../connection/settings.ts";
import { listed } from "../../options/listed.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";

type Level = (typeof pushLevels)[number];
type Strategy = (typeof mergeStrategies)[number];

export interface BranchRuleOptions {
  approvals?: number;
  dismissStale?: boolean;
  lastPushApproval?: boolean;
  codeOwners?: boolean;
  pipeline?: boolean;
  checks?: string[];
  linearHistory?: boolean;
  signedCommits?: boolean;
  strategies?: string[];
  mergeLevel?: Level;
  mergeUsers?: string[];
  mergeTeams?: string[];
  bypassUsers?: string[];
  bypassTeams?: string[];
  forcePush?: boolean;
  deletion?: boolean;
  mergeQueue?: number | false;
  queueWait?: number;
  queueBatches?: number;
}

export function addBranchRuleOptions(set: Command): Command {
  return set
    .option("--approvals <number>", "approvals a change needs; above 0, it comes by merge request", numberOf)
    .option("--dismiss-stale", "an approval stops counting when the source branch moves")
    .option("--no-dismiss-stale", "approvals go on counting (default)")
    .option("--last-push-approval", "somebody other than the last pusher has to approve")
    .option("--no-last-push-approval", "the last pusher may be the only one who approves (default)")
    .option("--code-owners", "code owners of the changed files have to approve")
    .option("--no-code-owners", "code owners need not approve (default)")
    .option("--pipeline", "accept only commits whose pipeline has passed")
    .option("--no-pipeline", "accept any commit (default)")
    .option("--checks <list>", 'files, or FILE#JOB, that have to pass, by commas; "" for none', listed)
    .option("--linear-history", "refuse merge commits")
    .option("--no-linear-history", "take merge commits (default)")
    .option("--signed-commits", "refuse commits without a verified signature")
    .option("--no-signed-commits", "take commits without one (default)")
    .option("--strategies <list>", "ways to merge, separated by commas (default: all)", listed)
    .addOption(new Option("--merge-level <level>", "lowest permission that may merge").choices(pushLevels))
    .option("--merge-users <list>", 'users who may also merge, separated by commas; "" for none', listed)
    .option("--merge-teams <list>", 'teams that may also merge, as ORG/TEAM; "" for none', listed)
    .option("--bypass-users <list>", 'users who may merge although something is missing; "": none', listed)
    .option("--bypass-teams <list>", 'teams that may do so, as ORG/TEAM; "" for none', listed)
    .option("--merge-queue <number>", "merge by a queue, at most so many together", numberOf)
    .option("--no-merge-queue", "merge directly (default)")
    .option("--queue-wait <minutes>", "how long the runs of a queue may take (default: 60)", numberOf)
    .option("--queue-batches <number>", "batches a queue tests at once (default: 1)", numberOf)
    .option("--force-push", "allow force pushes")
    .option("--no-force-push", "refuse force pushes (default)")
    .option("--deletion", "allow deleting the branch")
    .option("--no-deletion", "refuse deleting the branch (default)");
}

/** What was given of them. */
export function branchRuleOf(options: BranchRuleOptions) {
  return omitUndefined({
    required_approvals: options.approvals,
    dismiss_stale_approvals: options.dismissStale,
    require_last_push_approval: options.lastPushApproval,
    require_code_owners: options.codeOwners,
    require_pipeline: options.pipeline,
    required_checks: options.checks?.map(checkOf),
    require_linear_history: options.linearHistory,
    require_signed_commits: options.signedCommits,
    merge_strategies: options.strategies?.map(strategyOf),
    merge_level: options.mergeLevel,
    merge_users: options.mergeUsers,
    merge_teams: options.mergeTeams,
    bypass_users: options.bypassUsers,
    bypass_teams: options.bypassTeams,
    allow_force_push: options.forcePush,
    allow_deletion: options.deletion,
    merge_queue: queueOf(options),
  });
}

/** Null: none from now on. */
function queueOf({ mergeQueue, queueWait, queueBatches }: BranchRuleOptions) {
  if (mergeQueue === false) return null;
  const settings = { max_wait_minutes: queueWait, parallel_batches: queueBatches };
  if (mergeQueue !== undefined) return { max_batch: mergeQueue, ...omitUndefined(settings) };
  if (queueBatches !== undefined) throw new UsageError("--queue-batches takes --merge-queue as well");
  if (queueWait !== undefined) throw new UsageError("--queue-wait takes --merge-queue as well");
  return undefined;
}

/** In words, for a list. */
export function conditionsOf(rule: Schemas["BranchProtection"]): string {
  const { required_approvals: approvals, merge_strategies: strategies } = rule;
  const merging = [rule.merge_level, ...rule.merge_users, ...rule.merge_teams].join(",");
  return [
    ...(approvals > 0 ? [`${approvals} approval${approvals === 1 ? "" : "s"}`] : []),
    ...(rule.dismiss_stale_approvals ? ["of the newest commits"] : []),
    ...(rule.require_last_push_approval ? ["not the last pusher alone"] : []),
    ...(rule.require_code_owners ? ["code owners"] : []),
    ...(rule.require_pipeline ? ["pipeline"] : []),
    ...rule.required_checks.map(({ pipeline, job }) => (job === undefined ? pipeline : `${pipeline}#${job}`)),
    ...(rule.require_linear_history ? ["linear history"] : []),
    ...(rule.require_signed_commits ? ["signed commits"] : []),
    ...(strategies.length < mergeStrategies.length ? [`merge by ${strategies.join(" or ")}`] : []),
    ...(merging === "write" ? [] : [`merge: ${merging}`]),
    ...(rule.merge_queue ? [`merge queue of ${rule.merge_queue.max_batch}`] : []),
    ...(rule.allow_force_push ? ["force push allowed"] : []),
    ...(rule.allow_deletion ? ["deletion allowed"] : []),
  ].join(", ");
}

/** `FILE`, or `FILE#JOB`. */
function checkOf(text: string): Schemas["RequiredCheck"] {
  const at = text.lastIndexOf("#");
  return at === -1 ? { pipeline: text } : { pipeline: text.slice(0, at), job: text.slice(at + 1) };
}

function strategyOf(text: string): Strategy {
  const found = mergeStrategies.find((strategy) => strategy === text);
  if (!found) throw new UsageError(`"${text}" is no way to merge: ${mergeStrategies.join(", ")}`);
  return found;
}

function numberOf(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new UsageError(`"${text}" is not a number`);
  return Number(text);
}

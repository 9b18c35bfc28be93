/** What rules want of the signatures of commits, and which ways to merge are left without them: a squash makes one commit, by the server. */
import type { MergeStrategy } from "@forgeline/schemas/core/merge-strategies.ts";
import {
  nameUnverified,
  type Rule,
  type UnverifiedChanges,
  type UnverifiedCommit,
} from "../../../hosting/domain.ts";
import type { Subject } from "./owner-needs.ts";
import { allowedStrategies } from "./who.ts";

export interface AskedSignatures {
  repositoryId: string;
  subject: Subject;
  rules: readonly Rule[];
}

/** Some of those that the merge request would bring; none where no rule asks. */
export async function findUnsigned(
  unverifiedChanges: UnverifiedChanges,
  { repositoryId, subject: { head, target }, rules }: AskedSignatures,
): Promise<UnverifiedCommit[]> {
  if (!rules.some((rule) => rule.require_signed_commits)) return [];
  return unverifiedChanges.find(repositoryId, { head, target });
}

/** Where only signing helps, all ways stay: whoever waits for it chooses one now. */
export function strategiesFor(
  rules: readonly Rule[],
  unsigned: readonly UnverifiedCommit[],
): MergeStrategy[] {
  const allowed = allowedStrategies(rules);
  return unsigned.length > 0 && allowed.includes("squash") ? ["squash"] : allowed;
}

/** Why it cannot be merged in any way that is allowed, in words. */
export function unsignedReasons(rules: readonly Rule[], unsigned: readonly UnverifiedCommit[]): string[] {
  const ways = allowedStrategies(rules);
  return ways.length === 0 || ways.includes("squash") ? [] : reasonsOf(unsigned, "and push them again");
}

/** Why it cannot be merged in this way, in words. */
export function unsignedFor(
  strategy: MergeStrategy,
  rules: readonly Rule[],
  unsigned: readonly UnverifiedCommit[],
): string[] {
  if (strategy === "squash") return [];
  return allowedStrategies(rules).includes("squash")
    ? reasonsOf(unsigned, "or squash")
    : unsignedReasons(rules, unsigned);
}

function reasonsOf(unsigned: readonly UnverifiedCommit[], help: string): string[] {
  if (unsigned.length === 0) return [];
  const named = nameUnverified(unsigned);
  return [
    `The rules for this branch require signed commits: ${named}; sign them with a key of your account, ${help}.`,
  ];
}

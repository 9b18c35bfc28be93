/** The approval of a commit that comes from a fork, at the terminal. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

type ForkApproval = Schemas["ForkApproval"];

/** Whether nobody has decided yet. */
export function isAsked(fork: ForkApproval | null): fork is ForkApproval {
  return fork?.state === "open";
}

export function isForkApproval(decided: Schemas["ApprovalGate"] | ForkApproval): decided is ForkApproval {
  return "merge_request" in decided;
}

/** What the decision is about, and how it stands. */
export function forkSentence({ merge_request: number, author, sha, state }: ForkApproval): string {
  const what = `commit ${sha.slice(0, 8)} of merge request !${number}, from a fork by ${author}`;
  return terminalSafe(
    state === "open" ? `${what}: waits until somebody with Write approves it` : `${what}: ${state}`,
  );
}

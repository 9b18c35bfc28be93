/**
 * The expected access of every operation, written by hand from `spec.md` and `decisions.md` and from nothing in the
 * server. Each table is text so that it reads as one; this file gives its rows. A scope of `-` is none.
 */
import { scopes, type Scope } from "@forgeline/schemas/core/scopes.ts";
import { collaborationTable } from "./collaboration-table.ts";
import { organizationTable } from "./organization-table.ts";
import { generalTable } from "./general-table.ts";
import { repositoryTable } from "./repository-table.ts";

export const levels = ["read", "triage", "write", "maintain", "admin"] as const;
export type Level = (typeof levels)[number];

export interface RepositoryRow {
  about: "repository";
  operation: string;
  scope: Scope;
  level: Level;
  /** On an archived repository. */
  archived: "works" | "refused";
  /**
   * What everyone may do with a public repository, whoever asks and with whatever token: `reads`; `runs` while its
   * pipelines are open to everyone; `-` nothing.
   */
  everyone: "reads" | "runs" | "-";
  /** `deleted`: finds only what was deleted, and only for who had the level there. */
  finds: "present" | "deleted";
  /** Whether a job's token may: all that reads, and what stands in `forJobs`. */
  jobs: "may" | "-";
}

/** What the token of a job may do besides reading, in its own repository. */
const forJobs: ReadonlySet<string> = new Set([
  "putContents",
  "deleteContents",
  "createBranch",
  "deleteBranch",
  "createTag",
  "deleteTag",
  "triggerPipeline",
]);
/** For whoever sees the repository and is signed in: no reading. */
const forSignedIn: ReadonlySet<string> = new Set([
  "createFork",
  "decideApproval",
  "acceptTransfer",
  "cancelTransfer",
  "createIssue",
  "updateIssue",
  "updateIssues",
  "createIssueComment",
  "updateComment",
  "deleteComment",
  "addIssueReaction",
  "removeIssueReaction",
  "addCommentReaction",
  "removeCommentReaction",
  "addReviewReaction",
  "removeReviewReaction",
  "addMergeRequestReaction",
  "removeMergeRequestReaction",
  "createMergeRequest",
  "updateMergeRequest",
  "closeMergeRequest",
  "reopenMergeRequest",
  "updateSourceBranch",
  "rebaseSourceBranch",
  "restoreSourceBranch",
  "createMergeRequestComment",
  "cancelAutoMerge",
  "getSubscription",
  "putSubscription",
  "deleteSubscription",
  "getIssueSubscription",
  "putIssueSubscription",
  "deleteIssueSubscription",
  "getMergeRequestSubscription",
  "putMergeRequestSubscription",
  "deleteMergeRequestSubscription",
  "getViewedFiles",
  "setViewedFile",
  "removeViewedFile",
  "setSeen",
  "getChangesSince",
  "listFilesChangedSince",
  "getPatchSince",
  "applySuggestions",
  "resolveConflicts",
  "createReview",
  "updateReview",
  "submitReview",
  "deleteReview",
  "dismissReview",
  "setReviewers",
  "createThread",
  "createThreadComment",
  "resolveThread",
  "reopenThread",
  "setMergeRequestDraft",
  "removeFromMergeQueue",
]);

export interface OrganizationRow {
  about: "organization";
  operation: string;
  scope: Scope | null;
  needs: "everyone" | "member" | "owner" | "sees-team" | "in-team" | "manages-team";
}

export interface GeneralRow {
  about: "general";
  operation: string;
  scope: Scope | null;
  /** `every-scope` is a person with a browser, or with a token that has all of them. */
  needs: "everyone" | "person" | "every-scope" | "administrator";
  bots: "may" | "-";
  /** Tokens that are limited to some repositories. */
  limited: "may" | "-";
}

export type Row = RepositoryRow | OrganizationRow | GeneralRow;

const scopeColumn = [...scopes, "-"] as const;
const scopeOf = (cell: (typeof scopeColumn)[number]): Scope | null => (cell === "-" ? null : cell);

function repositoryRows(): RepositoryRow[] {
  const lines = [repositoryTable, collaborationTable].flatMap((table) => linesOf(table, 6));
  return lines.map(([operation = "", scope, level, archived, everyone, finds]) => ({
    about: "repository",
    operation,
    scope: oneOf(scopes, scope),
    level: oneOf(levels, level),
    archived: oneOf(["works", "refused"], archived),
    everyone: oneOf(["reads", "runs", "-"], everyone),
    finds: oneOf(["present", "deleted"], finds),
    jobs: forJobs.has(operation) || (level === "read" && !forSignedIn.has(operation)) ? "may" : "-",
  }));
}

function organizationRows(): OrganizationRow[] {
  const needs = ["everyone", "member", "owner", "sees-team", "in-team", "manages-team"] as const;
  return linesOf(organizationTable, 3).map(([operation = "", scope, need]) => ({
    about: "organization",
    operation,
    scope: scopeOf(oneOf(scopeColumn, scope)),
    needs: oneOf(needs, need),
  }));
}

function generalRows(): GeneralRow[] {
  const needs = ["everyone", "person", "every-scope", "administrator"] as const;
  return linesOf(generalTable, 5).map(([operation = "", scope, need, bots, limited]) => ({
    about: "general",
    operation,
    scope: scopeOf(oneOf(scopeColumn, scope)),
    needs: oneOf(needs, need),
    bots: oneOf(["may", "-"], bots),
    limited: oneOf(["may", "-"], limited),
  }));
}

/** Every operation once. Throws for a table that cannot be read. */
export function expectedAccess(): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const row of [...repositoryRows(), ...organizationRows(), ...generalRows()]) {
    if (rows.has(row.operation)) throw new Error(`${row.operation} has two rows`);
    rows.set(row.operation, row);
  }
  return rows;
}

/** The first line names the columns. */
function linesOf(table: string, columns: number): string[][] {
  const [, ...lines] = table.trim().split("\n");
  return lines
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const cells = line.trim().split(/\s+/);
      if (cells.length !== columns) throw new Error(`not ${columns} cells: ${line}`);
      return cells;
    });
}

function oneOf<T extends string>(words: readonly T[], cell: string | undefined): T {
  const word = words.find((each) => each === cell);
  if (word === undefined) throw new Error(`"${cell}" is none of ${words.join(", ")}`);
  return word;
}

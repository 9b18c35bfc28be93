/** A discussion becomes an issue. Nothing of a team leaves with it that readers of the issue may not know. */
import type { DiscussionIssueCreate } from "@forgeline/schemas/discussions/resource.ts";
import { levelCovers } from "@forgeline/schemas/core/repository-levels.ts";
import { maxBodyChars } from "@forgeline/schemas/work-items/resource.ts";
import type { Issue } from "@forgeline/schemas/issues/resource.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { hasScope, insufficientScope } from "../../../platform/access/requirement.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Authorizer, GrantedRepository, GrantedTeam, RepositoryRef } from "../../policy/domain.ts";
import type { AttachmentMoves } from "../attachments/moves.ts";
import type { IssueService } from "../issues/service.ts";
import { repositoryNamed } from "../issues/repository-named.ts";
import { lock, seenBy, viewerOf, type Caller } from "./board.ts";
import { statements, type DiscussionRow } from "./discussions.store.ts";
import { discussionRights } from "./rights.ts";

export interface DiscussionIssues {
  /**
   * Throws `insufficient_scope` for a token that may not read discussions, `not_found`, `forbidden` for those who may not reply or not open issues there, `quota_exceeded` for
   * its files as for uploads, `validation_failed` for an unknown repository or label, and `conflict` if there is an issue already.
   */
  create(
    actor: Actor,
    granted: GrantedTeam,
    wanted: DiscussionIssueCreate & { number: number },
  ): Promise<Issue>;
}

export interface DiscussionIssuesDeps {
  db: Database;
  authorizer: Pick<Authorizer, "authorizeRepository">;
  attachmentMoves: Pick<AttachmentMoves, "copyOfTeam">;
  issues: Pick<IssueService, "createIn" | "get">;
}

export function createDiscussionIssues(deps: DiscussionIssuesDeps): DiscussionIssues {
  const { db, authorizer, attachmentMoves, issues } = deps;
  const requirement = { access: "repo_signed_in", scope: "issue:write", archived: "refused" } as const;
  return {
    async create(actor, granted, { number, repository: name, labels, lock: isLocking }) {
      // The issue repeats what stands in the discussion, so that writing alone is not enough.
      if (!hasScope(actor, "org:read")) throw insufficientScope("org:read");
      const target = await repositoryNamed(authorizer, { actor, requirement }, name);
      const made = await db.transaction(async (tx) => {
        const row = await lockToConvert(tx, { actor, granted }, { number, isLocking });
        const places = placesOf(actor, granted, target);
        const copied = await attachmentMoves.copyOfTeam(tx, row.body, places);
        const body = withAuthor(copied, mayNameAuthor(granted, row, target.repository) ? row : undefined);
        const texts = { title: row.title, body, ...(labels ? { labels } : {}) };
        const issue = await issues.createIn(tx, { actor, granted: target }, texts);
        await tx.query(statements.setIssue, [row.id, issue.id]);
        if (isLocking && !row.locked) await tx.query(statements.setLocked, [row.id, true]);
        return issue;
      });
      return issues.get(actor, target, made.number);
    },
  };
}

const placesOf = (actor: Actor, { team }: GrantedTeam, { repository, level }: GrantedRepository) => ({
  teamId: team.id,
  repositoryId: repository.id,
  isGuest: !levelCovers(level, "triage"),
  uploaderId: userIdOf(actor),
});

async function lockToConvert(
  tx: Transaction,
  caller: Caller,
  { number, isLocking }: { number: number; isLocking: boolean },
): Promise<DiscussionRow> {
  const viewer = await viewerOf(tx, caller);
  const row = await lock(tx, seenBy(caller.granted, viewer), number);
  const may = discussionRights(viewer, row);
  if (!may.reply)
    throw new AppError("forbidden", { message: "Only those who may reply make an issue of a discussion." });
  if (isLocking && !may.moderate)
    throw new AppError("forbidden", { message: "Only those who manage the team lock discussions." });
  if (row.is_issue)
    throw new AppError("conflict", { message: "An issue was made of this discussion already." });
  return row;
}

/** Exported for its test. Whoever reads the issue may be nobody who may know of the discussion. */
export function mayNameAuthor(
  { team, organization }: Pick<GrantedTeam, "team" | "organization">,
  row: Pick<DiscussionRow, "private">,
  repository: Pick<RepositoryRef, "visibility" | "owner">,
): boolean {
  const isOwn = repository.owner.toLowerCase() === organization.name.toLowerCase();
  return team.visibility === "visible" && !row.private && isOwn && repository.visibility !== "public";
}

function withAuthor(body: string, row: DiscussionRow | undefined): string {
  if (!row?.author) return body;
  const credited = `${body}\n\n*Written by @${row.author.username} in a discussion of a team.*`.trim();
  return credited.length > maxBodyChars ? body : credited;
}

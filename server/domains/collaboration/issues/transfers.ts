/** An issue goes to another repository: with its texts, comments and history, and a number of that repository. */
import { maxBodyChars } from "@forgeline/schemas/work-items/resource.ts";
import { withFullReferences } from "@forgeline/markdown/with-full-references.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Authorizer, GrantedRepository, RepositoryRef } from "../../policy/domain.ts";
import type { AttachmentMoves } from "../attachments/moves.ts";
import type { CommentMoves } from "../comments/moves.ts";
import type { NotificationService } from "../notifications/inbox.ts";
import type { ItemMoves } from "../work-items/moves.ts";
import type { Place, WorkItems } from "../work-items/work-items.ts";
import type { IssueChanges } from "./changes.ts";
import { repositoryNamed } from "./repository-named.ts";
import type { IssueService } from "./service.ts";

export interface IssueTransferService {
  /**
   * The issue as it is there. Throws `not_found` (also where it has gone already), `validation_failed` for a repository that the
   * actor does not see, `forbidden` without Write there, and `conflict` where more people could read it there.
   */
  transfer(
    actor: Actor,
    granted: GrantedRepository,
    wanted: { number: number; repository: string },
  ): ReturnType<IssueService["get"]>;
}

export interface IssueTransferDeps {
  db: Database;
  authorizer: Pick<Authorizer, "authorizeRepository">;
  workItems: Pick<WorkItems, "lock">;
  itemMoves: ItemMoves;
  commentMoves: CommentMoves;
  attachmentMoves: AttachmentMoves;
  notifications: Pick<NotificationService, "moveItem">;
  issueChanges: Pick<IssueChanges, "tell">;
  issues: Pick<IssueService, "get">;
}

export function createIssueTransfers(deps: IssueTransferDeps): IssueTransferService {
  const { db, itemMoves, commentMoves, issueChanges } = deps;

  async function moveAll(tx: Transaction, place: Place, { from, to }: Ways): Promise<number> {
    const { item } = place;
    const whole = { repository: nameOf(from), maxLength: maxBodyChars };
    const renamed = (text: string) => withFullReferences(text, whole);
    // In this order everywhere: room for files, then a number.
    const copies = await deps.attachmentMoves.moveWith(tx, item.id, {
      from: from.id,
      to: to.id,
      by: place.actor.userId,
    });
    const body = [...copies].reduce(
      (text, [before, after]) => text.replaceAll(before, after),
      renamed(item.body),
    );
    const number = await itemMoves.move(tx, place, { repositoryId: to.id, body });
    await commentMoves.move(tx, item.id, { repositoryId: to.id, renamed });
    await deps.notifications.moveItem(tx, item.id, to.id);
    for (const [before, after] of copies) await commentMoves.replace(tx, item.id, { before, after });
    return number;
  }

  return {
    async transfer(actor, granted, { number, repository: name }) {
      const target = await repositoryNamed(deps.authorizer, { actor, requirement }, name);
      const ways = { from: granted.repository, to: target.repository };
      refuseWay(ways);
      const there = await db.transaction(async (tx) => {
        const before = { repositoryId: ways.from.id, number };
        const item = await deps.workItems.lock(tx, { ...before, kind: "issue" });
        await issueChanges.tell(tx, { ...before, actor }, "transferred");
        const after = { repositoryId: ways.to.id, number: await moveAll(tx, { item, actor }, ways) };
        await issueChanges.tell(tx, { ...after, actor }, "opened");
        await recordTransfer(tx, actor, { id: item.id, title: item.title, ways, before, after });
        return after.number;
      });
      return deps.issues.get(actor, target, there);
    },
  };
}

const requirement = { access: "repo_write", scope: "issue:write" } as const;

interface Ways {
  from: RepositoryRef;
  to: RepositoryRef;
}

const nameOf = ({ owner, name }: RepositoryRef) => `${owner}/${name}`;

const openness = { private: 0, internal: 1, public: 2 } as const;

function refuseWay({ from, to }: Ways): void {
  if (from.id === to.id) throw invalidField("repository", "invalid", "The issue is in this repository.");
  const isElsewhere =
    from.visibility === "internal" && to.visibility === "internal" && from.owner !== to.owner;
  if (openness[to.visibility] > openness[from.visibility] || isElsewhere)
    throw new AppError("conflict", {
      message: `${nameOf(to)} is not as closed as ${nameOf(from)}: people could read the issue there who cannot read it here.`,
    });
}

interface Transferred {
  id: string;
  title: string;
  ways: Ways;
  before: { repositoryId: string; number: number };
  after: { repositoryId: string; number: number };
}

/** In the logs of both. */
async function recordTransfer(tx: Transaction, actor: Actor, done: Transferred): Promise<void> {
  const { id, title, ways, before, after } = done;
  const from = `${nameOf(ways.from)}#${before.number}`;
  const to = `${nameOf(ways.to)}#${after.number}`;
  for (const [name, { repositoryId }] of [
    [from, before],
    [to, after],
  ] as const)
    await recordAudit(tx, actor, {
      action: "issue.transfer",
      target: { type: "issue", id, name },
      details: { title, from, to, repository_id: repositoryId },
    });
}

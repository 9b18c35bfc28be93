/** What a merge closes, for those who look before: issues that its description or its commits say they fix. */
import type { NamedItem } from "@forgeline/schemas/work-items/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { hasScope } from "../../../platform/access/requirement.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { Database } from "../../../platform/db/database.ts";
import { repositoryAddress } from "../../hosting/domain.ts";
import { listClosed, listClosing, statements, type ClosingRow } from "./closings.store.ts";
import { fixesOf, type CommitFixesDeps } from "./commit-fixes.ts";

export interface Closings {
  /** Issues that the merge request closes, as far as the actor sees them. */
  closedBy(actor: Actor, mergeRequestId: string): Promise<NamedItem[]>;
  /** Open merge requests that close the issue, as far as the actor sees them. */
  closing(actor: Actor, issueId: string): Promise<NamedItem[]>;
  /** Reads what the commits of a merge request fix, where its head has moved or its target is another branch. Safe to repeat. */
  follow(compared: ComparedHead): Promise<void>;
}

export interface ComparedHead {
  id: string;
  repositoryId: string;
  head: string;
  target: string;
  targetBranch: string;
}

export interface ClosingsDeps extends CommitFixesDeps {
  db: Database;
  addresses: Addresses;
}

/** Of one merge request; the first that are found. */
const maxKept = 100;

export function createClosings(deps: ClosingsDeps): Closings {
  const { db, addresses } = deps;

  function itemOf(row: ClosingRow, kind: "issues" | "merge-requests"): NamedItem {
    const { owner, name, number, title, is_open: isOpen } = row;
    const address = repositoryAddress(addresses, { owner, name });
    return {
      repository: `${owner}/${name}`,
      number,
      title,
      state: isOpen ? "open" : "closed",
      url: address.api(kind, String(number)),
      web_url: address.web(kind, String(number)),
    };
  }

  return {
    async closedBy(actor, mergeRequestId) {
      if (!hasScope(actor, "issue:read")) return [];
      const rows = await listClosed(db, mergeRequestId, actor);
      return rows.map((row) => itemOf(row, "issues"));
    },
    async closing(actor, issueId) {
      if (!hasScope(actor, "mr:read")) return [];
      const rows = await listClosing(db, issueId, actor);
      return rows.map((row) => itemOf(row, "merge-requests"));
    },
    async follow({ id, repositoryId, head, target, targetBranch }) {
      const read = await db.one(statements.findRead, [repositoryId, id, head, targetBranch]);
      if (!read || read.is_read) return;
      const fullName = `${read.owner}/${read.name}`.toLowerCase();
      const fixes = await fixesOf(deps, { repositoryId, fullName, sha: head, without: target });
      const numbers = [...fixes.keys()].slice(0, maxKept);
      await db.query(statements.keepRead, [id, head, targetBranch, numbers]);
    },
  };
}

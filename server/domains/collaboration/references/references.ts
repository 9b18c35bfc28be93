/**
 * Which issues and merge requests texts name, and what follows: a line in the timeline of what is named, and issues that a merge
 * closes ("Fixes #12").
 */
import {
  closingReferencesOf,
  referencesOf,
  type RecordReference,
} from "@forgeline/markdown/references-of.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { hasScope } from "../../../platform/access/requirement.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { IssueChanges } from "../issues/changes.ts";
import type { ItemKind, Place, WorkItems } from "../work-items/work-items.ts";
import { replaceReferences, resolveItems, statements, type Named } from "./references.store.ts";

export interface TextSource {
  item: { id: string; kind: string };
  /** Null: the description. */
  commentId: string | null;
  text: string;
}

export interface References {
  /** What a text names from now on, as far as its author sees it; what is named says so in its timeline, once for each source. */
  keep(
    tx: Transaction,
    place: { actor: Actor; repository: RepositoryRef },
    source: TextSource,
  ): Promise<void>;
  /** Of a text that closes nothing, such as that of a review: what it names says so in its timeline, once for each source. */
  mention(
    tx: Transaction,
    place: { actor: Actor; repository: RepositoryRef },
    source: Pick<TextSource, "item" | "text">,
  ): Promise<void>;
  /** One that is named outside a text, as far as the actor sees it. */
  resolve(
    tx: Transaction,
    place: { actor: Actor; repository: RepositoryRef },
    named: { repository: string | undefined; number: number },
  ): Promise<{ id: string; kind: ItemKind } | undefined>;
  /** Closes the issues that a merge request fixes, when it is merged into the default branch. */
  closeFixed(tx: Transaction, merged: Place): Promise<void>;
}

export interface ReferencesDeps {
  addresses: Pick<Addresses, "webUrl">;
  workItems: Pick<WorkItems, "mention">;
  issueChanges: Pick<IssueChanges, "closeAs">;
}

/** Most texts name nothing; reading one is dear. */
const mayName = /[#!]\d|\/(?:issues|merge-requests)\/\d/;

export function createReferences({ addresses, workItems, issueChanges }: ReferencesDeps): References {
  const instance = { instance: addresses.webUrl };
  return {
    async keep(tx, { actor, repository }, { item, commentId, text }) {
      const ofText = { sourceId: item.id, commentId };
      const named = mayName.test(text) ? itemsIn(referencesOf(text, instance), repository) : [];
      if (named.length === 0) return replaceReferences(tx, ofText, []);
      const mayClose = item.kind === "merge_request" && commentId === null;
      const closing = mayClose ? itemsIn(closingReferencesOf(text, instance), repository) : [];
      const closes = new Set(closing.map(keyOf));
      const found = (await resolveItems(tx, named, actor)).filter(({ id }) => id !== item.id);
      const targets = found.map((target) => ({ id: target.id, closes: closes.has(keyOf(target)) }));
      await replaceReferences(tx, ofText, targets);
      const targetIds = targets.map(({ id }) => id);
      await workItems.mention(tx, { sourceId: item.id, actorId: actor.userId, targetIds });
    },
    async mention(tx, { actor, repository }, { item, text }) {
      const named = mayName.test(text) ? itemsIn(referencesOf(text, instance), repository) : [];
      if (named.length === 0) return;
      const found = await resolveItems(tx, named, actor);
      const targetIds = found.map(({ id }) => id).filter((id) => id !== item.id);
      await workItems.mention(tx, { sourceId: item.id, actorId: actor.userId, targetIds });
    },
    async resolve(tx, { actor, repository }, { repository: fullName, number }) {
      const named = itemsIn([{ kind: "issue", repository: fullName, number }], repository);
      return (await resolveItems(tx, named, actor))[0];
    },
    async closeFixed(tx, { item, actor }) {
      const closed = await tx.query(statements.listClosed, [item.id, actor.userId, reachesOthers(actor)]);
      for (const { repository_id: repositoryId, number } of closed)
        await issueChanges.closeAs(tx, { repositoryId, number, actor }, { sourceId: item.id });
    },
  };
}

/** A credential that is limited, or that nobody knows any more, closes issues of its own repository alone. */
function reachesOthers(actor: Place["actor"]): boolean {
  if (!("kind" in actor)) return false;
  const known = actor as Actor;
  return known.kind === "user" && known.repositoryIds === null && hasScope(known, "issue:write");
}

function itemsIn(references: readonly RecordReference[], repository: RepositoryRef): Named[] {
  return references.flatMap((reference) => {
    if (reference.kind === "commit" || reference.number > maxNumber) return [];
    const fullName = reference.repository ?? `${repository.owner}/${repository.name}`;
    const [owner = "", name = ""] = fullName.toLowerCase().split("/");
    return [{ owner, name, number: reference.number }];
  });
}

/** The database has no greater ones. */
const maxNumber = 2_147_483_647;

function keyOf({ owner, name, number }: Named): string {
  return `${owner}/${name} ${number}`;
}

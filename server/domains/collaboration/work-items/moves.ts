/** An issue goes to another repository, with what can go with it. */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { LabelService } from "../labels/service.ts";
import type { MilestoneService } from "../milestones/service.ts";
import { findMoved, statements, type Viewing } from "./moves.store.ts";
import * as items from "./work-items.store.ts";
import type { Place } from "./work-items.ts";

export interface ItemMoves {
  /**
   * Gives the number that it has there. Its labels and its milestone stay as far as there are some of these names, and its
   * assignees as far as they may read it. The item is locked.
   */
  move(tx: Transaction, place: Place, wanted: { repositoryId: string; body: string }): Promise<number>;
  /** Where the issue is that once had this number, as far as the viewer sees it. */
  find(
    address: { repositoryId: string; number: number },
    viewer: Viewing,
  ): Promise<{ owner: string; name: string; number: number } | undefined>;
}

export interface ItemMovesDeps {
  db: Database;
  labels: Pick<LabelService, "findByNames" | "knownNames">;
  milestones: Pick<MilestoneService, "find" | "findByTitle">;
}

export function createItemMoves({ db, labels, milestones }: ItemMovesDeps): ItemMoves {
  async function milestoneThere(tx: Transaction, { item }: Place, repositoryId: string) {
    if (item.milestone_id === null) return null;
    const { title } = await milestones.find(tx, item.repository_id, item.milestone_id);
    return (await milestones.findByTitle(tx, repositoryId, title))?.id ?? null;
  }

  async function moveLabels(tx: Transaction, { item }: Place, repositoryId: string) {
    const before = await tx.query(items.statements.labelsOf, [item.id]);
    const names = before.map(({ name }) => name);
    const known = await labels.knownNames(tx, repositoryId, names);
    const there = await labels.findByNames(tx, repositoryId, known);
    await tx.query(statements.removeLabels, [item.id]);
    await tx.query(items.statements.addLabels, [item.id, there.map(({ id }) => id)]);
  }

  return {
    async move(tx, place, { repositoryId, body }) {
      const { item, actor } = place;
      const milestone = await milestoneThere(tx, place, repositoryId);
      const number = await items.takeNumber(tx, repositoryId);
      await moveLabels(tx, place, repositoryId);
      await tx.query(statements.moveItem, [item.id, repositoryId, number, body, milestone]);
      await tx.query(statements.insertMove, [item.repository_id, item.number, item.id]);
      await tx.query(statements.removeStrangers, [item.id, repositoryId]);
      const details = { repository_id: item.repository_id, number: String(item.number) };
      const target = { itemId: item.id, actorId: actor.userId };
      await items.insertEvents(tx, target, [{ kind: "transferred", details }]);
      return number;
    },
    find: (address, viewer) => findMoved(db, address, viewer),
  };
}

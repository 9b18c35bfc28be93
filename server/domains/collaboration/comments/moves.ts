/** Comments go with their issue to another repository. Authors and times stay; nobody has edited them. */
import type { Transaction } from "../../../platform/db/database.ts";
import { statements } from "./moves.store.ts";

/** Reading references takes time, and others wait for the issue: what comes after that many characters stays as it is. */
const maxReadChars = 1024 * 1024;

export interface CommentMoves {
  /** `renamed` gives the text as it is in the other repository. */
  move(
    tx: Transaction,
    itemId: string,
    wanted: { repositoryId: string; renamed: (text: string) => string },
  ): Promise<void>;
  /** In all texts below the issue. */
  replace(tx: Transaction, itemId: string, change: { before: string; after: string }): Promise<void>;
}

export const commentMoves: CommentMoves = {
  async move(tx, itemId, { repositoryId, renamed }) {
    const naming = await tx.query(statements.listNaming, [itemId, maxReadChars]);
    const changed = naming
      .map(({ id, body }) => ({ id, before: body, body: renamed(body) }))
      .filter(({ before, body }) => before !== body);
    await tx.query(statements.moveComments, [itemId, repositoryId]);
    if (changed.length === 0) return;
    const ids = changed.map(({ id }) => id);
    await tx.query(statements.setBodies, [ids, changed.map(({ body }) => body)]);
  },
  async replace(tx, itemId, { before, after }) {
    await tx.query(statements.replaceInBodies, [itemId, before, after]);
  },
};

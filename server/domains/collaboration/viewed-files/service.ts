/** Files of merge requests that somebody has marked as viewed, and the head that somebody saw last. */
import type { MergeRequest } from "@forgeline/schemas/merge-requests/resource.ts";
import {
  maxViewedFiles,
  type ViewedFiles,
  type ViewedFileSet,
} from "@forgeline/schemas/viewed-files/resource.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { GrantedRepository } from "../../policy/domain.ts";
import type { MergeRequestService } from "../merge-requests/service.ts";
import type { Heads } from "./heads.ts";
import { isSame, seenChange, sortMarks } from "./seen-change.ts";
import * as store from "./viewed-files.store.ts";

/** Everything is the caller's own. Each throws `not_found` for an unknown merge request. */
export interface ViewedFileService {
  list(actor: Actor, granted: GrantedRepository, number: number): Promise<ViewedFiles>;
  /**
   * Throws `validation_failed` for what it does not change, and `conflict` where the change is another one now, or may be: of a
   * replaced head that the actor has not seen, nothing is said. Safe to repeat.
   */
  set(actor: Actor, granted: GrantedRepository, wanted: ViewedFileSet & { number: number }): Promise<void>;
  /** Safe to repeat. */
  remove(actor: Actor, granted: GrantedRepository, wanted: { number: number; path: string }): Promise<void>;
  /** Throws `validation_failed` for a commit that it does not have, and that the actor has not seen before. */
  setSeen(actor: Actor, granted: GrantedRepository, wanted: { number: number; sha: string }): Promise<void>;
}

export interface ViewedFileServiceDeps {
  db: Database;
  heads: Heads;
  mergeRequests: Pick<MergeRequestService, "get">;
}

export function createViewedFileService({
  db,
  heads,
  mergeRequests,
}: ViewedFileServiceDeps): ViewedFileService {
  const readerOf = (actor: Actor, { id }: MergeRequest) => ({ id, userId: userIdOf(actor) });

  /** The change of the file as it is, where it is the one at that head. */
  async function changeSeen(
    { repository }: GrantedRepository,
    found: MergeRequest,
    { path, head_sha: head = found.head_sha }: ViewedFileSet,
  ): Promise<store.SeenChange> {
    const changeAt = async (sha: string) => {
      const files = await heads.filesAt(repository, found, sha);
      const file = files.find((each) => each.path === path);
      return file && seenChange(file);
    };
    const now = await changeAt(found.head_sha);
    if (head !== found.head_sha) {
      const then = await changeAt(head);
      if (then && !(now && isSame(then, now))) throw new AppError("conflict", { message: changedText });
    }
    if (!now) throw invalidField("path", "unknown", "The merge request does not change this file.");
    return now;
  }

  /** Before a file is looked for: the answer must not tell what a head changed that only others saw. */
  async function requireSeen(
    { repository }: GrantedRepository,
    found: MergeRequest,
    { userId, sha }: { userId: string; sha: string },
  ): Promise<void> {
    if (!(await heads.hadOnce(repository, found, sha)))
      throw invalidField("head_sha", "unknown", "The merge request never had this commit.");
    if (!(await heads.maySee(repository, found, { userId, sha })))
      throw new AppError("conflict", { message: replacedText });
  }

  return {
    async list(actor, granted, number) {
      const found = await mergeRequests.get(actor, granted, number);
      const [marks, files] = await Promise.all([
        store.listViewed(db, readerOf(actor, found)),
        heads.filesAt(granted.repository, found, found.head_sha),
      ]);
      return { head_sha: found.head_sha, ...sortMarks(marks, files), files_count: files.length };
    },
    async set(actor, granted, { number, ...wanted }) {
      const found = await mergeRequests.get(actor, granted, number);
      const { head_sha: sha } = wanted;
      const reader = readerOf(actor, found);
      if (sha !== undefined) await requireSeen(granted, found, { userId: reader.userId, sha });
      const seen = await changeSeen(granted, found, wanted);
      const mark = { path: wanted.path, ...seen, most: maxViewedFiles };
      await db.transaction((tx) => store.setViewed(tx, reader, mark));
    },
    async remove(actor, granted, { number, path }) {
      const found = await mergeRequests.get(actor, granted, number);
      await store.removeViewed(db, readerOf(actor, found), path);
    },
    async setSeen(actor, granted, { number, sha }) {
      const found = await mergeRequests.get(actor, granted, number);
      const reader = readerOf(actor, found);
      // Whoever has not seen it yet cannot say so of what a force push has removed.
      if (!(await heads.maySee(granted.repository, found, { userId: reader.userId, sha })))
        throw invalidField("sha", "unknown", "The merge request does not have this commit, or not any more.");
      await db.transaction((tx) => store.setLook(tx, reader, sha));
    },
  };
}

const replacedText =
  "A force push has replaced this head, and you have not looked at it before: look at the file as it is now, and mark it then.";
const changedText = "This file has changed since: look at it again, and mark it then.";

/** Suggested changes in comments of merge requests: listed, and applied in one commit that is pushed to the source branch. */
import type { Commit } from "@forgeline/schemas/commits/resource.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { MergeRequest } from "@forgeline/schemas/merge-requests/resource.ts";
import type { CommentSuggestions, SuggestionsApply } from "@forgeline/schemas/suggestions/resource.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Clock } from "../../../platform/clock.ts";
import { findTokens } from "../../../platform/credentials/find-tokens.ts";
import type { Database } from "../../../platform/db/database.ts";
import { isAncestor } from "../../../platform/git/history/is-ancestor.ts";
import { admitObjects, ObjectsRefused } from "../../../platform/git/objects/write-commit.ts";
import { makeFilesCommit } from "../../../platform/git/objects/write-files-commit.ts";
import type { SignCommit } from "../../../platform/git/signatures/sign-commit.ts";
import type { Platform } from "../../../platform/platform.ts";
import { commitIdentity, type UserRow } from "../../accounts/domain.ts";
import type { CommitService } from "../../hosting/domain.ts";
import type { GrantedRepository } from "../../policy/domain.ts";
import type { MergeRequestService } from "../merge-requests/service.ts";
import type { SourceBranches, SourceTip } from "../merge-requests/source-branch.ts";
import type { ThreadService } from "../reviews/threads.ts";
import { editFiles, refuseEdited, type EditedFile } from "./edits.ts";
import { locate, type Located, type LocatedOnes } from "./located.ts";
import { suggestionsMessage } from "./message.ts";
import { presentSuggestions } from "./present.ts";
import * as store from "./suggestions.store.ts";

type Applied = SuggestionsApply & { number: number };

export interface SuggestionService {
  /** Oldest first; the total counts comments. Throws `not_found`. */
  list(
    actor: Actor,
    granted: GrantedRepository,
    query: PageQuery & { number: number },
  ): Promise<{ items: CommentSuggestions[]; total: number }>;
  /**
   * The commit. Throws `not_found`; `forbidden` without Write on the repository of the source branch; `validation_failed` for unknown
   * comments; `conflict` for what is outdated, edited, applied, or in the way of another one, and where the merge request is not open; and what
   * a push is refused with.
   */
  apply(actor: Actor, granted: GrantedRepository, wanted: Applied): Promise<Commit>;
}

export interface SuggestionServiceDeps extends Pick<Platform, "git" | "storage" | "files"> {
  db: Database;
  addresses: Addresses;
  clock: Clock;
  users: {
    get(id: string): Promise<UserRow>;
    getMany(ids: readonly string[]): Promise<Map<string, UserRow>>;
  };
  commits: Pick<CommitService, "info" | "show">;
  signCommit: SignCommit;
  sourceBranches: Pick<SourceBranches, "see" | "find" | "push">;
  mergeRequests: Pick<MergeRequestService, "get">;
  threads: Pick<ThreadService, "setResolved">;
}

/** Of one answer: Git is asked for each. Older lines are left out then. */
const maxOtherCommits = 50;
/** The branch may move while the commit is made for it. */
const maxTries = 3;

export function createSuggestionService(deps: SuggestionServiceDeps): SuggestionService {
  const { db, files, mergeRequests } = deps;

  async function chosenOf(granted: GrantedRepository, id: string, { suggestions }: Applied) {
    const comments = [...new Set(suggestions.map(({ comment }) => comment))];
    const rows = await store.findSuggesting(db, id, comments);
    const applied = await store.listApplied(db, comments);
    const wanted = new Set(suggestions.map(({ comment, index }) => `${comment} ${index}`));
    const isWanted = (comment: string, index: number) => wanted.has(`${comment} ${index}`);
    const { found, incomplete } = await locate(files, granted.repository.id, { rows, applied, isWanted });
    if (incomplete.size > 0)
      throw conflict("The files are too large to apply all of these at once: choose fewer.");
    return suggestions.map(({ comment, index, digest }, at) => {
      const one = found.find((each) => each.row.id === comment && each.index === index);
      if (!one) throw unknownSuggestion(at);
      refuseEdited(one, digest);
      return one;
    });
  }

  /** Those of the head's history: the lines of a head that a force push has removed are not for everybody. */
  async function shownOf(
    { repository }: GrantedRepository,
    { head_sha: head }: MergeRequest,
    { found }: LocatedOnes,
  ) {
    const directory = deps.storage.directory(repository.id);
    const shown = new Set([head]);
    const others = new Set(found.flatMap(({ before, sha }) => (before && sha !== head ? [sha] : [])));
    for (const sha of [...others].slice(0, maxOtherCommits)) {
      const step = { directory, quarantine: null, before: sha, after: head };
      if (await isAncestor(deps.git.run, step)) shown.add(sha);
    }
    return shown;
  }

  async function write(
    actor: Actor,
    { repository, sha: parent }: SourceTip,
    made: { wanted: Applied; chosen: readonly Located[]; edited: readonly EditedFile[] },
  ): Promise<string> {
    const { number, message } = made.wanted;
    const committer = commitIdentity(await deps.users.get(userIdOf(actor)));
    const authors = made.chosen.flatMap(({ row }) => row.author_id ?? []);
    const known = await deps.users.getMany([...new Set(authors)]);
    const suggesters = [...known.values()].map(commitIdentity);
    const { tree } = await deps.commits.info(repository, parent);
    const commit = await makeFilesCommit((oid) => files.readTree(repository.id, oid), {
      parent: { sha: parent, tree },
      files: made.edited,
      message: suggestionsMessage({ number, count: made.chosen.length, message, committer, suggesters }),
      author: committer,
      committer,
      time: deps.clock.now(),
      sign: deps.signCommit,
    });
    if (commit.tree === tree) throw conflict("The branch has these lines already.");
    const directory = deps.storage.directory(repository.id);
    await admitObjects(deps.git.run, directory, commit.objects).catch(refuseContent);
    return commit.sha;
  }

  /** undefined where the branch has moved meanwhile. */
  async function attempt(actor: Actor, granted: GrantedRepository, wanted: Applied) {
    const found = await mergeRequests.get(actor, granted, wanted.number);
    const tip = await deps.sourceBranches.find(actor, granted, found);
    const chosen = await chosenOf(granted, found.id, wanted);
    refuseSecrets(chosen);
    const source = { repositoryId: tip.repository.id, sha: tip.sha };
    const edited = await editFiles(files, { reviewed: granted.repository.id, source }, chosen);
    const sha = await write(actor, tip, { wanted, chosen, edited });
    if (!(await deps.sourceBranches.push(actor, tip, sha))) return undefined;
    return { sha, chosen, repository: tip.repository };
  }

  /** The commit is there whatever happens here: what is not noted is outdated from now on. */
  async function note(actor: Actor, granted: GrantedRepository, done: Done): Promise<void> {
    const { number, sha, chosen } = done;
    await db.transaction(async (tx) => {
      for (const { row, index, digest } of chosen)
        await store.insertApplied(tx, { comment: row.id, index, digest, sha, userId: userIdOf(actor) });
    });
    for (const thread of new Set(chosen.map(({ row }) => row.thread_id)))
      await deps.threads
        .setResolved(actor, granted, { number, thread, resolved: true })
        .catch((error: unknown) => {
          // Somebody else's thread in a repository where the caller may not write, or one that is gone.
          if (!(error instanceof AppError)) throw error;
        });
  }

  return {
    async list(actor, granted, { number, ...page }) {
      const found = await mergeRequests.get(actor, granted, number);
      const { rows, total } = await store.listSuggesting(db, found.id, page);
      const ids = rows.map(({ id }) => id);
      const [applied, source] = await Promise.all([
        store.listApplied(db, ids),
        deps.sourceBranches.see(actor, granted, found),
      ]);
      const located = await locate(files, granted.repository.id, { rows, applied });
      const mayApply = found.state === "open" && !granted.repository.archived && (source?.mayPush ?? false);
      const shown = await shownOf(granted, found, located);
      return {
        items: presentSuggestions(rows, located, { mayApply, addresses: deps.addresses, shown }),
        total,
      };
    },
    async apply(actor, granted, wanted) {
      refuseTwice(wanted);
      for (let tries = 0; tries < maxTries; tries += 1) {
        const done = await attempt(actor, granted, wanted);
        if (!done) continue;
        await note(actor, granted, { ...done, number: wanted.number });
        const [commit] = await deps.commits.show(done.repository, [done.sha]);
        if (!commit) throw new AppError("not_found");
        return commit;
      }
      throw conflict("The source branch is moving too fast: try again in a moment.");
    },
  };
}

interface Done {
  number: number;
  sha: string;
  chosen: readonly Located[];
}

function conflict(message: string): AppError {
  return new AppError("conflict", { message });
}

function unknownSuggestion(at: number): AppError {
  const message = "This merge request has no such suggestion in a comment on lines of the new side.";
  return invalidField(`suggestions.${at}`, "unknown", message);
}

function refuseTwice({ suggestions }: Applied): void {
  const names = suggestions.map(({ comment, index }) => `${comment} ${index}`);
  const at = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (at >= 0) throw invalidField(`suggestions.${at}`, "duplicate", "Each suggestion can be applied once.");
}

/** The files were looked through when they were pushed. */
function refuseSecrets(chosen: readonly Located[]): void {
  for (const [at, { lines }] of chosen.entries()) {
    const [first] = findTokens(Buffer.from(lines.join("\n")));
    if (!first) continue;
    const message = `It contains ${first.kind}, which everyone who can read the repository could use.`;
    throw invalidField(`suggestions.${at}`, "secret", message);
  }
}

/** Everything else was checked before, so it is the lines that Git refuses. */
function refuseContent(error: unknown): never {
  throw error instanceof ObjectsRefused ? invalidField("suggestions", "refused", error.message) : error;
}

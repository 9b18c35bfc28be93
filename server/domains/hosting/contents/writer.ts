/** Changes one file of a branch by a commit, and pushes it. */
import type { ContentsDelete, ContentsPut, WrittenContents } from "@forgeline/schemas/contents/resource.ts";
import { findEntry } from "../../../platform/git/objects/find-entry.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import type { RunGit } from "../../../platform/git/processes/run-git.ts";
import type { SignCommit } from "../../../platform/git/signatures/sign-commit.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import type { TreeEntry } from "../../../platform/git/objects/tree.ts";
import {
  admitObjects,
  makeCommit,
  ObjectsRefused,
  type NewCommit,
} from "../../../platform/git/objects/write-commit.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { Clock } from "../../../platform/clock.ts";
import { findTokens } from "../../../platform/credentials/find-tokens.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { PushService } from "../pushes/service.ts";
import { commitIdentity, type UserRow } from "../../accounts/domain.ts";
import { pathProblem } from "./check-path.ts";
import type { CommitService } from "../commits/service.ts";
import { repositoryAddress } from "../repositories/repository-address.ts";
import { presentEntry } from "./present.ts";

export interface ContentsWriter {
  /**
   * Creates the file, or replaces the one whose object is `sha`. Throws `conflict` when another file is there, or the
   * branch moved meanwhile; `validation_failed` that names the field.
   */
  put(
    repository: RepositoryRef,
    actor: Actor,
    change: { path: string; wanted: ContentsPut },
  ): Promise<WrittenContents>;
  /** Throws as `put`, and `not_found` when there is no such file. */
  remove(
    repository: RepositoryRef,
    actor: Actor,
    change: { path: string; wanted: ContentsDelete },
  ): Promise<void>;
}

export interface ContentsWriterDeps {
  files: RepositoryFiles;
  storage: RepositoryStorage;
  runGit: RunGit;
  pushes: Pick<PushService, "move">;
  commits: Pick<CommitService, "show">;
  signCommit: SignCommit;
  addresses: Addresses;
  users: { get(id: string): Promise<UserRow> };
  clock: Clock;
}

export function createContentsWriter(deps: ContentsWriterDeps): ContentsWriter {
  return {
    async put(repository, actor, { path, wanted }) {
      const bytes = Buffer.from(wanted.content, "base64");
      const secrets = secretsIn(bytes, path, wanted.allow_secrets);
      const place = await findTarget(deps, repository, { path, wantedBranch: wanted.branch });
      if (place.entry && place.entry.type !== "file")
        throw invalidField("path", "invalid", `This is a ${place.entry.type}, which cannot be written to.`);
      checkExpected(place.entry, wanted.sha);
      const executable = place.entry?.executable ?? false;
      const written = await push(deps, {
        repository,
        actor,
        wanted,
        place,
        path,
        file: { bytes, executable },
        secrets,
      });
      const name = path.split("/").at(-1) ?? path;
      const entry: TreeEntry = { name, oid: written.blob ?? zeroId, type: "file", executable };
      const [commit] = await deps.commits.show(repository, [written.sha]);
      if (!commit) throw new AppError("not_found");
      const address = repositoryAddress(deps.addresses, repository);
      return { content: presentEntry(entry, bytes.length, { address, ref: place.branch, path }), commit };
    },
    async remove(repository, actor, { path, wanted }) {
      const place = await findTarget(deps, repository, { path, wantedBranch: wanted.branch });
      if (!place.entry) throw new AppError("not_found", { message: "The file does not exist." });
      if (place.entry.type === "directory")
        throw invalidField("path", "invalid", "This is a directory; delete its files instead.");
      checkExpected(place.entry, wanted.sha);
      await push(deps, { repository, actor, wanted, place, path, file: null, secrets: [] });
    },
  };
}

interface Target {
  branch: string;
  /** The branch's commit; null where the default branch does not exist yet. */
  head: string | null;
  entry: TreeEntry | undefined;
}

async function findTarget(
  deps: ContentsWriterDeps,
  repository: RepositoryRef,
  { path, wantedBranch }: { path: string; wantedBranch: string | undefined },
): Promise<Target> {
  const problem = pathProblem(path);
  if (problem) throw invalidField("path", "invalid", problem);
  const branch = wantedBranch ?? repository.defaultBranch;
  const ref = `refs/heads/${branch}`;
  const found = await deps.files.resolveRef(repository.id, ref);
  if (!found && branch !== repository.defaultBranch)
    throw invalidField("branch", "invalid", `No branch is named ${branch.slice(0, 200)}.`);
  if (!found) return { branch, head: null, entry: undefined };
  const there = await findEntry(deps.files, { repositoryId: repository.id, sha: found.sha, path });
  if (there.kind === "blocked")
    throw invalidField(
      "path",
      "invalid",
      `${there.path} is a ${there.entry.type}, so it cannot contain files.`,
    );
  return { branch, head: found.sha, entry: there.kind === "entry" ? there.entry : undefined };
}

/** The writer must have seen the version that is replaced. */
function checkExpected(entry: TreeEntry | undefined, sha: string | undefined): void {
  if (sha === entry?.oid) return;
  const message =
    entry === undefined
      ? "The file with this `sha` no longer exists."
      : sha === undefined
        ? "The file already exists; send its `sha` to replace it."
        : "The file has changed since this `sha`; read it again.";
  throw new AppError("conflict", { message });
}

interface Change {
  repository: RepositoryRef;
  actor: Actor;
  wanted: Pick<ContentsPut, "message" | "author">;
  place: Target;
  path: string;
  file: NewCommit["file"];
  /** Secrets in the file that the caller allows, as `path:line`. */
  secrets: readonly string[];
}

async function push(
  deps: ContentsWriterDeps,
  { repository, actor, wanted, place, path, file, secrets }: Change,
): Promise<{ sha: string; blob: string | null }> {
  const committer = commitIdentity(await deps.users.get(userIdOf(actor)));
  const { sha, blob, objects } = await makeCommit((oid) => deps.files.readTree(repository.id, oid), {
    parent:
      place.head === null ? null : { sha: place.head, tree: await treeOf(deps, repository, place.head) },
    path,
    file,
    message: wanted.message,
    author: wanted.author ?? committer,
    committer,
    time: deps.clock.now(),
    // The instance vouches for its users, and neither for an author that one of them names nor for what a job writes as one of them.
    sign: wanted.author || actor.job ? undefined : deps.signCommit,
  });
  await admitObjects(deps.runGit, deps.storage.directory(repository.id), objects).catch(refuseContent);
  const ref = `refs/heads/${place.branch}`;
  const update = { ref, before: place.head ?? zeroId, after: sha };
  await deps.pushes.move(repository, actor, { update, overridden: secrets });
  return { sha, blob };
}

/** Path, message and author were checked before, so it is the file that Git refuses. */
function refuseContent(error: unknown): never {
  throw error instanceof ObjectsRefused ? invalidField("content", "refused", error.message) : error;
}

/** Throws `validation_failed` for secrets that the caller does not allow. */
function secretsIn(bytes: Buffer, path: string, allowed: boolean): string[] {
  const found = findTokens(bytes);
  const [first] = found;
  if (first && !allowed) {
    const message = `Line ${first.line} is ${first.kind}, which everyone who can read the repository could use. If it is not a secret, send \`allow_secrets\`.`;
    throw invalidField("content", "secret", message);
  }
  return found.map(({ line }) => `${path}:${line}`);
}

async function treeOf(deps: ContentsWriterDeps, repository: RepositoryRef, sha: string): Promise<string> {
  const commit = await deps.files.commitInfo(repository.id, sha);
  if (!commit) throw new AppError("not_found");
  return commit.tree;
}

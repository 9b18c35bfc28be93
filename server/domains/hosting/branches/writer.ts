/** Creates and deletes branches and tags, as a push would. */
import type { Branch, BranchCreate, Tag, TagCreate } from "@forgeline/schemas/branches/resource.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { RepositoryFiles, ResolvedRef } from "../../../platform/git/storage/repository-files.ts";
import type { RunGit } from "../../../platform/git/processes/run-git.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import { writeTag } from "../../../platform/git/objects/write-tag.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Clock } from "../../../platform/clock.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { checkRefUpdates } from "../pushes/check-ref-updates.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import type { PushService } from "../pushes/service.ts";
import { commitIdentity, type UserRow } from "../../accounts/domain.ts";
import type { BranchService, RefKind } from "./service.ts";

export interface BranchWriter {
  /** Throws `validation_failed` for a bad name or an unknown `ref`, `conflict` for a name in use. */
  createBranch(repository: RepositoryRef, actor: Actor, wanted: BranchCreate): Promise<Branch>;
  createTag(repository: RepositoryRef, actor: Actor, wanted: TagCreate): Promise<Tag>;
  /** Throws `not_found`, and `conflict` for the default branch. */
  remove(repository: RepositoryRef, actor: Actor, ref: { kind: RefKind; name: string }): Promise<void>;
}

export interface BranchWriterDeps {
  files: RepositoryFiles;
  branches: Pick<BranchService, "find" | "showBranch" | "showTag">;
  storage: RepositoryStorage;
  runGit: RunGit;
  pushes: Pick<PushService, "move">;
  users: { get(id: string): Promise<UserRow> };
  clock: Clock;
}

export function createBranchWriter(deps: BranchWriterDeps): BranchWriter {
  const { files, pushes } = deps;

  async function startOf(repository: RepositoryRef, ref: string | undefined): Promise<ResolvedRef> {
    const start = ref ?? `refs/heads/${repository.defaultBranch}`;
    const found = await files.resolveRef(repository.id, start);
    const kept = found ?? (await files.resolveKept(repository.id, start));
    if (kept) return kept;
    throw invalidField(
      "ref",
      "unknown",
      `No branch, tag or commit is named ${ref ?? repository.defaultBranch}.`,
    );
  }

  async function annotate(
    repository: RepositoryRef,
    actor: Actor,
    tag: { name: string; sha: string; message: string },
  ) {
    const tagger = commitIdentity(await deps.users.get(userIdOf(actor)));
    const directory = deps.storage.directory(repository.id);
    return writeTag(deps.runGit, { directory, ...tag, tagger, time: deps.clock.now() });
  }

  return {
    async createBranch(repository, actor, { name, ref: start }) {
      const ref = checkName(repository, "heads", name);
      const { sha } = await startOf(repository, start);
      await pushes.move(repository, actor, { update: { ref, before: zeroId, after: sha } });
      return deps.branches.showBranch(repository, { ref, oid: sha });
    },
    async createTag(repository, actor, { name, ref: start, message }) {
      const ref = checkName(repository, "tags", name);
      const { sha } = await startOf(repository, start);
      const oid = message === undefined ? sha : await annotate(repository, actor, { name, sha, message });
      await pushes.move(repository, actor, { update: { ref, before: zeroId, after: oid } });
      return deps.branches.showTag(repository, { ref, oid });
    },
    async remove(repository, actor, { kind, name }) {
      const { ref, oid } = await deps.branches.find(repository, kind, name);
      const update: RefUpdate = { ref, before: oid, after: zeroId };
      const [problem] = checkRefUpdates([update], repository.defaultBranch);
      if (problem) throw new AppError("conflict", { message: problem });
      await pushes.move(repository, actor, { update });
    },
  };
}

/** Leaves room for `.lock` after each part, which is a file name on the server's disk. */
const maxPartBytes = 240;

/** The full name. */
function checkName(repository: RepositoryRef, kind: RefKind, name: string): string {
  const ref = `refs/${kind}/${name}`;
  const update = { ref, before: zeroId, after: "1".repeat(40) };
  const [problem] = checkRefUpdates([update], repository.defaultBranch);
  if (problem) throw invalidField("name", "invalid", problem);
  if (name.split("/").some((part) => Buffer.byteLength(part) > maxPartBytes))
    throw invalidField("name", "too_long", `Each part of a name can have at most ${maxPartBytes} bytes.`);
  return ref;
}

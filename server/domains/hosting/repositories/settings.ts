/** Settings of repositories. Permissions are checked before, by the one permission mechanism; changes are audited. */
import type { RepositoryUpdate } from "@forgeline/schemas/repositories/resource.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { GrantedRepository } from "../../policy/domain.ts";
import { isBranchName } from "./check-create.ts";
import { recordRepositoryEvents, type NewEvent } from "./repository-events.ts";
import { lockRepository, conflictIfTaken, saveSettings, type Settings } from "./settings.store.ts";
import { findById, type RepositoryRow } from "./repositories.store.ts";
import type { RepositoryView, RepositoryViews } from "./views.ts";

export interface RepositorySettings {
  /**
   * Throws `forbidden` for changes that require `admin`, `validation_failed`, and `conflict` for a name that the owner has
   * used.
   */
  update(actor: Actor, granted: GrantedRepository, wanted: RepositoryUpdate): Promise<RepositoryView>;
  setTopics(actor: Actor, granted: GrantedRepository, topics: readonly string[]): Promise<RepositoryView>;
  /** May run twice: nothing is changed or audited then. */
  setArchived(actor: Actor, granted: GrantedRepository, archived: boolean): Promise<RepositoryView>;
}

export interface RepositorySettingsDeps {
  db: Database;
  storage: RepositoryStorage;
  files: Pick<RepositoryFiles, "resolveRef">;
  views: RepositoryViews;
  /** Requests statistics of another branch. */
  markStatistics(tx: Transaction, repositoryId: string): Promise<void>;
}

export function createRepositorySettings(deps: RepositorySettingsDeps): RepositorySettings {
  const { db, storage, files } = deps;

  /** `choose` returns the changes. */
  async function change(
    actor: Actor,
    { repository: { id }, level }: GrantedRepository,
    choose: (row: RepositoryRow) => Partial<Settings>,
  ): Promise<RepositoryView> {
    const row = await db.transaction(async (tx) => {
      const before = await lockRepository(tx, id);
      if (!before) throw new AppError("not_found");
      const wanted = choose(before);
      if (!isChange(before, wanted)) return before;
      if (!(await conflictIfTaken(before.owner, () => saveSettings(tx, before, { ...before, ...wanted }))))
        throw new AppError("conflict", {
          message: `${before.owner} already has a repository with this name.`,
        });
      await recordChanges(tx, { actor, before, wanted });
      await recordRepositoryEvents(
        tx,
        { repositoryId: id, senderId: actor.userId },
        eventsOf(before, wanted),
      );
      // Watchers who lose access with this change are disconnected.
      if (wanted.visibility !== undefined || wanted.public_pipelines !== undefined)
        await tx.notify("token", "");
      if (wanted.default_branch !== undefined) {
        await storage.setDefaultBranch(id, wanted.default_branch);
        await deps.markStatistics(tx, id);
      }
      const after = await findById(tx, id);
      if (!after) throw new AppError("not_found");
      return after;
    });
    return deps.views.one(actor, row, level);
  }

  async function checkBranch(id: string, branch: string | undefined): Promise<void> {
    if (branch === undefined) return;
    if (!isBranchName(branch))
      throw invalidField("default_branch", "invalid", "This is not a valid branch name.");
    if (await files.resolveRef(id, `refs/heads/${branch}`)) return;
    const present = (await findById(db, id))?.default_branch;
    // An empty repository has no branch to choose.
    const isEmpty = !present || !(await files.resolveRef(id, `refs/heads/${present}`));
    if (!isEmpty && branch !== present)
      throw invalidField("default_branch", "unknown", "The repository has no branch with this name.");
  }

  return {
    async update(actor, granted, wanted) {
      const { repository, level } = granted;
      if (level !== "admin") refuseDangerous(wanted);
      await checkBranch(repository.id, wanted.default_branch);
      const { private: isPrivate, visibility: named, ...rest } = wanted;
      return change(actor, granted, (row) => {
        const visibility = visibilityOf(row, named, isPrivate);
        return { ...rest, ...(visibility === undefined ? {} : { visibility }) } as Partial<Settings>;
      });
    },
    setTopics: (actor, granted, topics) =>
      change(actor, granted, () => ({ topics: [...new Set(topics)].sort() })),
    setArchived: (actor, granted, archived) => change(actor, granted, () => ({ archived })),
  };
}

/** Only admins may change who sees the repository, its name, what others can make it run, or what its jobs may do. Throws `forbidden`. */
function refuseDangerous(wanted: RepositoryUpdate): void {
  const dangerous = [
    "name",
    "visibility",
    "private",
    "public_pipelines",
    "mirror_sync_pipelines",
    "fork_sync_pipelines",
    "job_permissions_max",
  ] as const;
  const field = dangerous.find((each) => wanted[each] !== undefined);
  if (field !== undefined)
    throw new AppError("forbidden", {
      message: `Changing ${field} requires admin permission on the repository.`,
    });
}

/** Undefined: unchanged. Throws `validation_failed`. */
function visibilityOf(
  row: RepositoryRow,
  named: Settings["visibility"] | undefined,
  isPrivate: boolean | undefined,
): Settings["visibility"] | undefined {
  if (named === "internal" && row.owner_kind === "user")
    throw invalidField("visibility", "not_allowed", "`internal` requires an organization as the owner.");
  if (named !== undefined || isPrivate === undefined) return named;
  if (isPrivate === (row.visibility !== "public")) return undefined;
  return isPrivate ? "private" : "public";
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function isChange(before: RepositoryRow, wanted: Partial<Settings>): boolean {
  return changedKeys(before, wanted).length > 0;
}

function changedKeys(before: RepositoryRow, wanted: Partial<Settings>): (keyof Settings)[] {
  return (Object.keys(wanted) as (keyof Settings)[]).filter(
    (key) => wanted[key] !== undefined && !same(before[key], wanted[key]),
  );
}

async function recordChanges(
  tx: Transaction,
  { actor, before, wanted }: { actor: Actor; before: RepositoryRow; wanted: Partial<Settings> },
): Promise<void> {
  const target = { type: "repository", id: before.id, name: `${before.owner}/${before.name}` };
  const keys = changedKeys(before, wanted);
  if (keys.includes("visibility"))
    await recordAudit(tx, actor, {
      action: "repo.visibility_change",
      target,
      details: { old_visibility: before.visibility, new_visibility: wanted.visibility },
    });
  if (keys.includes("archived"))
    await recordAudit(tx, actor, {
      action: "repo.archive",
      target,
      details: { archived: wanted.archived },
    });
  if (keys.includes("name"))
    await recordAudit(tx, actor, {
      action: "repo.rename",
      target,
      details: { old_name: before.name, new_name: wanted.name },
    });
  const others = keys.filter((key) => !["visibility", "archived", "name"].includes(key));
  if (others.length === 0) return;
  const changes = Object.fromEntries(others.map((key) => [key, { from: before[key], to: wanted[key] }]));
  await recordAudit(tx, actor, { action: "repo.settings_change", target, details: { changes } });
}

/** What followers are told, one event for each kind of change. */
function eventsOf(before: RepositoryRow, wanted: Partial<Settings>): NewEvent[] {
  const keys = changedKeys(before, wanted);
  const changes = (of: readonly (keyof Settings)[]) => ({
    changes: Object.fromEntries(of.map((key) => [key, { from: before[key] }])),
  });
  const kind = "repository";
  const special = {
    visibility: "visibility_changed",
    archived: wanted.archived ? "archived" : "unarchived",
    name: "renamed",
  } as const;
  const isSpecial = (key: keyof Settings): key is keyof typeof special => key in special;
  const others = keys.filter((key) => !isSpecial(key));
  return [
    ...keys
      .filter(isSpecial)
      .map((key) => ({ kind, action: special[key], subject: changes([key]) }) as const),
    ...(others.length > 0 ? [{ kind, action: "edited", subject: changes(others) } as const] : []),
  ];
}

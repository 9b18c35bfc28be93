/** Imports as people ask for them. Each sees the own ones, and those into repositories that they administer. */
import type { ImportListQuery } from "@forgeline/schemas/imports/routes.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import {
  maxOpenImports,
  type Import,
  type ImportCreate,
  type ImportNote,
  type ImportRetry,
} from "@forgeline/schemas/imports/resource.ts";
import { repositoryName } from "@forgeline/schemas/core/ids.ts";
import { levelCovers } from "@forgeline/schemas/core/repository-levels.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Queryable, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import type { Mirroring, RepositoryDeletion, RepositoryService, Upstreams } from "../../hosting/domain.ts";
import { recordAudit, type AuditEntry } from "../../operation/domain.ts";
import { administered, findSeen } from "./find-seen.ts";
import { statements as archives } from "./archives/archives.store.ts";
import * as store from "./imports.store.ts";
import { addImportIntent } from "./intents.ts";
import type { ImportMetrics } from "./metrics.ts";
import { presentImport } from "./present.ts";
import { readPlace } from "./source-place.ts";

export interface ImportService {
  /** Throws `validation_failed`, and `conflict` for a name that the owner has used, or past the most that may run. */
  create(actor: Actor, wanted: ImportCreate): Promise<Import>;
  /** With `repository`, those into it: throws `not_found` for who does not administer it. */
  list(actor: Actor, page: ImportListQuery): Promise<{ items: Import[]; total: number }>;
  /** Throws `not_found`; so do the following. */
  get(actor: Actor, id: string): Promise<Import>;
  report(actor: Actor, id: string, page: PageQuery): Promise<{ items: ImportNote[]; total: number }>;
  /** Throws `conflict` where it has ended. */
  cancel(actor: Actor, id: string): Promise<Import>;
  /** Throws `conflict` where it runs or is done, or its repository is gone. */
  retry(actor: Actor, id: string, given: ImportRetry): Promise<Import>;
}

export interface ImportServiceDeps {
  db: Database;
  addresses: Addresses;
  encryption: Encryption;
  mirroring: Mirroring;
  repositories: Pick<RepositoryService, "create">;
  repositoryDeletion: Pick<RepositoryDeletion, "remove">;
  upstreams: Pick<Upstreams, "see">;
  metrics: ImportMetrics;
  /** Whether requests may go to this IP address. */
  mayDial(address: string): boolean;
}

const gone = "The repository is gone, or is not yours to administer any more. Begin a new import.";
const noArchive = "Its archive was removed. Upload it again, and begin a new import.";
const notYours = "Only whoever began the import goes on with it. Begin a new one.";
const tooMany = `At most ${maxOpenImports} of your imports run at a time. Wait for one, or stop it.`;

export function createImportService(deps: ImportServiceDeps): ImportService {
  const { db, addresses, encryption, mirroring } = deps;

  const found = (actor: Actor, id: string) => findSeen(deps, actor, id);

  const get = async (actor: Actor, id: string) => presentImport(await found(actor, id), addresses);

  async function requireRoom(tx: Transaction, actor: Actor): Promise<void> {
    if ((await store.countOpen(tx, userIdOf(actor))) >= maxOpenImports)
      throw new AppError("conflict", { message: tooMany });
  }

  /** It may have become somebody else's meanwhile, or a mirror. Returns the name of its owner. */
  async function requireOwn(actor: Actor, repositoryId: string | null): Promise<string> {
    const seen = repositoryId === null ? undefined : await deps.upstreams.see(repositoryId, actor);
    if (!seen || !levelCovers(seen.level, "admin")) throw new AppError("conflict", { message: gone });
    if (seen.repository.archived || seen.repository.mirror)
      throw new AppError("conflict", { message: "The repository is archived, or is a mirror now." });
    return seen.repository.owner;
  }

  /** Where another import of the same person has begun meanwhile, nothing comes into the repository. */
  async function removeEmpty(actor: Actor, repositoryId: string, error: unknown): Promise<never> {
    const seen = await deps.upstreams.see(repositoryId, actor);
    if (seen) await deps.repositoryDeletion.remove(actor, seen.repository);
    throw error;
  }

  return {
    get,
    async create(actor, wanted) {
      const { source, repository: sourcePath, api_url: apiUrl, include, token } = wanted;
      await requireArchive(db, actor, wanted);
      const place = readPlace({ source, apiUrl, repository: sourcePath }, deps.mayDial);
      const users = await mappedUsers(db, actor, wanted);
      await db.transaction((tx) => requireRoom(tx, actor));
      const name = wanted.name ?? nameOf(sourcePath);
      const { owner, visibility } = wanted;
      const created = await deps.repositories.create(actor, {
        ...plain,
        name,
        visibility,
        ...(owner ? { owner } : {}),
      });
      const { id: repositoryId, owner: ownerName } = created.row;
      const id = newId("imp");
      async function insert(tx: Transaction): Promise<void> {
        await requireRoom(tx, actor);
        await requireArchive(tx, actor, wanted);
        // Nobody else writes to it until everything is there.
        await mirroring.setImporting(tx, repositoryId);
        const row: store.NewImport = {
          ...place,
          id,
          repositoryId,
          repositoryName: `${ownerName}/${name}`,
          source,
          sourcePath,
          include: [...new Set(include)],
          users,
          step: wanted.archive === undefined ? "numbers" : "unpack",
          archiveId: wanted.archive ?? null,
          sealedToken: token === undefined ? null : encryption.encrypt(id, token),
          userId: userIdOf(actor),
        };
        await store.insertImport(tx, row);
        const from = `${place.host}/${sourcePath}`;
        await record(tx, actor, {
          row,
          action: "import.create",
          details: { from, include, users: wanted.users },
        });
        await addImportIntent(tx, { repositoryId, importId: id, attempt: 1 });
      }
      await db.transaction(insert).catch((error: unknown) => removeEmpty(actor, repositoryId, error));
      return get(actor, id);
    },
    async list(actor, page) {
      const { rows, total } = await listed(deps, actor, page);
      return { items: rows.map((row) => presentImport(row, addresses)), total };
    },
    async report(actor, id, page) {
      await found(actor, id);
      const { rows: items, total } = await store.listNotes(db, id, page);
      return { items, total };
    },
    async cancel(actor, id) {
      await found(actor, id);
      await db.transaction(async (tx) => {
        const row = await store.lockImport(tx, id);
        const isOver = row && (await store.endImport(tx, id, { status: "cancelled", error: null }));
        if (!isOver) throw new AppError("conflict", { message: "The import has ended already." });
        if (row.repository_id !== null) await mirroring.release(tx, row.repository_id);
        await record(tx, actor, {
          row: named(row),
          action: "import.cancel",
          details: { progress: row.progress },
        });
      });
      deps.metrics.ended("cancelled");
      return get(actor, id);
    },
    async retry(actor, id, { token }) {
      const { repository_id: repositoryId, status, created_by: begunBy } = await found(actor, id);
      if (begunBy !== userIdOf(actor)) throw new AppError("conflict", { message: notYours });
      const mayRetry = status === "failed" || status === "cancelled";
      const owner = mayRetry ? await requireOwn(actor, repositoryId) : "";
      await db.transaction(async (tx) => {
        await requireRoom(tx, actor);
        const row = await store.lockImport(tx, id);
        if (!row?.repository_id) throw new AppError("conflict", { message: gone });
        if (row.from_archive && row.archive_id === null)
          throw new AppError("conflict", { message: noArchive });
        const sealed = token === undefined ? null : encryption.encrypt(id, token);
        const users = JSON.stringify(await stillMapped(tx, row.users, { userId: userIdOf(actor), owner }));
        const again = await tx.one(store.statements.retryImport, [id, sealed, users]);
        if (!again)
          throw new AppError("conflict", { message: "Only an import that failed or was stopped goes on." });
        await mirroring.setImporting(tx, row.repository_id);
        await record(tx, actor, { row: named(row), action: "import.retry", details: {} });
        await addImportIntent(tx, { repositoryId: row.repository_id, importId: id, attempt: again.attempt });
      });
      return get(actor, id);
    },
  };
}

async function listed(
  deps: ImportServiceDeps,
  actor: Actor,
  { repository: name, ...page }: ImportListQuery,
): Promise<{ rows: store.ImportRow[]; total: number }> {
  if (name === undefined) return store.listImports(deps.db, userIdOf(actor), page);
  const found = await deps.db.one(store.statements.findRepository, [name]);
  const repository = found && (await administered(deps, actor, { repository_id: found.repository_id }));
  if (!repository) throw new AppError("not_found");
  return store.listInto(deps.db, repository.id, page);
}

/** An empty repository; its default branch becomes that of the source. */
const plain = { description: "", default_branch: "main", auto_init: false, readme: false } as const;

/** The last part of a path. Throws `validation_failed` where no repository can be named so here. */
function nameOf(path: string): string {
  const name = (path.split("/").at(-1) ?? path).replace(/(?:\.(?:git|lock))+$/, "");
  if (!repositoryName.safeParse(name).success)
    throw invalidField("name", "required", `No repository can be called ${name} here: name the new one.`);
  return name;
}

/** By login there, in lower case. Throws `validation_failed` for those whom the actor may not name. */
async function mappedUsers(
  db: Database,
  actor: Actor,
  { users, owner }: ImportCreate,
): Promise<Record<string, string>> {
  const names = [...new Set(Object.values(users).map((name) => name.toLowerCase()))];
  if (names.length === 0) return {};
  const rows = await db.query(store.statements.findMappable, [names, userIdOf(actor), owner ?? ""]);
  const known = new Map(rows.map(({ name, id }) => [name, id]));
  return Object.fromEntries(
    Object.entries(users).map(([login, name]) => {
      const id = known.get(name.toLowerCase());
      if (id === undefined)
        throw invalidField(
          "users",
          "not_allowed",
          `${name} cannot be named: only you, and members of an organization that you own and import into, who have joined it themselves.`,
        );
      return [login.toLowerCase(), id];
    }),
  );
}

/** Throws `validation_failed` for an archive that the actor does not have, and for a token that nobody would be asked with. */
async function requireArchive(db: Queryable, actor: Actor, { archive, token }: ImportCreate): Promise<void> {
  if (archive === undefined) return;
  if (token !== undefined)
    throw invalidField("token", "not_allowed", "An archive is read without a token: leave it out.");
  if (!(await db.one(archives.findArchive, [userIdOf(actor), archive])))
    throw invalidField("archive", "unknown", "You have no such archive. It may have been removed.");
}

/** Those whom this user may still name: members leave, and so do owners. */
async function stillMapped(
  tx: Transaction,
  users: Readonly<Record<string, string>>,
  { userId, owner }: { userId: string; owner: string },
): Promise<Record<string, string>> {
  const rows = await tx.query(store.statements.stillMappable, [Object.values(users), userId, owner]);
  const known = new Set(rows.map(({ id }) => id));
  return Object.fromEntries(Object.entries(users).filter(([, id]) => known.has(id)));
}

interface Subject {
  id: string;
  repositoryId: string | null;
  repositoryName: string;
}

const named = (row: store.BegunImport): Subject => ({
  id: row.id,
  repositoryId: row.repository_id,
  repositoryName: row.repository_name,
});

async function record(
  tx: Transaction,
  actor: Actor,
  { row, action, details }: Pick<AuditEntry, "action" | "details"> & { row: Subject },
): Promise<void> {
  await recordAudit(tx, actor, {
    action,
    target: { type: "repository", id: row.repositoryId ?? row.id, name: row.repositoryName },
    details: { import_id: row.id, ...details },
  });
}

/**
 * Who people of another host are here, once an import has begun. Nobody's name comes under texts unless they agree, or whoever names
 * them need not ask: for oneself, for members of an organization of one's own who have joined it themselves, and for administrators of
 * the instance.
 */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import {
  maxOpenRequests,
  maxOpenRequestsToOne,
  type ImportedPerson,
  type ImportNaming,
  type ImportPersonName,
  type ImportRequest,
} from "@forgeline/schemas/imports/people.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { actingFor, type UserRow, type UserService } from "../../accounts/domain.ts";
import type { ImportWriter } from "../../collaboration/domain.ts";
import type { Upstreams } from "../../hosting/domain.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { namedIn } from "./import-context.ts";
import { administered, findSeen } from "./find-seen.ts";
import * as imports from "./imports.store.ts";
import { addNamingIntent } from "./naming-intents.ts";
import { presentImportRequest } from "./present.ts";
import { mayGoOn } from "./requester.ts";
import * as store from "./requests.store.ts";

export interface ImportPeople {
  /** Those who have no account here. Throws `not_found`; so do the following. */
  list(actor: Actor, id: string, page: PageQuery): Promise<{ items: ImportedPerson[]; total: number }>;
  /** Throws `forbidden`, `validation_failed`, and `conflict` where somebody is asked already. */
  name(actor: Actor, id: string, wanted: ImportPersonName): Promise<ImportNaming>;
  listRequests(actor: Actor, page: PageQuery): Promise<{ items: ImportRequest[]; total: number }>;
  /** Throws `conflict` where whoever asked may not ask any more. */
  accept(actor: Actor, requestId: string): Promise<ImportNaming>;
  decline(actor: Actor, requestId: string): Promise<void>;
}

export interface ImportPeopleDeps {
  db: Database;
  addresses: Addresses;
  users: Pick<UserService, "findByName" | "getMany" | "notify">;
  upstreams: Pick<Upstreams, "see">;
  importWriter: Pick<ImportWriter, "listUnnamed" | "findUnnamed">;
}

interface Naming {
  row: Pick<imports.ImportRow, "id" | "host">;
  repository: Pick<RepositoryRef, "id" | "owner" | "name">;
  login: string;
  user: Pick<UserRow, "id" | "username">;
}

export function createImportPeople(deps: ImportPeopleDeps): ImportPeople {
  const { db, addresses, importWriter } = deps;

  async function findAdministered(actor: Actor, id: string) {
    const row = await findSeen(deps, actor, id);
    const repository = await administered(deps, actor, row);
    if (!repository)
      throw new AppError("forbidden", { message: "Those who administer the repository name people." });
    return { row, repository };
  }

  async function ownRequest(actor: Actor, requestId: string): Promise<store.RequestRow> {
    const row = await db.one(store.statements.findOwn, [userIdOf(actor), requestId]);
    if (!row) throw new AppError("not_found");
    return row;
  }

  return {
    async list(actor, id, page) {
      const row = await findSeen(deps, actor, id);
      if (row.repository_id === null || !(await administered(deps, actor, row)))
        return { items: [], total: 0 };
      const wanted = { repositoryId: row.repository_id, host: row.host, page };
      const { rows, total } = await importWriter.listUnnamed(wanted);
      const people = rows.map(({ name, texts }) => ({ login: name.slice(row.host.length + 1), texts }));
      const logins = people.map(({ login }) => login.toLowerCase());
      const asked = new Map(
        (await db.query(store.statements.listOf, [id, logins])).map((each) => [each.login, each]),
      );
      const items = people.map(({ login, texts }) => {
        const open = asked.get(login.toLowerCase());
        return { login, host: row.host, texts, asked: open ? open.username : null };
      });
      return { items, total };
    },
    async name(actor, id, { login: given, username }) {
      const { row, repository } = await findAdministered(actor, id);
      const login = given.toLowerCase();
      await requirePerson(deps, { row, repository, login });
      const user = await requireReader(deps, repository, username);
      const naming = { row, repository, login, user };
      const state = await db.transaction((tx) => nameOrAsk(deps, tx, { actor, naming }));
      return { login, host: row.host, username: user.username, state };
    },
    async listRequests(actor, page) {
      const { rows, total } = await store.listOwn(db, userIdOf(actor), page);
      return { items: rows.map((row) => presentImportRequest(row, addresses)), total };
    },
    async accept(actor, requestId) {
      const request = await ownRequest(actor, requestId);
      const { repository_id: repositoryId, import_id: importId, host, login } = request;
      const seen = await deps.upstreams.see(repositoryId, actor);
      if (!seen) throw new AppError("not_found");
      if (!(await mayGoOn(deps, { created_by: request.asked_by_id, repository_id: repositoryId })))
        throw new AppError("conflict", {
          message: "Whoever asked may not administer the repository any more.",
        });
      const user = { id: userIdOf(actor), username: actor.username };
      const naming = { row: { id: importId, host }, repository: seen.repository, login, user };
      await db.transaction(async (tx) => {
        await imports.lockImport(tx, importId);
        if (!(await tx.one(store.statements.remove, [requestId]))) throw new AppError("not_found");
        await agree(tx, actor, naming);
      });
      return { login, host, username: actor.username, state: "named" };
    },
    async decline(actor, requestId) {
      const request = await ownRequest(actor, requestId);
      const { repository_id: id, repository: name, import_id, host, login } = request;
      await db.transaction(async (tx) => {
        if (!(await tx.one(store.statements.remove, [requestId]))) throw new AppError("not_found");
        await recordAudit(tx, actor, {
          action: "import.person_decline",
          target: { type: "repository", id, name },
          details: { import_id, person: `${host}/${login}` },
        });
      });
    },
  };
}

/** Somebody who wrote or is assigned something; while the import runs, also who is still to come. */
async function requirePerson(
  { importWriter }: Pick<ImportPeopleDeps, "importWriter">,
  { row, repository, login }: { row: imports.ImportRow; repository: RepositoryRef; login: string },
): Promise<void> {
  const isNamed = Object.hasOwn(namedIn(row), login);
  if (row.finished_at === null && !isNamed && login !== "ghost") return;
  const found = await importWriter.findUnnamed({ repositoryId: repository.id, host: row.host, login });
  if (!found)
    throw invalidField("login", "unknown", `Nobody without an account here is called so at ${row.host}.`);
}

/** Throws `validation_failed` unless it is a person who reads the repository. */
async function requireReader(
  { users, upstreams }: Pick<ImportPeopleDeps, "users" | "upstreams">,
  repository: RepositoryRef,
  username: string,
): Promise<UserRow> {
  const user = await users.findByName(username);
  if (user?.type !== "user") throw invalidField("username", "unknown", "No user has this name.");
  const actor = actingFor(user);
  if (!actor || !(await upstreams.see(repository.id, actor)))
    throw invalidField("username", "not_allowed", `${user.username} cannot read the repository.`);
  return user;
}

interface NamedBy {
  actor: Actor;
  naming: Naming;
}

async function nameOrAsk(
  deps: ImportPeopleDeps,
  tx: Transaction,
  { actor, naming }: NamedBy,
): Promise<ImportNaming["state"]> {
  const { row, user, login, repository } = naming;
  if (actor.isAdmin || user.id === userIdOf(actor)) {
    await agree(tx, actor, naming);
    return "named";
  }
  await imports.lockImport(tx, row.id);
  if (!(await isMappable(tx, actor, naming))) {
    await ask(deps, tx, { actor, naming });
    return "asked";
  }
  // As when an import begins: who has left the organization is named no more where the import goes on.
  const values = [row.id, login, user.id, repository.owner];
  if (!(await tx.one(store.statements.nameMember, values)))
    throw new AppError("conflict", { message: "The repository has another owner by now." });
  await give(tx, actor, naming);
  return "named";
}

/** Whom one may name without asking, as when an import begins. */
async function isMappable(tx: Transaction, actor: Actor, { user, repository }: Naming): Promise<boolean> {
  const values = [[user.username.toLowerCase()], userIdOf(actor), repository.owner];
  return (await tx.one(imports.statements.findMappable, values)) !== undefined;
}

/** Stays, whatever becomes of those who asked. */
async function agree(tx: Transaction, actor: Actor, naming: Naming): Promise<void> {
  const { row, login, user } = naming;
  await imports.lockImport(tx, row.id);
  await tx.query(store.statements.agree, [row.id, login, user.id]);
  await give(tx, actor, naming);
}

/** What there is gets its author in the background, and what is still to come has it from the beginning. */
async function give(tx: Transaction, actor: Actor, { row, repository, login, user }: Naming): Promise<void> {
  await tx.query(store.statements.removeOf, [row.id, login]);
  await addNamingIntent(tx, { repositoryId: repository.id, importId: row.id, login });
  await recordAudit(tx, actor, {
    action: "import.person_name",
    target: { type: "repository", id: repository.id, name: `${repository.owner}/${repository.name}` },
    details: { import_id: row.id, person: `${row.host}/${login}`, user_id: user.id, username: user.username },
  });
}

const tooManyAsked = `At most ${maxOpenRequests} people are asked by you at a time. Wait for answers; questions end after 7 days.`;

async function ask(
  { users, addresses }: ImportPeopleDeps,
  tx: Transaction,
  { actor, naming: { row, repository, login, user } }: NamedBy,
): Promise<void> {
  const askedBy = userIdOf(actor);
  const open = await store.countOpen(tx, askedBy, user.id);
  if (open.all >= maxOpenRequests) throw new AppError("conflict", { message: tooManyAsked });
  if (open.same >= maxOpenRequestsToOne)
    throw new AppError("conflict", {
      message: `${user.username} has not answered your earlier questions yet.`,
    });
  await tx.query(store.statements.removeLapsed, [row.id, login]);
  const values = [newId("iask"), row.id, login, user.id, askedBy];
  if (!(await tx.one(store.statements.insert, values)))
    throw new AppError("conflict", { message: "Somebody is asked already. The question ends after 7 days." });
  const name = `${repository.owner}/${repository.name}`;
  await recordAudit(tx, actor, {
    action: "import.person_ask",
    target: { type: "repository", id: repository.id, name },
    details: { import_id: row.id, person: `${row.host}/${login}`, user_id: user.id, username: user.username },
  });
  // Names of elsewhere, which may be anything, are on the page and not in the mail.
  await users.notify(tx, user.id, {
    kind: "import_request",
    subject: `Are texts in ${name} yours?`,
    paragraphs: [
      `${actor.username} asks whether you wrote texts that were imported into ${name} from another host. If you agree, they show your account as their author.`,
      `You can agree or decline within 7 days: ${addresses.webUrl}/settings/imported-texts`,
    ],
  });
}

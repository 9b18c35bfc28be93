/** Rules for branches and tags, which every push must obey. */
import type { AuditAction } from "@forgeline/schemas/audit/actions.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Database, Queryable, Transaction } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import {
  readExceptions,
  teamViewer,
  writeExceptions,
  type Exceptions,
  type ExceptionFields,
  type WantedExceptions,
} from "./exceptions.ts";
import * as store from "./protections.store.ts";
import type { RuleKind, RuleRow, RuleSettings } from "./protections.store.ts";

/** A rule with the users and teams it names that the actor can see. */
export type ShownRule = RuleRow & { named: Exceptions };

export type WantedSettings = { [Name in keyof RuleSettings]?: RuleSettings[Name] | undefined };

/** The operations on the rules of one kind. */
export interface ProtectionService {
  list(
    actor: Actor,
    repository: RepositoryRef,
    page: PageQuery,
  ): Promise<{ rows: ShownRule[]; total: number }>;
  /** Throws `not_found`. */
  get(actor: Actor, repository: RepositoryRef, id: string): Promise<ShownRule>;
  /** Throws `conflict` for a pattern that has a rule, or when there are too many; `validation_failed` for names. */
  create(
    actor: Actor,
    repository: RepositoryRef,
    wanted: { settings: RuleSettings; exceptions: WantedExceptions },
  ): Promise<ShownRule>;
  /** Throws `not_found`, and as `create`. */
  update(
    actor: Actor,
    repository: RepositoryRef,
    change: { id: string; settings: WantedSettings; exceptions: WantedExceptions },
  ): Promise<ShownRule>;
  /** Throws `not_found`. */
  remove(actor: Actor, repository: RepositoryRef, id: string): Promise<void>;
  /** `within`: a transaction that the caller is in. */
  patterns(repositoryId: string, within?: Queryable): Promise<string[]>;
}

export interface KindOfRules {
  kind: RuleKind;
  audited: AuditAction;
  fields: ExceptionFields;
}

const maxRules = 100;

export function createProtectionService(deps: { db: Database }, about: KindOfRules): ProtectionService {
  const { db } = deps;
  const { kind, fields } = about;
  const place = (repository: RepositoryRef) => ({ repositoryId: repository.id, kind });
  const change = <T>(repository: RepositoryRef, work: (tx: Transaction) => Promise<T>) =>
    db.transaction(async (tx) => {
      const held = await store.holdRepository(tx, repository.id);
      if (!held) throw new AppError("not_found");
      if (held.archived) throw new AppError("repository_archived");
      return work(tx);
    });

  async function find(tx: Queryable, repository: RepositoryRef, id: string): Promise<RuleRow> {
    const row = await store.findRule(tx, place(repository), id);
    if (!row) throw new AppError("not_found");
    return row;
  }

  /** `replaced`: the pattern that this one replaces. */
  async function requireFree(
    tx: Transaction,
    repository: RepositoryRef,
    { pattern, replaced }: { pattern: string; replaced?: string },
  ) {
    const patterns = await store.patternsOf(tx, place(repository));
    if (pattern !== replaced && patterns.includes(pattern))
      throw new AppError("conflict", { message: `A rule for ${pattern} already exists.` });
    if (replaced === undefined && patterns.length >= maxRules) {
      const message = `A repository can have at most ${maxRules} rules of this kind.`;
      throw new AppError("conflict", { message });
    }
  }

  function audit(
    tx: Transaction,
    { actor, repository }: { actor: Actor; repository: RepositoryRef },
    details: Record<string, unknown>,
  ) {
    const target = {
      type: "repository",
      id: repository.id,
      name: `${repository.owner}/${repository.name}`,
    } as const;
    return recordAudit(tx, actor, { action: about.audited, target, details });
  }

  return {
    async list(actor, repository, page) {
      const { rows, total } = await store.listRules(db, place(repository), page);
      const ids = rows.map((row) => row.id);
      const exceptions = await readExceptions(db, ids, teamViewer(actor));
      return { rows: rows.map((row) => shown(row, exceptions.get(row.id)!)), total };
    },
    async get(actor, repository, id) {
      const row = await find(db, repository, id);
      return shown(row, await exceptionsOf(db, id, actor));
    },
    create: (actor, repository, { settings, exceptions: wanted }) =>
      change(repository, async (tx) => {
        await requireFree(tx, repository, { pattern: settings.pattern });
        const row = await store.insertRule(tx, place(repository), { id: newId("prot"), ...settings });
        const rule = { id: row.id, repositoryId: repository.id };
        await writeExceptions(tx, rule, { wanted, viewer: teamViewer(actor), fields });
        const exceptions = await exceptionsOf(tx, row.id, actor);
        await audit(
          tx,
          { actor, repository },
          {
            protection_id: row.id,
            change: "created",
            ...ruleOf(kind, row, exceptions),
          },
        );
        return shown(row, exceptions);
      }),
    update: (actor, repository, { id, settings, exceptions: wanted }) =>
      change(repository, async (tx) => {
        const row = await find(tx, repository, id);
        const before = ruleOf(kind, row, await exceptionsOf(tx, id, actor));
        const after = changed(row, settings);
        await requireFree(tx, repository, { pattern: after.pattern, replaced: row.pattern });
        const rule = { id, repositoryId: repository.id };
        await writeExceptions(tx, rule, { wanted, viewer: teamViewer(actor), fields });
        const exceptions = await exceptionsOf(tx, id, actor);
        if (JSON.stringify(ruleOf(kind, after, exceptions)) === JSON.stringify(before))
          return shown(row, exceptions);
        const saved = await store.saveRule(tx, id, after);
        const details = { protection_id: id, change: "modified", before, ...ruleOf(kind, saved, exceptions) };
        await audit(tx, { actor, repository }, details);
        return shown(saved, exceptions);
      }),
    remove: (actor, repository, id) =>
      change(repository, async (tx) => {
        const row = await find(tx, repository, id);
        const details = {
          protection_id: id,
          change: "deleted",
          ...ruleOf(kind, row, await exceptionsOf(tx, id, actor)),
        };
        await store.deleteRule(tx, row.id);
        await audit(tx, { actor, repository }, details);
      }),
    patterns: (repositoryId, within = db) => store.patternsOf(within, { repositoryId, kind }),
  };
}

type ExceptionsOf = { seen: Exceptions; all: Exceptions };

async function exceptionsOf(db: Queryable, ruleId: string, actor: Actor): Promise<ExceptionsOf> {
  return (await readExceptions(db, [ruleId], teamViewer(actor))).get(ruleId)!;
}

function shown(row: RuleRow, exceptions: ExceptionsOf): ShownRule {
  return { ...row, named: exceptions.seen };
}

function changed(before: RuleSettings, wanted: WantedSettings): RuleSettings {
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
  return { ...before, ...(Object.fromEntries(given) as Partial<RuleSettings>) };
}

/** What a rule says, for the audit log. */
function ruleOf(kind: RuleKind, row: RuleSettings, { all }: ExceptionsOf): Record<string, unknown> {
  const { pattern, push_level } = row;
  const { push, merge, bypass } = all;
  if (kind === "tag")
    return { pattern, create_level: push_level, create_users: push.users, create_teams: push.teams };
  const { allow_force_push, allow_deletion, required_approvals, require_pipeline } = row;
  const { dismiss_stale_approvals, require_last_push_approval, require_code_owners } = row;
  const { required_checks, require_linear_history, require_signed_commits } = row;
  const { merge_strategies, merge_level, merge_queue } = row;
  const pushers = { push_level, push_users: push.users, push_teams: push.teams };
  const approvals = { required_approvals, dismiss_stale_approvals, require_last_push_approval };
  return {
    pattern,
    ...pushers,
    allow_force_push,
    allow_deletion,
    ...approvals,
    require_code_owners,
    require_pipeline,
    required_checks,
    require_linear_history,
    require_signed_commits,
    merge_strategies,
    merge_level,
    merge_users: merge.users,
    merge_teams: merge.teams,
    bypass_users: bypass.users,
    bypass_teams: bypass.teams,
    merge_queue,
  };
}

/** Rows of `ref_protections`. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { StoredMergeQueue } from "@forgeline/schemas/branch-protections/merge-queue.ts";
import type { RequiredCheck } from "@forgeline/schemas/branch-protections/required-checks.ts";
import type { MergeStrategy } from "@forgeline/schemas/core/merge-strategies.ts";
import type { PushLevel } from "@forgeline/schemas/core/ref-rules.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { ProtectionsRows } from "./protections.rows.ts";
import { offsetOf } from "../../../platform/db/page.ts";

export type RuleKind = "branch" | "tag";

export interface RuleSettings {
  pattern: string;
  /** Of tags: who may create them. */
  push_level: PushLevel;
  allow_force_push: boolean;
  allow_deletion: boolean;
  required_approvals: number;
  require_pipeline: boolean;
  dismiss_stale_approvals: boolean;
  require_last_push_approval: boolean;
  require_code_owners: boolean;
  required_checks: RequiredCheck[];
  require_linear_history: boolean;
  require_signed_commits: boolean;
  merge_strategies: MergeStrategy[];
  /** Who may merge, by a merge request. */
  merge_level: PushLevel;
  /** Null: merge requests are merged directly. */
  merge_queue: StoredMergeQueue | null;
}

export interface RuleRow extends RuleSettings {
  id: string;
  created_at: Date;
  updated_at: Date;
}

/** A rule as it applies to one person. */
export interface Rule extends RuleSettings {
  kind: RuleKind;
  /** It names them, or a team of theirs, as somebody who may push. */
  is_exception: boolean;
  /** As above: who may merge. */
  is_merger: boolean;
  /** As above: who may merge although something is missing. */
  is_bypasser: boolean;
}

interface Known {
  /** Written by the contract only. */
  listRules: Checked;
  rulesFor: Checked;
  findRule: Checked;
  insertRule: Checked;
  saveRule: Checked;
}
interface Checked {
  required_checks: RequiredCheck[];
  merge_strategies: MergeStrategy[];
  merge_queue: StoredMergeQueue | null;
}

const settingNames = [
  "pattern",
  "push_level",
  "allow_force_push",
  "allow_deletion",
  "required_approvals",
  "require_pipeline",
  "dismiss_stale_approvals",
  "require_last_push_approval",
  "require_code_owners",
  "required_checks",
  "require_linear_history",
  "require_signed_commits",
  "merge_strategies",
  "merge_level",
  "merge_queue",
] as const satisfies (keyof RuleSettings)[];
const settings = settingNames.join(", ");
/** From the parameter `first` on. */
const settingParameters = (first: number) => settingNames.map((_, index) => `$${first + index}`);
const columns = `id, ${settings}, created_at, updated_at`;
const ofKind = "from ref_protections where repository_id = $1 and kind = $2";
/** Whether a row `p` names the user `$2`, or a team of theirs. Teams of an earlier owner do not count. */
const namesUser = `(p.user_id = $2 or p.team_id in (
        select unnest(t.lineage) from team_members m join teams t on t.id = m.team_id
        join repositories r on r.owner_id = t.organization_id
        where m.user_id = $2 and r.id = x.repository_id))`;
const isPusher = `exists (
      select 1 from ref_protection_pushers p where p.protection_id = x.id and ${namesUser})`;
const isNamed = (role: string) => `exists (
      select 1 from ref_protection_named p where p.protection_id = x.id and p.role = '${role}' and ${namesUser})`;

export const statements = defineStatements<ProtectionsRows, Known>({
  listRules: `select ${columns} ${ofKind} order by pattern limit $3 offset $4`,
  hasRules: "select id from ref_protections where repository_id = $1 limit 1",
  patternsOf: "select pattern from ref_protections where repository_id = $1 and kind = $2 order by pattern",
  rulesFor: `
    select kind, ${settings},
      ${isPusher} as is_exception, ${isNamed("merge")} as is_merger, ${isNamed("bypass")} as is_bypasser
    from ref_protections x where repository_id = $1 order by kind, pattern`,
  holdRepository: "select archived from repositories where id = $1 and deleted_at is null for no key update",
  findRule: `select ${columns} from ref_protections where repository_id = $1 and kind = $2 and id = $3`,
  insertRule: `
    insert into ref_protections (id, repository_id, kind, ${settings})
    values ($1, $2, $3, ${settingParameters(4).join(", ")}) returning ${columns}`,
  saveRule: `
    update ref_protections set (${settings}) = (${settingParameters(2).join(", ")}), updated_at = now()
    where id = $1 returning ${columns}`,
  deleteRule: "delete from ref_protections where id = $1",
});

export interface Place {
  repositoryId: string;
  kind: RuleKind;
}

export async function listRules(
  db: Queryable,
  { repositoryId, kind }: Place,
  page: PageQuery,
): Promise<{ rows: RuleRow[]; total: number }> {
  const rows = await db.query(statements.listRules, [repositoryId, kind, page.per_page, offsetOf(page)]);
  return { rows, total: await countRows(db, ofKind, [repositoryId, kind]) };
}

export async function hasRules(db: Queryable, repositoryId: string): Promise<boolean> {
  const row = await db.one(statements.hasRules, [repositoryId]);
  return row !== undefined;
}

/** All of one kind, which are few. */
export async function patternsOf(db: Queryable, { repositoryId, kind }: Place): Promise<string[]> {
  const rows = await db.query(statements.patternsOf, [repositoryId, kind]);
  return rows.map(({ pattern }) => pattern);
}

/**
 * All of a repository. Teams count only if they belong to its owner, together with their nested teams, as for grants of teams.
 */
export function rulesFor(db: Queryable, repositoryId: string, userId: string | null): Promise<Rule[]> {
  return db.query(statements.rulesFor, [repositoryId, userId]);
}

/** Held until the transaction ends, so that changes of one repository's rules follow each other. */
export function holdRepository(tx: Queryable, id: string): Promise<{ archived: boolean } | undefined> {
  return tx.one(statements.holdRepository, [id]);
}

export function findRule(
  db: Queryable,
  { repositoryId, kind }: Place,
  id: string,
): Promise<RuleRow | undefined> {
  return db.one(statements.findRule, [repositoryId, kind, id]);
}

export async function insertRule(
  tx: Queryable,
  { repositoryId, kind }: Place,
  wanted: RuleSettings & { id: string },
): Promise<RuleRow> {
  const row = await tx.one(statements.insertRule, [wanted.id, repositoryId, kind, ...values(wanted)]);
  if (!row) throw new Error("the insert gave no row");
  return row;
}

/** For an existing rule, with its repository locked. */
export async function saveRule(tx: Queryable, id: string, wanted: RuleSettings): Promise<RuleRow> {
  const row = await tx.one(statements.saveRule, [id, ...values(wanted)]);
  if (!row) throw new Error("the rule is gone");
  return row;
}

const documents: ReadonlySet<string> = new Set(["required_checks", "merge_queue"]);

/** In the order of `settings`. */
function values(rule: RuleSettings): unknown[] {
  return settingNames.map((name) => {
    const value = rule[name];
    return value !== null && documents.has(name) ? JSON.stringify(value) : value;
  });
}

export async function deleteRule(tx: Queryable, id: string): Promise<void> {
  await tx.query(statements.deleteRule, [id]);
}

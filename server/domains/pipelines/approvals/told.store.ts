/** Who is told of a gate by mail, and whether enough people are there to open it. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import { goingBackSql, type GoingBack } from "../environments/going-back.store.ts";
import { startedBySql } from "../runs/starter.store.ts";
import { mayApproveSql, namedSql } from "./may-approve.store.ts";
import type { ToldRows } from "./told.rows.ts";

/** Of the commit's message, in characters. */
const maxTitle = 100;

/** Ids of all who could be approvers of the gate `g` in the repository `r`: judging every user of the instance would take long. */
const candidates = `
  select r.owner_id union select o.user_id from organization_members o where o.organization_id = r.owner_id and o.role = 'owner'
  union select c.user_id from collaborators c where c.repository_id = r.id
  union select tm.user_id from team_repositories tr join teams t on tr.team_id = any(t.lineage)
    join team_members tm on tm.team_id = t.id where tr.repository_id = r.id
  union select n.id from users n where lower(n.username) = any(${namedSql})
  union select tm.user_id from team_names n join teams t on n.team_id = any(t.lineage)
    join team_members tm on tm.team_id = t.id where lower(n.full_name) = any(${namedSql})`;

interface Known {
  /** An object that the statement builds. */
  findGoingBack: { rollback: GoingBack | null };
}

export const statements = defineStatements<ToldRows, Known>({
  findApprovers: `
    select u.email from approval_gates g join pipelines p on p.id = g.pipeline_id join repositories r on r.id = p.repository_id
    join users u on u.id in (${candidates})
    where g.id = $1 and u.type = 'user' and u.email <> '' and ${mayApproveSql("false")} order by u.id limit $2`,
  findGoingBack: `select ${goingBackSql("array[lower($2)]")} as rollback, p.sha from pipelines p where p.id = $1`,
  countApprovers: `
    select g.id, (select count(*)::int from (select from users u where u.id in (${candidates}) and ${mayApproveSql("false")}
      limit (g.rule ->> 'count')::int) able) as able
    from approval_gates g join pipelines p on p.id = g.pipeline_id and p.sequence = g.sequence
    join repositories r on r.id = p.repository_id
    where g.pipeline_id = $1 and g.state = 'open'`,
  findStarter: `
    select u.id, u.email, p.ref, p.sha, left(split_part(coalesce(p.event ->> 'commitMessage', ''), chr(10), 1), ${maxTitle}) as title, g.expires_at
    from approval_gates g join pipelines p on p.id = g.pipeline_id join repositories r on r.id = p.repository_id
    join users u on u.id = ${startedBySql}
    where g.id = $1 and u.type = 'user' and not u.suspended and u.email <> ''
      and ${levelSql({ repository: "r", user: "u.id", admin: "u.is_admin" })} is not null`,
});

/** Addresses of at most `max` of those who may approve; administrators of the instance only if they may for another reason. */
export async function findApprovers(tx: Transaction, gateId: string, max: number): Promise<string[]> {
  const rows = await tx.query(statements.findApprovers, [gateId, max]);
  return rows.map(({ email }) => email);
}

/** What the run would replace in the environment by going back; undefined if it does not. */
export async function findGoingBack(tx: Transaction, pipelineId: string, environment: string) {
  const { rollback = null, sha = "" } =
    (await tx.one(statements.findGoingBack, [pipelineId, environment])) ?? {};
  return rollback ? { ...rollback, to: sha } : undefined;
}

/** Of each open gate of the run, by its id: how many may approve, counted to as many as it needs; administrators of the instance as above. */
export async function countApprovers(db: Queryable, pipelineId: string): Promise<Map<string, number>> {
  const rows = await db.query(statements.countApprovers, [pipelineId]);
  return new Map(rows.map(({ id, able }) => [id, able ?? 0]));
}

export type StarterRow = RowOf<typeof statements.findStarter>;

/** Who began the sequence of the gate's run, with what a mail about it says; undefined if there is nobody to tell. */
export function findStarter(tx: Transaction, gateId: string): Promise<StarterRow | undefined> {
  return tx.one(statements.findStarter, [gateId]);
}

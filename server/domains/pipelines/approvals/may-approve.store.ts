/**
 * Whether a user may approve at a gate, as one SQL expression, so that what is shown, what is counted and who is told are decided alike, and
 * at each moment anew: who has left the team, lost the level or is suspended may not.
 */
import { levelSql } from "../../policy/domain.ts";

const level = (admin: string) => levelSql({ repository: "r", user: "u.id", admin });

/** `lower` of the approvers that the gate `g` names. */
export const namedSql = "array(select lower(n) from jsonb_array_elements_text(g.rule -> 'approvers') n)";

const named = `(lower(u.username) = any(${namedSql}) or exists (
      select 1 from team_members tm join teams t on t.id = tm.team_id join team_names n on n.team_id = any(t.lineage)
      where tm.user_id = u.id and lower(n.full_name) = any(${namedSql})))`;
/** The level that the gate `g` asks for; null: only those who are named. */
const leastSql = `coalesce(g.rule ->> 'level', case when jsonb_array_length(g.rule -> 'approvers') = 0 then 'write' end)::repository_level`;

/** Of the user `u` at the gate `g` of a run in the repository `r`; `admin`: whether being an administrator counts, `u.is_admin` or `false`. */
export function mayApproveSql(admin: string): string {
  return `(not u.suspended and not (u.id = any(g.excluded)) and (
    (u.type = 'user' and coalesce(${level(admin)} >= ${leastSql}, false)) or (${named} and ${level(admin)} is not null)))`;
}

/** The limit of one subject, by the one rule about custom limits. */

/**
 * An SQL expression of the limit that is in force for `account` (a user, or the repository whose jobs ask) in
 * `category`: what was set for the account, else `fallback`; or what was set for an organization that it belongs to,
 * where that is more. All three are SQL expressions; `account` may be null.
 */
export function limitSql(names: { category: string; account: string; fallback: string }): string {
  const { category, account, fallback } = names;
  return `greatest(
    coalesce((select o.requests from rate_limit_overrides o
      where o.owner_id = ${account} and o.category = ${category}), ${fallback}),
    (select max(o.requests) from rate_limit_overrides o join organizations g on g.id = o.owner_id
      where ${account} is not null and o.category = ${category} and g.plan = 'enterprise' and o.owner_id in (
        select m.organization_id from organization_members m where m.user_id = ${account}
        union all select b.organization_id from users b where b.id = ${account}
        union all select r.owner_id from repositories r where r.id = ${account})))`;
}

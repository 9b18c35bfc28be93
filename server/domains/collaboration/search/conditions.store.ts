/**
 * Conditions of a query as SQL about a row `w` of `work_items`, made of constants only: what was asked for is added to the parameters. The
 * same for lists of one repository, boards, and the search in all.
 */
import type { Condition, DateField, Lacking, Mark, Person, PersonRole, Words } from "./conditions.ts";

export interface Asked {
  params: unknown[];
  /** The parameter with the only repository there is to look in, such as `$1`; null: in all. */
  repository: string | null;
}

/** In the order of the conditions; nothing is found where one of them is false. */
export function conditionsSql(conditions: readonly Condition[], asked: Asked): string[] {
  return conditions.map((condition) => {
    const sql = sqlOf(condition, asked);
    return condition.not ? `not coalesce(${sql}, false)` : sql;
  });
}

type PlaceCondition = Extract<Condition, { on: "repository" | "owner" }>;

/** What names the repositories that are looked in. */
export function isPlace(condition: Condition): condition is PlaceCondition {
  return (condition.on === "repository" || condition.on === "owner") && !condition.not;
}

/** As `conditionsSql`, about a row of `repositories` with the id `id`. */
export function placesSql(
  conditions: readonly PlaceCondition[],
  { id, params }: Pick<Asked, "params"> & { id: string },
): string[] {
  return conditions.map((condition) => placeSql(condition, id, adder({ params })));
}

const lacks: Readonly<Record<Lacking, string>> = {
  label: "not exists (select 1 from work_item_labels wl where wl.work_item_id = w.id)",
  assignee: "not exists (select 1 from work_item_assignees wa where wa.work_item_id = w.id)",
  milestone: "w.milestone_id is null",
  due: "w.due_on is null",
};
const markSql: Readonly<Record<Mark, string>> = {
  draft: "exists (select 1 from merge_requests d where d.id = w.id and d.draft)",
  locked: "w.locked",
  pinned: "w.pinned_at is not null",
  overdue: "(w.state = 'open' and w.due_on < (now() at time zone 'utc')::date)",
};
const times: Readonly<Record<DateField, string>> = {
  created: "w.created_at",
  updated: "w.updated_at",
  closed: "w.closed_at",
  due: "w.due_on",
};

function sqlOf(condition: Condition, asked: Asked): string {
  const add = adder(asked);
  switch (condition.on) {
    case "words":
      return wordsSql(condition.any, asked);
    case "state":
      return anyOf("w.state", condition.any, add);
    case "kind":
      return anyOf("w.kind", condition.any, add);
    case "person":
      return either(condition.any.map((person) => personSql(condition.role, person, asked)));
    case "label":
      return `exists (select 1 from work_item_labels wl join labels l on l.id = wl.label_id
      where wl.work_item_id = w.id and lower(l.name) = lower(${add(condition.name)}))`;
    case "milestone":
      return `w.milestone_id in (select m.id from milestones m
      where m.repository_id = ${asked.repository ?? "w.repository_id"} and lower(m.title) = lower(${add(condition.title)}))`;
    case "branch":
      return `exists (select 1 from merge_requests d where d.id = w.id and d.${condition.side}_branch = ${add(condition.name)})`;
    case "lacks":
      return lacks[condition.what];
    case "mark":
      return markSql[condition.mark];
    case "repository":
    case "owner":
      return placeSql(condition, "w.repository_id", add);
    case "date":
      return dateSql(condition, add);
  }
}

function placeSql({ on, any }: Pick<PlaceCondition, "on" | "any">, id: string, add: Add): string {
  const names = `${add(any.map(lower))}::text[]`;
  return on === "repository"
    ? `${id} in (select rn.repository_id from repository_names rn where rn.deleted_at is null and lower(rn.full_name) = any (${names}))`
    : `${id} in (select pr.id from repositories pr join owners o on o.id = pr.owner_id where lower(o.name) = any (${names}))`;
}

type Add = (value: unknown) => string;
const adder =
  ({ params }: Pick<Asked, "params">): Add =>
  (value) =>
    `$${params.push(value)}`;
const lower = (text: string) => text.toLowerCase();
const either = (parts: readonly string[]) => (parts.length === 1 ? parts[0]! : `(${parts.join(" or ")})`);

/** One value as it always was, so that its plan stays that of the list. */
function anyOf(column: string, values: readonly string[], add: Add): string {
  return values.length === 1 ? `${column} = ${add(values[0])}` : `${column} = any (${add(values)}::text[])`;
}

/** In title or text, or in a comment that everybody sees; each word may stand in another one of them. */
function wordsSql(words: Words, asked: Asked): string {
  const add = adder(asked);
  const terms = words.map(({ text, exact }) => `search_term(${add(text)}, ${exact ? "false" : "true"})`);
  return textsSql(`(${terms.join(" || ")})`, asked, { item: "true", comment: "true" });
}

function textsSql(term: string, { repository }: Asked, more: { item: string; comment: string }): string {
  const within = (alias: string) => (repository === null ? "" : `and ${alias}.repository_id = ${repository}`);
  return `w.id in (select f.id from work_items f where f.search @@ ${term} and ${more.item} ${within("f")}
      union all select c.work_item_id from comments c where c.search @@ ${term} and not c.is_pending and ${more.comment} ${within("c")})`;
}

function personSql(role: PersonRole, person: Person, asked: Asked): string {
  const add = adder(asked);
  const user = () => `(select u.id from users u where lower(u.username) = lower(${add(person.name)}))`;
  switch (role) {
    case "author":
      return `w.author_id = ${user()}`;
    case "assignee":
      return `exists (select 1 from work_item_assignees wa where wa.work_item_id = w.id and wa.user_id = ${user()})`;
    case "commenter":
      return `exists (select 1 from comments c where c.work_item_id = w.id and not c.is_pending and c.author_id = ${user()})`;
    case "mentions":
      return mentionsSql(person, asked);
    case "involves":
      return either(
        (["author", "assignee", "commenter", "mentions"] as const).map((each) =>
          personSql(each, person, asked),
        ),
      );
    case "reviewed-by":
      return `exists (select 1 from reviews rv where rv.merge_request_id = w.id and rv.state <> 'pending' and rv.author_id = ${user()})`;
    case "review-requested":
      return requestedSql(user(), person);
  }
}

/** Whoever is asked and has not answered. Teams are looked into for oneself only: who belongs to one is not everybody's matter. */
function requestedSql(user: string, { isViewer }: Person): string {
  const ofTeams = `or x.team_id in (select unnest(t.lineage) from team_members tm join teams t on t.id = tm.team_id where tm.user_id = ${user})`;
  return `exists (select 1 from merge_request_reviewers x where x.merge_request_id = w.id
      and (x.user_id = ${user} ${isViewer ? ofTeams : ""})
      and not exists (select 1 from reviews rv where rv.merge_request_id = w.id and rv.author_id = ${user} and rv.imported_author is null
        and rv.state <> 'pending' and rv.submitted_at >= x.requested_at))`;
}

/** The index finds texts with the name; in these an `@` has to stand before it. */
function mentionsSql({ name }: Person, asked: Asked): string {
  const add = adder(asked);
  const pattern = add(`(^|[^a-z0-9_@/.-])@${lower(name).replaceAll(/[^a-z0-9]/g, "\\$&")}($|[^a-z0-9_/-])`);
  const inText = (alias: string) => `lower(${alias}.body) ~ ${pattern}::text`;
  return textsSql(`search_term(${add(name)}, false)`, asked, { item: inText("f"), comment: inText("c") });
}

function dateSql({ field, from, before }: Extract<Condition, { on: "date" }>, add: Add): string {
  const type = field === "due" ? "date" : "timestamptz";
  const at = (day: string) => `${add(field === "due" ? day : `${day}T00:00:00Z`)}::${type}`;
  const parts = [
    ...(from === null ? [] : [`${times[field]} >= ${at(from)}`]),
    ...(before === null ? [] : [`${times[field]} < ${at(before)}`]),
  ];
  return `(${parts.length === 0 ? `${times[field]} is not null` : parts.join(" and ")})`;
}

/**
 * The order of a board. An issue that nobody moved stands at minus its number; one that somebody moved has a row between its neighbours,
 * at a fraction. Neighbours are looked for on the whole board, whatever their columns, so that no two ever stand at one place. Whoever moves
 * holds the row of the board.
 */
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { PlacesRows } from "./places.rows.ts";

const own = "coalesce(p.place, -w.number)";
/** The nearest place of another issue beyond `a`. */
const nearest = (side: "above" | "below") => {
  const [pick, than, of] =
    side === "below" ? (["min", ">", "least"] as const) : (["max", "<", "greatest"] as const);
  const number = side === "below" ? "ceil(-a.place)" : "floor(-a.place)";
  return `${of}(
      (select ${pick}(o.place) from board_places o where o.board_id = $1 and o.work_item_id <> $3 and o.place ${than} a.place),
      (select -n.number::numeric from work_items n where n.repository_id = $2 and n.kind = 'issue' and n.id <> $3
          and n.number ${side === "below" ? "<" : ">"} ${number}::bigint
          and not exists (select 1 from board_places o where o.board_id = $1 and o.work_item_id = n.id)
        order by n.number ${side === "below" ? "desc" : ""} limit 1))`;
};
/** Never a whole number, where another issue may come to stand. */
const between = (
  lower: string,
  upper: string,
) => `trim_scale(case when ${lower} is null then ceil(${upper}) - 1.5
      when ${upper} is null then floor(${lower}) + 1.5 else (${lower} + ${upper}) * 0.5 end)`;
const moveSql = (lower: string, upper: string) => `
    with a as (
      select ${own} as place from work_items w left join board_places p on p.board_id = $1 and p.work_item_id = w.id
      where w.repository_id = $2 and w.kind = 'issue' and w.number = $4 and w.id <> $3),
    b as (select ${lower} as lower, ${upper} as upper from a)
    insert into board_places (board_id, work_item_id, place) select $1, $3, ${between("b.lower", "b.upper")} from b
    on conflict (board_id, work_item_id) do update set place = excluded.place returning scale(place) as digits, place::text`;

export const statements = defineStatements<PlacesRows>({
  putAfter: moveSql("a.place", nearest("below")),
  putBefore: moveSql(nearest("above"), "a.place"),
  // Between two whole numbers only moved ones stand.
  spread: `
    update board_places o set place = floor($2::numeric) + round(s.rank::numeric / (s.all + 1), 12)
    from (select work_item_id, row_number() over (order by place) as rank, count(*) over () as all from board_places
      where board_id = $1 and place > floor($2::numeric) and place < floor($2::numeric) + 1) s
    where o.board_id = $1 and o.work_item_id = s.work_item_id`,
});

/** Digits behind the point, past which those between the same two whole numbers are spread evenly. */
const maxDigits = 40;

export interface Neighbour {
  side: "after" | "before";
  number: number;
}

/** One statement, and now and then another one. False where the neighbour is no other issue of the repository. */
export async function place(
  tx: Transaction,
  at: { boardId: string; repositoryId: string; itemId: string },
  { side, number }: Neighbour,
): Promise<boolean> {
  const { boardId, repositoryId, itemId } = at;
  const statement = side === "after" ? statements.putAfter : statements.putBefore;
  const put = await tx.one(statement, [boardId, repositoryId, itemId, number]);
  if (!put) return false;
  if ((put.digits ?? 0) > maxDigits) await tx.query(statements.spread, [boardId, put.place]);
  return true;
}

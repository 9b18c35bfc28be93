/** Comments go with their issue to another repository. */
import { defineStatements } from "../../../platform/db/statement.ts";
import type { MovesRows } from "./moves.rows.ts";

export const statements = defineStatements<MovesRows>({
  // As many as fit; the first ones.
  listNaming: `
    select x.id, x.body from (select c.id, c.body, sum(length(c.body)) over (order by c.created_at, c.id) as chars
      from comments c where c.work_item_id = $1 and c.body ~ '[#!][0-9]') x where x.chars <= $2`,
  moveComments: "update comments set repository_id = $2 where work_item_id = $1",
  setBodies: `
    update comments c set body = x.body from unnest($1::text[], $2::text[]) as x (id, body) where c.id = x.id`,
  replaceInBodies: `
    update comments set body = replace(body, $2, $3) where work_item_id = $1 and strpos(body, $2) > 0`,
});

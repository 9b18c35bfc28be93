/** Many rows at once, as if as many requests had made them: copies of what one request did make. */
import pg from "pg";
import type { Bench } from "./scenario.ts";

interface Place {
  /** Of the repository. */
  id: string;
  /** `/repos/OWNER/NAME` */
  path: string;
}

/** The last of them is made by a request, and `number` is its. */
export async function addIssues(
  { database, client }: Bench,
  { id, path }: Place,
  { count, body }: { count: number; body: string },
): Promise<{ number: number }> {
  const title = `Number ${count}`;
  const made = await client.call<{ id: string; number: number }>("POST", `${path}/issues`, { title, body });
  await database.query(
    `insert into work_items (id, repository_id, number, kind, title, body, author_id, created_at, updated_at)
     select 'iss_' || right($1, 8) || lpad(n::text, 18, '0'), $1, $4 + n, 'issue', 'Number ' || n, $2, w.author_id,
       w.created_at, w.updated_at
     from work_items w, generate_series(1, $3::int) n where w.repository_id = $1 and w.number = $4`,
    [id, body, count - 1, made.number],
  );
  await database.query(
    "update work_item_numbers set last = (select max(number) from work_items where repository_id = $1) where repository_id = $1",
    [id],
  );
  return made;
}

/** So many on each issue and merge request of the repository with these numbers; null: all. */
export async function addComments(
  { database }: Bench,
  { id }: Pick<Place, "id">,
  { numbers, count, body }: { numbers: readonly number[] | null; count: number; body: string },
): Promise<void> {
  await database.query(
    `insert into comments (id, work_item_id, repository_id, author_id, body, created_at)
     select 'cmt_' || right($1, 8) || lpad(w.number::text, 9, '0') || lpad(n::text, 9, '0'), w.id, $1, w.author_id,
       replace($2, '#', n::text), now() + n * interval '1 millisecond'
     from work_items w, generate_series(1, $3::int) n
     where w.repository_id = $1 and ($4::int[] is null or w.number = any ($4))`,
    [id, body, count, numbers],
  );
  await database.query(
    "update work_items set comments_count = comments_count + $2 where repository_id = $1 and ($3::int[] is null or number = any ($3))",
    [id, count, numbers],
  );
}

/** What autovacuum does by itself some time after so many rows have come. */
export async function analyze({ instance }: Bench, tables: readonly string[]): Promise<void> {
  const owner = new pg.Client({ connectionString: instance.database.ownerUrl });
  await owner.connect();
  try {
    await owner.query(`vacuum analyze ${tables.join(", ")}`);
  } finally {
    await owner.end();
  }
}

/** Merge requests whose commits come from a fork, without moving any objects: the head is already in the repository. */
import { newId } from "@forgeline/server/platform/ids.ts";
import type { ApiServer } from "./api-server.ts";
import { eventually } from "./eventually.ts";

export interface FromFork {
  repositoryId: string;
  number: number;
  head: string;
  /** The repository that it is said to come from. */
  forkId: string;
  /** The author, who also brought the head. */
  userId: string;
}

/** As if its author had just pushed this head to the fork, which is not asked for it. Runs are made for it as for any new head. */
export async function bringFromFork(
  { container }: Pick<ApiServer, "container">,
  { repositoryId, number, head, forkId, userId }: FromFork,
): Promise<void> {
  const { db } = container.platform;
  // A comparison under way would look for the branch in the fork.
  await eventually(async () => {
    const due = await db.query(
      `select 1 from merge_requests m join work_items w on w.id = m.id
       where w.repository_id = $1 and w.number = $2 and m.check_due_at is not null`,
      [repositoryId, number],
    );
    return due.length === 0;
  });
  await db.query(
    `with item as (select id from work_items where repository_id = $1 and number = $2),
       author as (update work_items w set author_id = $5 from item where w.id = item.id)
     update merge_requests m set source_repository_id = $4, head_sha = $3 from item where m.id = item.id`,
    [repositoryId, number, head, forkId, userId],
  );
  await db.query(
    `update merge_request_subjects set source_repository_id = $4, head_sha = $3, author_id = $5, pusher_id = $5,
       actor_id = $5, wanted = wanted + 1, due_at = now()
     where repository_id = $1 and number = $2`,
    [repositoryId, number, head, forkId, userId],
  );
}

/** A commit of these files in the repository, by path, that no ref names: nothing is pushed, so nothing follows it. Its id. */
export async function commitWithoutRef(
  { container }: Pick<ApiServer, "container">,
  repositoryId: string,
  { parent, files }: { parent: string; files: Readonly<Record<string, string>> },
): Promise<string> {
  const { git, storage } = container.platform;
  const directory = storage.directory(repositoryId);
  const ref = `refs/internal/by-hand-${parent.slice(0, 8)}`;
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const changes = Object.entries(files).map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`);
  const input = `commit ${ref}\ncommitter Ada <ada@example.com> 1700000000 +0000\n${data("From a fork")}from ${parent}\n${changes.join("")}\ndone\n`;
  await git.run({ directory, args: ["fast-import", "--quiet", "--force", "--done"], input });
  const { stdout } = await git.run({ directory, args: ["rev-parse", ref] });
  return stdout.toString("utf8").trim();
}

/** Makes a run one of a merge request from a fork, `number`, that nobody has approved yet. */
export async function holdForFork(
  { container }: Pick<ApiServer, "container">,
  pipelineId: string,
  { number, author }: { number: number; author: string },
): Promise<void> {
  const { db } = container.platform;
  const [run] = await db.query<{ repository_id: string; sha: string }>(
    `update pipelines set source = 'merge_request', ref = $3, merge_request_number = $2, needs_approval = true, trust = 'fork',
       status = 'awaiting_approval', reason = 'fork', message = 'Waits for an approval.', finished_at = null,
       event = jsonb_set(event, '{mergeRequest}', jsonb_build_object('number', $2::int, 'title', 'x', 'author', $4::text,
         'source_branch', 'b', 'target_branch', 'main', 'base_sha', sha, 'draft', false, 'labels', '[]'::jsonb, 'fork', true))
     where id = $1 returning repository_id, sha`,
    [pipelineId, number, `refs/merge-requests/${number}/head`, author],
  );
  const item = [newId("mr"), run?.repository_id, number];
  await db.query(
    "insert into work_items (id, repository_id, number, kind, title) values ($1, $2, $3, 'merge_request', 'x')",
    item,
  );
  await db.query(
    `insert into merge_requests (id, repository_id, source_branch, target_branch, head_sha, target_sha, check_due_at)
     values ($1, $2, 'b', 'main', $3, $3, null)`,
    [item[0], item[1], run?.sha],
  );
  await db.query(
    `insert into merge_request_subjects (merge_request_id, repository_id, number, is_open, source_branch, target_branch, head_sha,
       title, draft, author_id)
     values ($1, $2, $3, true, 'b', 'main', $4, 'x', false, (select id from users where username = $5))`,
    [...item, run?.sha, author],
  );
}

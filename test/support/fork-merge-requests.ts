/** Merge requests whose commits come from a fork, without moving any objects: the head is already in the repository. */
import type { ApiServer } from "./api-server.ts";

export interface FromFork {
  repositoryId: string;
  number: number;
  head: string;
  /** The repository that it is said to come from. */
  forkId: string;
  /** The author, who also brought the head. */
  userId: string;
}

/** As if its author had just pushed this head to the fork. Runs are made for it as for any new head. */
export async function bringFromFork(
  { container }: Pick<ApiServer, "container">,
  { repositoryId, number, head, forkId, userId }: FromFork,
): Promise<void> {
  const { db } = container.platform;
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

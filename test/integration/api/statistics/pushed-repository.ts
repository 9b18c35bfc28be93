/** Repositories that are pushed to with the real Git and whose statistics are waited for. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { ApiServer, TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { addressWithToken, type GitClient } from "../../git/git-client.ts";

export interface Places {
  server: ApiServer;
  git: GitClient;
  owner: TestPerson;
}

let made = 0;

const monday = "2026-03-02";
/** Environment in which Git commits on this day. */
export const at = (day: string) => ({
  GIT_AUTHOR_DATE: `${day}T12:00:00Z`,
  GIT_COMMITTER_DATE: `${day}T12:00:00Z`,
});

export async function pushedRepository({ server, git, owner }: Places, body: Record<string, unknown> = {}) {
  const name = `s${made++}`;
  const answer = await server.api("POST", "/repos", { token: owner.token, body: { name, ...body } });
  expect(answer.status).toBe(201);
  const tree = join(git.home, name);
  await git.ok(["init", "-q", "-b", "main", tree]);
  const url = addressWithToken(server.webUrl, `${owner.username}/${name}`, owner.token);
  const path = `/repos/${owner.username}/${name}`;
  const get = async (what: string) =>
    (await server.api("GET", `${path}${what}`, { token: owner.token })).json;
  return {
    id: answer.json.id as string,
    name,
    tree,
    url,
    path,
    get,
    async write(files: Record<string, string | null>) {
      for (const [file, text] of Object.entries(files)) {
        const place = join(tree, file);
        await mkdir(dirname(place), { recursive: true });
        await (text === null ? rm(place) : writeFile(place, text));
      }
    },
    async commit(files: Record<string, string | null>, day = monday, env: Record<string, string> = {}) {
      await this.write(files);
      await git.ok(["add", "-A"], { cwd: tree });
      await git.ok(["commit", "-q", "--allow-empty", "-m", "x"], { cwd: tree, env: { ...at(day), ...env } });
    },
    push: (...more: string[]) => git.ok(["push", "-q", ...more, url, "HEAD:main"], { cwd: tree }),
    head: () => git.ok(["rev-parse", "HEAD"], { cwd: tree }),
    /** The statistics of commits once they are those of this commit. */
    upTo: (commit: string | null) =>
      eventually(
        async () => {
          const now = await get("/stats/commits?until=2026-03-15&weeks=3");
          return now.state === "ready" && now.commit === commit ? now : false;
        },
        { timeoutMs: 60_000 },
      ),
    /** All rows that were computed. */
    async rows() {
      const of = async (table: string) =>
        (
          await server.container.platform.db.query<{ row: string }>(
            `select (to_jsonb(t) - 'repository_id' - 'computed_at')::text as row from ${table} t
             where repository_id = $1 order by 1`,
            [answer.json.id],
          )
        ).map(({ row }) => row);
      return {
        cursor: await of("repository_statistics"),
        weeks: await of("repository_commit_weeks"),
        contributors: await of("repository_contributors"),
        contributorWeeks: await of("repository_contributor_weeks"),
        languages: await of("repository_languages"),
        manifests: await of("repository_manifests"),
        dependencies: await of("repository_dependencies"),
      };
    },
  };
}

export type TestRepository = Awaited<ReturnType<typeof pushedRepository>>;

/** Computes everything from nothing and gives the rows. */
export async function computedAnew({ server }: Places, { id, rows }: TestRepository) {
  await server.container.platform.db.query("delete from repository_statistics where repository_id = $1", [
    id,
  ]);
  for (const table of [
    "repository_commit_weeks",
    "repository_contributors",
    "repository_contributor_weeks",
    "repository_languages",
    "repository_manifests",
  ])
    await server.container.platform.db.query(`delete from ${table} where repository_id = $1`, [id]);
  await server.container.hosting.statistics.compute(id, new AbortController().signal);
  return rows();
}

/** Mulberry32: the same numbers each time. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Lists of GitHub that have more records than it lists pages of. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../../support/eventually.ts";
import { serveHost } from "../../../support/imports/fake-host.ts";
import { githubProject } from "../../../support/imports/github-project.ts";
import { startMirrorBed, type MirrorBed } from "../../../support/mirror-bed.ts";

let bed: MirrorBed;
beforeAll(async () => {
  bed = await startMirrorBed({ name: "long-lists" });
});
afterAll(() => bed?.close());

const get = async (path: string) => (await bed.send("GET", path)).json;

async function imported(name: string, more: object) {
  const { lists } = await githubProject(bed.source, name);
  const at = `/repos/octo/${name}`;
  for (const pull of lists[`${at}/pulls`] as { number: number }[]) lists[`${at}/pulls/${pull.number}`] = pull;
  const host = serveHost(bed.source, { at: "/api/v3", lists, perPage: 1, ...more });
  const body = {
    source: "github",
    repository: `octo/${name}`,
    api_url: `${bed.source.url}/api/v3`,
    token: "t",
  };
  const { id } = (await bed.send("POST", "/imports", body)).json;
  const done = await eventually(
    async () => {
      const shown = await get(`/imports/${id}`);
      return shown.finished_at !== null && shown;
    },
    { timeoutMs: 60_000 },
  );
  return { host, done };
}

const everything = { labels: 2, milestones: 1, issues: 2, merge_requests: 4, comments: 6, reviews: 2 };

test("cursors are followed, and lists go on by time or by number where pages end", async () => {
  const { done, host } = await imported("long", { maxPages: 2, withCursors: "/issues" });
  expect(done).toMatchObject({ state: "done", error: null, progress: everything });
  expect(host.asked).toContain("/repos/octo/long/pulls/6");
  const numbers = [1, 2, 3, 4, 5, 6].map((number) =>
    number < 3 ? `issues/${number}` : `merge-requests/${number}`,
  );
  for (const path of numbers) expect(await get(`/repos/ada/long/${path}`)).toHaveProperty("number");
});

test("a list that ends where there is no way on ends the import with a sentence", async () => {
  const { done } = await imported("ends", { maxPages: 1 });
  expect(done).toMatchObject({
    state: "failed",
    step: "labels",
    error: expect.stringContaining("status 422"),
  });
});

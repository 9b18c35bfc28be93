/** Lists of GitHub that have more records than it lists pages of, and its large files. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../../support/eventually.ts";
import { json, serveHost } from "../../../support/imports/fake-host.ts";
import { githubProject } from "../../../support/imports/github-project.ts";
import { lfsObject } from "../../../support/lfs-server.ts";
import { withTexts } from "../../../support/text-database.ts";
import { startMirrorBed, type MirrorBed } from "../../../support/mirror-bed.ts";

let bed: MirrorBed;
beforeAll(async () => {
  bed = await startMirrorBed({ name: "long-and-large" });
});
afterAll(() => bed?.close());

const get = async (path: string) => (await bed.send("GET", path)).json;

const [good, wrong, absent] = ["good", "wrong", "absent"].map(lfsObject) as [Large, Large, Large];
type Large = ReturnType<typeof lfsObject>;
const asked: string[][] = [];

/** False: it is about something else. */
function answerLfs(request: IncomingMessage, response: ServerResponse): boolean {
  const { url = "" } = request;
  if (!url.includes("/info/lfs/")) return false;
  if (!url.endsWith("/objects/batch")) {
    response.writeHead(200, { "content-type": "application/octet-stream" });
    response.end(url.endsWith(good.oid) ? good.bytes : wrong.bytes.toReversed());
    return true;
  }
  void text(request).then((body) => {
    const { objects } = JSON.parse(body) as { objects: { oid: string }[] };
    asked.push(objects.map(({ oid }) => oid));
    const href = (oid: string) => `${bed.source.url}/info/lfs/bytes/${oid}`;
    const answerTo = ({ oid }: { oid: string }) =>
      oid === absent.oid
        ? { oid, error: { code: 404 } }
        : { oid, actions: { download: { href: href(oid) } } };
    json(response, { objects: objects.map(answerTo) });
  });
  return true;
}

async function imported(name: string, more: object, files: Record<string, string> = {}) {
  const { lists, repository } = await githubProject(bed.source, name);
  if (Object.keys(files).length > 0) await repository.commit("main", files);
  const at = `/repos/octo/${name}`;
  for (const pull of lists[`${at}/pulls`] as { number: number }[]) lists[`${at}/pulls/${pull.number}`] = pull;
  const host = serveHost(bed.source, { at: "/api/v3", lists, perPage: 1, ...more });
  const ofApi = bed.source.answer;
  bed.source.answer = (request, response, usual) =>
    answerLfs(request, response) || ofApi(request, response, usual);
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

test("Git LFS objects come along, and what is wrong or absent is in the report", async () => {
  const pointer = ({ oid, size }: Large) =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;
  const files = { "good.bin": pointer(good), "wrong.bin": pointer(wrong), "absent.bin": pointer(absent) };
  const { done } = await imported("large", {}, files);
  expect(done).toMatchObject({ state: "done", error: null });
  const rows = await withTexts(bed.database).query(
    "select oid from lfs_objects where stored_at is not null and repository_id = (select repository_id from imports where id = $1)",
    [done.id],
  );
  expect(rows).toEqual([{ oid: good.oid }]);
  const report: { kind: string; source: string; reason: string }[] = await get(`/imports/${done.id}/report`);
  const ofLfs = report.filter(({ kind }) => kind === "lfs").map(({ source }) => source);
  expect(ofLfs.toSorted()).toEqual([wrong.oid, absent.oid].toSorted());
  expect(asked.flat().toSorted()).toEqual([good.oid, wrong.oid, absent.oid].toSorted());
});

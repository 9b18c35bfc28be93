/** Imports out of exports that were uploaded: no other host is asked. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Comment } from "@forgeline/schemas/comments/resource.ts";
import type { Import } from "@forgeline/schemas/imports/resource.ts";
import { eventually } from "../../../support/eventually.ts";
import { archiveOf, type ArchiveFiles } from "../../../support/imports/export-archive.ts";
import { githubArchive } from "../../../support/imports/github-archive.ts";
import { gitlabArchive, largeId } from "../../../support/imports/gitlab-archive.ts";
import { startMirrorBed, type MirrorBed } from "../../../support/mirror-bed.ts";
import { withTexts } from "../../../support/text-database.ts";

let bed: MirrorBed;
beforeAll(async () => {
  bed = await startMirrorBed({
    name: "archives",
    env: { FORGELINE_IMPORT_ARCHIVE_MAX_BYTES: "2000000" },
  });
});
afterAll(() => bed?.close());

const get = async (path: string) => (await bed.send("GET", path)).json;
const upload = (bytes: Buffer, name = "export.tar.gz") =>
  bed.send("POST", `/imports/archives?name=${name}`, bytes);
const remove = (id: string) => bed.send("DELETE", `/imports/archives/${id}`);

const ended = (id: string) =>
  eventually(
    async () => {
      const shown: Import = await get(`/imports/${id}`);
      return shown.finished_at !== null && shown;
    },
    { timeoutMs: 60_000 },
  );

async function imported(files: ArchiveFiles | Buffer, body: object): Promise<Import> {
  const bytes = Buffer.isBuffer(files) ? files : await archiveOf(files);
  const uploaded = await upload(bytes);
  expect([uploaded.status, uploaded.text]).toEqual([201, uploaded.text]);
  const archive = uploaded.json.id as string;
  const begun = await bed.send("POST", "/imports", { archive, ...body });
  expect([begun.status, begun.text]).toEqual([202, begun.text]);
  const done = await ended(begun.json.id);
  expect((await remove(archive)).status).toBe(204);
  return done;
}

const reportOf = async ({ id }: Import) =>
  (await get(`/imports/${id}/report`)).map(
    ({ kind, source, reason }: Record<string, string>) => `${kind} ${source}: ${reason}`,
  );

test("a migration archive of GitHub comes over with numbers, people, reviews, threads and Git", async () => {
  const { files, commits } = await githubArchive(bed.source, "moved");
  const asked = bed.source.requests.length;
  const done = await imported(files, {
    source: "github",
    repository: "Octo/Moved",
    users: { octocat: "ada" },
  });
  expect(done).toMatchObject({ state: "done", error: null, from_archive: true, number_offset: 0 });
  expect(done.progress).toEqual({
    labels: 1,
    milestones: 1,
    issues: 2,
    merge_requests: 3,
    comments: 4,
    reviews: 1,
  });
  expect(await reportOf(done)).toEqual([
    "merge_request 5: Its source branch is elsewhere: `imported/merge-request-5` has its commits.",
  ]);
  expect(bed.source.requests).toHaveLength(asked);
  const at = "/repos/ada/Moved";
  expect(await get(at)).toMatchObject({ importing: false, default_branch: "main" });
  const first = await get(`${at}/issues/1`);
  expect(first).toMatchObject({
    body: "Ask `@octocat`.",
    imported_author: { name: "hubot" },
    created_at: "2021-03-01T10:00:00.000Z",
    updated_at: "2021-03-20T10:00:00.000Z",
    milestone: { title: "v1", due_on: "2021-06-01" },
    labels: [{ name: "good first", color: "7057ff" }],
    assignees: [{ username: "ada" }],
  });
  expect(await get(`${at}/issues/2`)).toMatchObject({ state: "closed", imported_author: { name: "ghost" } });
  expect(await get(`${at}/merge-requests/3`)).toMatchObject({
    state: "open",
    source_branch: "topic",
    head_sha: commits.topic,
  });
  expect(await get(`${at}/merge-requests/4`)).toMatchObject({
    state: "merged",
    merge_base_sha: commits.base,
  });
  expect(await get(`${at}/merge-requests/5`)).toMatchObject({ head_sha: commits.fork });
  expect(await get(`${at}/merge-requests/3/reviews`)).toMatchObject([
    { state: "approved", counts: false, imported_author: { name: "hubot" } },
  ]);
  const threads = await get(`${at}/merge-requests/3/threads`);
  expect(threads).toMatchObject([{ path: "topic.txt", line: 1, commit_sha: commits.topic, outdated: false }]);
  expect(threads[0].comments.map(({ body }: Comment) => body)).toEqual(["Text r61", "Text r62"]);
  expect((await bed.send("POST", `${at}/issues`, { title: "New" })).json.number).toBe(6);
});

test("a project export of GitLab comes over with notes, approvals, a bundle and Git LFS", async () => {
  const { files, commits } = await gitlabArchive(bed.source, "tool");
  const done = await imported(files, {
    source: "gitlab",
    repository: "group/sub/tool",
    users: { maria: "ada" },
  });
  expect(done).toMatchObject({ state: "done", error: null, number_offset: 3 });
  expect(done.progress).toEqual({
    labels: 1,
    milestones: 1,
    issues: 2,
    merge_requests: 2,
    comments: 4,
    reviews: 1,
  });
  expect(await reportOf(done)).toEqual(["issues 3: It is confidential there, so it was left out."]);
  const at = "/repos/ada/tool";
  expect((await get(at)).default_branch).toBe("main");
  const first = await get(`${at}/issues/1`);
  expect(first).toMatchObject({
    body: "See !5 and #2, `@all`",
    imported_author: { name: "Sid-Ney-26" },
    assignees: [{ username: "ada" }],
  });
  expect(first.labels.map(({ name }: { name: string }) => name)).toEqual(["kind::bug", "of the group"]);
  expect(await get(`${at}/merge-requests/4`)).toMatchObject({
    state: "merged",
    merge_sha: commits.done,
    merged_at: "2022-05-07T08:00:00.000Z",
  });
  expect(await get(`${at}/merge-requests/5`)).toMatchObject({
    state: "open",
    draft: true,
    description: "After !4",
    head_sha: commits.topic,
  });
  expect(await get(`${at}/merge-requests/4/reviews`)).toMatchObject([
    { state: "approved", author: { username: "ada" }, imported_author: { name: "maria" } },
  ]);
  const threads = await get(`${at}/merge-requests/5/threads?state=all`);
  expect(threads).toMatchObject([{ path: "topic.txt", line: 1, side: "new", resolved: true }]);
  expect(threads[0].comments.map(({ body }: Comment) => body)).toEqual(["Note 22", "Note 23"]);
  const stored = await withTexts(bed.database).query(
    "select oid from lfs_objects where stored_at is not null and repository_id = (select repository_id from imports where id = $1)",
    [done.id],
  );
  expect(stored).toEqual([{ oid: largeId }]);
});

const sentences: [string, () => Promise<ArchiveFiles | Buffer>, RegExp][] = [
  ["no export", () => Promise.resolve({ "a.txt": "a" }), /no migration archive of GitHub/],
  [
    "another repository",
    () => Promise.resolve({ "repositories_000001.json": '[{"url":"https://github.com/octo/other"}]' }),
    /no repository octo\/bad\. It has octo\/other\./,
  ],
  [
    "no JSON",
    () => Promise.resolve({ "repositories_000001.json": "[{" }),
    /repositories_000001\.json .* no JSON/,
  ],
  ["half of it", async () => (await archiveOf({ a: randomBytes(5_000) })).subarray(0, 3_000), /damaged/],
  ["something compressed", () => Promise.resolve(gzipSync("no tar at all".repeat(100))), /damaged/],
  [
    "zeros",
    () => archiveOf({ zeros: Buffer.alloc(30_000_000) }),
    /more than 20000000 bytes when it is unpacked/,
  ],
];

test.each(sentences)("an archive with %s ends the import with a sentence", async (_what, made, expected) => {
  const name = `bad${randomBytes(4).toString("hex")}`;
  const failed = await imported(await made(), { source: "github", repository: "octo/bad", name });
  expect(failed).toMatchObject({ state: "failed", error: expect.stringMatching(expected) });
  expect(await get(`/repos/ada/${name}`)).toMatchObject({ importing: false });
  const again = await bed.send("POST", `/imports/${failed.id}/retry`, {});
  expect([again.status, again.json.message]).toEqual([409, expect.stringContaining("archive was removed")]);
});

test("an older export of GitLab, and one of something else, are told apart", async () => {
  const begin = (files: ArchiveFiles, name: string) =>
    imported(files, { source: "gitlab", repository: "group/old", name });
  expect((await begin({ "project.json": "{}" }, "old1")).error).toMatch(/GitLab 12 or older/);
  expect((await begin({ "other.json": "{}" }, "old2")).error).toMatch(/no project export/);
});

test("nothing of an archive leaves its place, and Git follows neither its settings nor its alternates", async () => {
  const other = await bed.repository();
  const secret = await bed.source.create("octo/secret");
  const commit = await secret.commit("main", { "secret.txt": "secret" });
  await bed.git.run(["-C", secret.directory, "push", "-q", bed.address(other), "main"]);
  const git = "repositories/octo/evil.git";
  const done = await imported(
    {
      "repositories_000001.json": '[{"url":"https://github.com/octo/evil"}]',
      "issues_000001.json": JSON.stringify([
        {
          url: "https://github.com/octo/evil/issues/1",
          title: "nul\u0000",
          body: "\ud800",
          created_at: "2021-01-01",
        },
        { url: "https://github.com/octo/evil/issues/99999999999", title: "far", created_at: "2021-01-01" },
        { url: "https://github.com/octo/evil/issues/2", title: 7, created_at: "never" },
        "https://github.com/octo/evil/issues/3",
      ]),
      [`${git}/HEAD`]: "ref: refs/heads/main\n",
      [`${git}/config`]:
        "[core]\n\tfsmonitor = touch /tmp/forgeline-evil\n[uploadpack]\n\tpackObjectsHook = touch /tmp/forgeline-evil\n",
      [`${git}/objects/info/alternates`]: `${other.directory}/objects\n`,
      [`${git}/objects/pack/../../../../../../tmp/forgeline-evil`]: "evil",
      [`${git}/refs/heads/main`]: `${commit}\n`,
      [`${git}/refs/heads/../../x`]: `${commit}\n`,
      [`${git}/packed-refs`]: `${commit} refs/heads/a\n${commit} refs/heads/b c\n`,
    },
    { source: "github", repository: "octo/evil" },
  );
  expect(done.state).toBe("failed");
  expect(existsSync("/tmp/forgeline-evil")).toBe(false);
  expect(await get("/repos/ada/evil/branches")).toEqual([]);
});

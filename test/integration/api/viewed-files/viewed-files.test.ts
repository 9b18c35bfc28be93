/** What people have seen of a merge request: marks on files that fall with the change, and what changed since a look. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { createGitClient, type GitClient } from "../../git/git-client.ts";

let server: ApiServer;
let client: GitClient;
let ada: TestPerson;
let grace: TestPerson;
let clone: string;
let first: string;
const R = "/repos/ada/engine";
const M = `${R}/merge-requests/1`;
const lines = (changed: Record<number, string> = {}) =>
  Array.from({ length: 30 }, (_, index) => `${changed[index + 1] ?? index + 1}\n`).join("");
const git = (...args: string[]) => client.ok(args, { cwd: clone });
const as = (person: TestPerson) => (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, body });
const api: ReturnType<typeof as> = (...request) => as(ada)(...request);

beforeAll(async () => {
  server = await startApiServer();
  client = await createGitClient(server.caFile);
  ada = await server.person("ada");
  grace = await server.person("grace");
  await api("POST", "/repos", { name: "engine", private: false });
  clone = await client.workTree({ "a.txt": lines(), "z.txt": "z\n" });
  await git(
    "remote",
    "add",
    "origin",
    `${server.webUrl.replace("https://", `https://ada:${ada.token}@`)}${R.slice(6)}.git`,
  );
  await git("checkout", "-q", "-b", "topic");
  await client.commit(clone, { "a.txt": lines({ 2: "two" }), "b.txt": "b\n" }, "Propose");
  await git("push", "-q", "origin", "main", "topic");
  first = await git("rev-parse", "HEAD");
  await api("POST", `${R}/merge-requests`, { title: "Bring it", source_branch: "topic" });
});
afterAll(async () => {
  await client?.remove();
  await server?.stop();
});

const viewed = async (person = ada) => (await as(person)("GET", `${M}/viewed-files`)).json;
const since = async (sha: string) => (await api("GET", `${M}/changes-since?since=${sha}`)).json;
const filesSince = async (sha: string) =>
  (await api("GET", `${M}/changes-since/files?since=${sha}`)).json as { path: string; patch: string }[];

/** Of the source branch; the new head. */
async function push(): Promise<string> {
  await git("push", "-q", "--force", "origin", "topic");
  const head = await git("rev-parse", "HEAD");
  await eventually(async () => {
    const { head_sha: now, mergeable } = (await api("GET", M)).json;
    return now === head && mergeable !== "checking";
  });
  return head;
}

/** The branch again, on what `main` becomes with these files. */
async function rebase(files: Record<string, string>): Promise<void> {
  await git("checkout", "-q", "main");
  await client.commit(clone, files, "Go on");
  await git("push", "-q", "origin", "main");
  await git("checkout", "-q", "topic");
  await git("rebase", "-q", "-X", "theirs", "main");
}

it("keeps marks for whoever set them, and takes them back", async () => {
  const set = (body: object) => api("PUT", `${M}/viewed-files`, body);
  expect((await set({ path: "a.txt", head_sha: first })).status).toBe(204);
  expect((await set({ path: "b.txt" })).status).toBe(204);
  expect(await viewed()).toEqual({
    head_sha: first,
    viewed: ["a.txt", "b.txt"],
    changed: [],
    files_count: 2,
  });
  expect(await viewed(grace)).toMatchObject({ viewed: [], files_count: 2 });
  expect((await api("DELETE", `${M}/viewed-files?path=b.txt`)).status).toBe(204);
  expect((await api("DELETE", `${M}/viewed-files?path=b.txt`)).status).toBe(204);
  expect((await viewed()).viewed).toEqual(["a.txt"]);
  expect((await set({ path: "z.txt" })).json.errors[0]).toMatchObject({ field: "path", code: "unknown" });
  const never = await set({ path: "a.txt", head_sha: "1".repeat(40) });
  expect(never.json.errors[0]).toMatchObject({ field: "head_sha", code: "unknown" });
  expect((await server.api("GET", `${M}/viewed-files`)).status).toBe(401);
});

it("shows what came since a look, and lets fall the marks of what changed", async () => {
  expect((await api("PUT", `${M}/seen`, { sha: first })).status).toBe(204);
  const review = { event: "comment", body: "Go on." };
  expect((await as(grace)("POST", `${M}/reviews`, review)).status).toBe(201);
  expect(await since("last_look")).toEqual({
    status: "unchanged",
    since_sha: first,
    head_sha: first,
    exact: true,
  });
  await client.commit(clone, { "a.txt": lines({ 2: "2nd" }) }, "Change it");
  const head = await push();
  expect(await viewed()).toMatchObject({ head_sha: head, viewed: [], changed: ["a.txt"] });
  const stale = await api("PUT", `${M}/viewed-files`, { path: "a.txt", head_sha: first });
  expect([stale.status, stale.json.message]).toEqual([409, expect.stringContaining("look at it again")]);
  expect(await since("last_look")).toMatchObject({ status: "changed", since_sha: first, exact: true });
  expect(await filesSince("last_look")).toMatchObject([
    { path: "a.txt", patch: expect.stringContaining("-two\n+2nd\n") },
  ]);
  const reviewed = await as(grace)("GET", `${M}/changes-since?since=last_review`);
  expect(reviewed.json).toMatchObject({ status: "changed", since_sha: first, head_sha: head });
  const none = await as(grace)("GET", `${M}/changes-since?since=last_look`);
  expect(none.json).toMatchObject({ status: "none", since_sha: null });
  expect((await as(grace)("GET", `${M}/changes-since/files`)).status).toBe(409);
  expect((await api("GET", `${M}/changes-since?since=${"1".repeat(40)}`)).status).toBe(404);
  expect((await api("GET", `${M}/changes-since?since=main`)).status).toBe(400);
});

it("leaves out what a rebase brings from the target branch", async () => {
  const before = await git("rev-parse", "HEAD");
  await api("PUT", `${M}/seen`, { sha: before });
  await rebase({ "a.txt": lines({ 28: "of main" }), "z.txt": "of main\n" });
  const rebased = await push();
  expect(await since(before)).toMatchObject({ status: "unchanged", head_sha: rebased, exact: true });
  expect(await filesSince(before)).toEqual([]);
  // Whoever has not seen it while it was there does not see what a force push has removed.
  expect((await as(grace)("GET", `${M}/changes-since?since=${before}`)).status).toBe(404);
  expect((await as(grace)("PUT", `${M}/seen`, { sha: before })).status).toBe(422);
  const at = { path: "a.txt", line: 2, body: "Show me.", commit_sha: before };
  const review = { event: "comment", body: at.body, commit_sha: before };
  for (const [what, body] of Object.entries({ threads: at, reviews: review })) {
    const asked = await as(grace)("POST", `${M}/${what}`, body);
    expect([asked.status, asked.json.errors[0].field]).toEqual([422, "commit_sha"]);
  }
  for (const path of ["a.txt", "never.txt"]) {
    const asked = await as(grace)("PUT", `${M}/viewed-files`, { path, head_sha: before });
    expect([asked.status, asked.json.message]).toEqual([409, expect.stringContaining("force push")]);
  }
  expect((await api("POST", `${M}/threads`, at)).status).toBe(201);
  await client.commit(clone, { "b.txt": "bb\n" }, "And b");
  await push();
  expect(await since(before)).toMatchObject({ status: "changed", exact: true });
  const [file, ...more] = (await api("GET", `${M}/changes-since/files?since=${before}`)).json;
  expect([file.path, more, file.previous_raw_url]).toEqual(["b.txt", [], null]);
  const path = file.patch_url.slice(file.patch_url.indexOf(M));
  expect((await api("GET", path)).json).toMatchObject({ path: "b.txt", patch: file.patch });
  expect((await api("GET", path.replace("b.txt", "z.txt"))).status).toBe(404);
});

it("says so where a rebase leaves no clean comparison", async () => {
  const before = await git("rev-parse", "HEAD");
  await api("PUT", `${M}/seen`, { sha: before });
  await rebase({ "a.txt": lines({ 2: "main", 28: "of main" }), "z.txt": "again\n" });
  await push();
  expect(await since(before)).toMatchObject({ status: "changed", exact: false });
});

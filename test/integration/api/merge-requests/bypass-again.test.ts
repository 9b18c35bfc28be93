/** A merge past the rules that loses to another push at the last moment: the audit log says which of its attempts took place. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";
import { lockWait } from "../../../support/lock-wait.ts";

let server: ApiServer;
let ada: TestPerson;
let repositoryId = "";
const R = "/repos/ada/app";
const api = (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: ada.token, body });

beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  repositoryId = (await api("POST", "/repos", { name: "app", readme: true, private: true })).json.id;
});
afterAll(() => server?.stop());

it("has an entry for each attempt, and the merge commit names the one that took place", async () => {
  const { db, git, storage } = server.container.platform;
  const { branch, put, tipOf } = branchesOver(api, R);
  await branch("change", { "change.txt": "1\n" });
  const { number } = (await api("POST", `${R}/merge-requests`, { title: "Change", source_branch: "change" }))
    .json;
  await branch("other", {});
  const other = await put("other", "other.txt", "2\n");
  const rule = { pattern: "main", required_approvals: 1, bypass_users: ["ada"] };
  expect((await api("POST", `${R}/branch-protections`, rule)).status).toBe(201);
  const wanted = { bypass: true, bypass_reason: "The site is down." };
  const merge = () => api("PUT", `${R}/merge-requests/${number}/merge`, wanted);
  let merging: ReturnType<typeof merge> | undefined;
  await db.transaction(async (tx) => {
    // What is written before the branch moves waits, and so does the entry.
    await tx.query("lock table pushes in share mode", []);
    merging = merge();
    await lockWait(db);
    const args = ["update-ref", "refs/heads/main", other];
    await git.run({ directory: storage.directory(repositoryId), args });
  });
  const merged = await merging;
  expect([merged?.status, merged?.json.message, merged?.json.state]).toEqual([200, undefined, "merged"]);
  const entries = await db.query<{ commit: string }>(
    "select details->>'commit' as commit from audit_log where action = 'push.override' order by id",
  );
  expect(entries).toHaveLength(2);
  expect(entries.map(({ commit }) => commit === merged?.json.merge_sha)).toEqual([false, true]);
  expect(await tipOf("main")).toBe(merged?.json.merge_sha);
});

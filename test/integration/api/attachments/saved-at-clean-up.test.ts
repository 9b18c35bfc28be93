/** A text is saved in the very moment in which files that nobody uses are removed: what it mentions stays. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Attachment } from "@forgeline/schemas/attachments/resource.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";
import { lockWait } from "../../../support/lock-wait.ts";

let server: ApiServer;
let ada: TestPerson;
const R = "/repos/ada/app";

const send = (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: ada.token, ...(body === undefined ? {} : { body }) });
const ok = async (method: string, path: string, body?: object) => {
  const answer = await send(method, path, body);
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
  return answer.json;
};

beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  await ok("POST", "/repos", { name: "app", private: true, readme: true });
});
afterAll(() => server?.stop());

async function oldFile(): Promise<Attachment> {
  const path = "/attachments?repo=ada/app&name=notes.txt";
  const file = (await send("POST", path, Buffer.from("notes"))).json as Attachment;
  await server.container.platform.db.query(
    "update attachments set created_at = now() - interval '25 hours' where id = $1",
    [file.id],
  );
  return file;
}
const cleanUp = () =>
  server.container.collaboration.attachmentUpkeep.upkeepTasks[0]?.run(new AbortController().signal);

/** The text is written, its event is not: the clean-up sees nothing of it. */
async function saveDuringCleanUp(save: (body: string) => Promise<unknown>): Promise<number> {
  const file = await oldFile();
  const { db } = server.container.platform;
  let saving: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    await tx.query("lock table events in share mode", []);
    saving = save(file.markdown);
    await lockWait(db);
    await cleanUp();
  });
  await saving;
  await cleanUp();
  return (await send("GET", file.url.slice(server.baseUrl.length))).status;
}

test("of issues and their comments, new ones and old ones", async () => {
  const { number } = await ok("POST", `${R}/issues`, { title: "Old" });
  const { id } = await ok("POST", `${R}/issues/${number}/comments`, { body: "Old" });
  const ways: ((body: string) => Promise<unknown>)[] = [
    (body) => ok("POST", `${R}/issues`, { title: "New", body }),
    (body) => ok("PATCH", `${R}/issues/${number}`, { body }),
    (body) => ok("POST", `${R}/issues/${number}/comments`, { body }),
    (body) => ok("PATCH", `${R}/comments/${id}`, { body }),
  ];
  for (const way of ways) expect(await saveDuringCleanUp(way)).toBe(200);
});

test("of merge requests, their reviews and threads", async () => {
  const { branch } = branchesOver(send, R);
  await branch("change", { "change.txt": "1" });
  const of = { title: "Change", source_branch: "change" };
  const all = `${R}/merge-requests`;
  expect(await saveDuringCleanUp((description) => ok("POST", all, { ...of, description }))).toBe(200);
  const [{ number }] = await ok("GET", all);
  const M = `${all}/${number}`;
  const review = await ok("POST", `${M}/reviews`, { event: "comment", body: "Old" });
  const line = { path: "change.txt", side: "new", line: 1 };
  const ways: ((body: string) => Promise<unknown>)[] = [
    (body) => ok("POST", `${M}/reviews`, { event: "comment", body }),
    (body) => ok("PATCH", `${M}/reviews/${review.id}`, { body }),
    (body) => ok("POST", `${M}/threads`, { ...line, body }),
  ];
  for (const way of ways) expect(await saveDuringCleanUp(way)).toBe(200);
});

/** What webhooks are told of merge requests, against the schema that OpenAPI shows. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { webhookPayloads } from "@forgeline/schemas/webhooks/payloads.ts";
import { eventually } from "../../../support/eventually.ts";
import { startWebhookBed, type WebhookBed } from "../../../support/webhook-bed.ts";

let bed: WebhookBed;
beforeAll(async () => {
  bed = await startWebhookBed({ name: "merge-request-bodies", worker: false });
});
afterAll(() => bed?.close());

test("merge requests, as they were each time", async () => {
  const { path, received } = await bed.hooked({ events: ["merge_request"] });
  const put = (name: string) =>
    bed.send("PUT", `${path}/contents/${name}`, { message: name, content: "eA==", branch: "topic" });
  await bed.send("PUT", `${path}/contents/first`, { message: "first", content: "eA==" });
  await bed.send("POST", `${path}/branches`, { name: "topic" });
  await put("a");
  const wanted = { title: "One", source_branch: "topic" };
  const { number } = (await bed.send("POST", `${path}/merge-requests`, wanted)).json;
  const one = `${path}/merge-requests/${String(number)}`;
  await put("b");
  const ben = await bed.server.person("ben");
  await bed.send("PUT", `${path}/collaborators/ben`, { permission: "write" });
  await bed.send("PUT", `${one}/reviewers`, { reviewers: [ben.username] });
  await bed.send("PATCH", one, { draft: true });
  await bed.send("POST", `${one}/close`);
  await bed.send("POST", `${one}/reopen`);
  await bed.send("PATCH", one, { draft: false });
  await bed.send("PUT", `${one}/merge`, { strategy: "squash" });
  const all = await eventually(() => received().length >= 9 && received(), { timeoutMs: 20_000 });
  for (const { json } of all)
    expect(webhookPayloads.merge_request.safeParse(json).error?.issues).toBeUndefined();
  const list = all.toSorted((one, other) => Number(one.json["sequence"]) - Number(other.json["sequence"]));
  expect(list.map(({ json }) => json["action"])).toEqual([
    "opened",
    "synchronized",
    "review_requested",
    "edited",
    "edited",
    "closed",
    "reopened",
    "edited",
    "merged",
  ]);
  expect(list[0]?.json).toMatchObject({ merge_request: { title: "One", state: "open" } });
  expect(list[2]?.json).toMatchObject({ requested: [{ username: "ben" }], sender: { username: "ada" } });
  expect(list[8]?.json).toMatchObject({
    merge_request: { state: "merged", merged_by: { username: "ada" }, merge_strategy: "squash" },
    sender: { username: "ada" },
  });
});

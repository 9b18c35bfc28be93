import { afterAll, beforeAll, expect, test } from "vitest";
import { createForgelineClient, type ForgelineClient } from "@forgeline/client/client.ts";
import { dataOf, ForgelineApiError } from "@forgeline/client/errors.ts";
import { startApiServer, type ApiServer } from "../support/api-server.ts";

let server: ApiServer;
let client: ForgelineClient;
beforeAll(async () => {
  server = await startApiServer();
  const ada = await server.person("ada");
  client = createForgelineClient({ baseUrl: server.baseUrl, token: ada.token, ca: server.ca });
});
afterAll(async () => {
  await client.close();
  await server.stop();
});

test("speaks to a server with a private authority: read, create, delete", async () => {
  expect(dataOf(await client.GET("/user")).username).toBe("ada");
  const created = dataOf(await client.POST("/user/tokens", { body: { name: "ci", scopes: ["repo:read"] } }));
  expect(created.token).toMatch(/^svc_pat_/);
  dataOf(await client.DELETE("/user/tokens/{id}", { params: { path: { id: created.id } } }));
  const left = dataOf(await client.GET("/user/tokens", { params: { query: { per_page: 5 } } }));
  expect(left.map((t) => t.name)).toEqual(["test"]);
});

test("an error answer is an exception with code, status and request id", async () => {
  const result = await client.POST("/user/tokens", { body: { name: "", scopes: [] } });
  const error = await Promise.resolve()
    .then(() => dataOf(result))
    .catch((e: unknown) => e);
  expect(error).toBeInstanceOf(ForgelineApiError);
  expect(error).toMatchObject({
    status: 422,
    body: { error: "validation_failed" },
    requestId: expect.any(String),
  });
});

test("without the authority the connection is refused", async () => {
  const stranger = createForgelineClient({ baseUrl: server.baseUrl });
  await expect(stranger.GET("/meta")).rejects.toThrow("fetch failed");
  await stranger.close();
});

test("finds a repository by its old name", async () => {
  dataOf(await client.POST("/repos", { body: { name: "old" } }));
  const path = { owner: "ada", repo: "old" };
  dataOf(await client.PATCH("/repos/{owner}/{repo}", { params: { path }, body: { name: "new" } }));
  expect(dataOf(await client.GET("/repos/{owner}/{repo}", { params: { path } })).full_name).toBe("ada/new");
});

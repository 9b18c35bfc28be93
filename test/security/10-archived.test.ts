/** An archived repository can be read, linted and its runs stopped; every operation that changes it is refused. */
import { afterAll, beforeAll, expect, test } from "vitest";
import * as pipelines from "@forgeline/schemas/pipelines/routes.ts";
import * as repositories from "@forgeline/schemas/repositories/routes.ts";
import * as runners from "@forgeline/schemas/runners/routes.ts";
import type { RouteContract } from "@forgeline/schemas/core/route.ts";
import { startApiServer, type ApiServer } from "../support/api-server.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

const contracts: RouteContract[] = Object.values({ ...pipelines, ...repositories, ...runners }).flatMap(
  (value) => ("access" in value && "path" in value ? [value as RouteContract] : []),
);
const changing = contracts.filter(
  ({ access, archived }) =>
    ["repo_write", "repo_maintain", "repo_admin"].includes(access) && archived === undefined,
);

test("every contract that changes a repository is refused with its own word", async () => {
  const ada = await server.person("ada");
  await server.api("POST", "/repos", { token: ada.token, body: { name: "old" } });
  await server.container.platform.db.query("update repositories set archived = true");
  expect(changing.map(({ id }) => id)).toEqual(expect.arrayContaining(["triggerPipeline", "rerunPipeline"]));
  for (const { id, method, path } of changing) {
    const address = path.replace(":owner", "ada").replace(":repo", "old").replace(":id", "1");
    const answer = await server.api(method.toUpperCase(), address, { token: ada.token, body: {} });
    expect({ id, status: answer.status, error: (answer.json as { error: string }).error }).toEqual({
      id,
      status: 403,
      error: "repository_archived",
    });
  }
  const read = await server.api("GET", "/repos/ada/old", { token: ada.token });
  expect(read.json).toMatchObject({ archived: true });
  const lint = await server.api("POST", "/repos/ada/old/pipelines/lint", {
    token: ada.token,
    body: { content: "image: x\nsteps: [x]\n" },
  });
  expect(lint.status).toBe(200);
});

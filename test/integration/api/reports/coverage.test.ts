/** Coverage that jobs report: of a run, of a branch, and as a badge. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { jobAtWork } from "../../../support/job-artifacts.ts";
import { reportFrom } from "../../../support/job-reports.ts";
import { insertRun } from "../../../security/access-matrix/places.ts";

let server: ApiServer;
let ada: TestPerson;
let repositoryId: string;

beforeAll(async () => {
  server = await startApiServer({});
  ada = await server.person("ada");
  const made = await server.api("POST", "/repos", { token: ada.token, body: { name: "app", readme: true } });
  repositoryId = made.json.id as string;
});
afterAll(() => server.stop());

const get = (path: string) => server.api("GET", `/repos/ada/app${path}`, { token: ada.token });
const lcov = (file: string, covered: number, total: number) =>
  `SF:${file}\n${Array.from({ length: total }, (_, n) => `DA:${n + 1},${n < covered ? 1 : 0}\n`).join("")}end_of_record\n`;

async function runCovering(number: number, ...reports: [key: string, content: string][]): Promise<void> {
  const pipelineId = await insertRun(server, { repositoryId, userId: ada.id, number, status: "success" });
  await server.container.platform.db.query("update pipelines set ref = 'refs/heads/main' where id = $1", [
    pipelineId,
  ]);
  for (const [key, content] of reports) {
    const job = await jobAtWork(server, { pipelineId, repositoryId, key });
    await reportFrom(server, job, [{ kind: "coverage", from: "lcov.info", content }]);
  }
}

test("is shown by file, by run, and as a badge", async () => {
  const badge = async (query = "") => (await get(`/badges/coverage.svg${query}`)).text;
  expect(await badge()).toContain("coverage: unknown");
  await runCovering(1, ["unit", lcov("a.ts", 9, 10) + lcov("b.ts", 1, 20)], ["web", lcov("<b>.ts", 2, 3)]);
  const { json: files, headers } = await get("/pipelines/1/coverage");
  expect(headers["x-total-count"]).toBe("3");
  expect(files).toMatchObject([
    { path: "b.ts", lines_covered: 1, lines_total: 20, percent: 5, job: { key: "unit" } },
    { path: "<b>.ts", percent: 66.6, job: { key: "web" } },
    { path: "a.ts", percent: 90 },
  ]);
  expect((await get("/pipelines/1/reports")).json[0].coverage).toEqual({
    lines_covered: 10,
    lines_total: 30,
    percent: 33.3,
  });
  await runCovering(2, ["unit", lcov("a.ts", 9, 10)]);
  const { json: runs } = await get("/coverage");
  expect(runs).toMatchObject([
    { pipeline: { number: 2 }, percent: 90, ref: "refs/heads/main" },
    { pipeline: { number: 1 }, lines_covered: 12, lines_total: 33, percent: 36.3 },
  ]);
  expect((await get("/coverage?branch=other")).json).toEqual([]);
  expect(await badge()).toContain("coverage: 90%");
  expect(await badge("?branch=none")).toContain("coverage: unknown");
});

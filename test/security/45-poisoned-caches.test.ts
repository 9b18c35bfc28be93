/** Row 45: an entry is found by its very key, paths and scope, however these are written. Forks: `test/integration/api/caches`. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { askCaches, bringCache, cacheJob, planCache } from "../support/job-caches.ts";

let server: ApiServer;
let ada: TestPerson;
let repositoryId: string;

beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  const made = await server.api("POST", "/repos", { token: ada.token, body: { name: "r", readme: true } });
  repositoryId = made.json.id as string;
});
afterAll(() => server?.stop());

interface Wanted {
  key: string;
  paths: string[];
}

const jobOf = ({ key, paths }: Wanted) =>
  cacheJob(server, { repositoryId, userId: ada.id }, { cache: [planCache(key, { paths })] });

async function found(wanted: Wanted): Promise<string | null> {
  const { token } = await jobOf(wanted);
  const question = { position: 0, key: wanted.key, restore: [] };
  const answer = await askCaches(server, token, "POST", "/lookup", question);
  expect(answer.status, answer.text).toBe(200);
  return (answer.json.found as { key: string } | null)?.key ?? null;
}

async function bring(wanted: Wanted): Promise<void> {
  const job = await jobOf(wanted);
  await bringCache(server, job, { key: wanted.key, bytes: Buffer.from("x") });
}

test.each(["|", ",", "/", '","'])("fields joined by %j are other fields", async (sign) => {
  const paths = [`a${sign}bc`, "d"];
  const key = `k${sign}a`;
  await bring({ key, paths });
  const others: Wanted[] = [
    { key, paths: [`ab${sign}c`, "d"] },
    { key, paths: ["a", "bc", "d"] },
    { key, paths: [`a${sign}bc${sign}d`] },
    { key, paths: ["d"] },
    { key: `k${sign}a${sign}bc`, paths: ["d"] },
    { key: "k", paths: [`a${sign}a${sign}bc`, "d"] },
    { key: `ka${sign}`, paths },
    { key: `k${sign}A`, paths },
  ];
  for (const other of others) expect(await found(other), JSON.stringify(other)).toBeNull();
  expect(await found({ key, paths: paths.toReversed() })).toBe(key);
});

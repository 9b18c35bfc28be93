/** Badges over REST: what they show, that they can be kept and shown elsewhere, and that they tell nothing to strangers. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "@forgeline/server/platform/ids.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let ada: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  for (const [name, isPrivate] of [
    ["open", false],
    ["closed", true],
  ] as const) {
    const body = { name, readme: true, private: isPrivate };
    const made = await server.api("POST", "/repos", { token: ada.token, body });
    if (made.status !== 201) throw new Error(made.text);
  }
});
afterAll(() => server.stop());

const badge = (repo: string, query = "", token?: string, headers: Record<string, string> = {}) =>
  server.api("GET", `/repos/ada/${repo}/badges/pipeline.svg${query}`, {
    ...(token === undefined ? {} : { token }),
    headers,
  });

const titleOf = (svg: string) => /<title>(.*?)<\/title>/.exec(svg)?.[1];

let runs = 0;
interface Run {
  status: string;
  sha?: string;
  branch?: string;
  file?: string;
  warnings?: number;
}

async function addRun({ status, sha = "abc", branch = "main", file = ".forgeline.yml", warnings = 0 }: Run) {
  await server.container.platform.db.query(
    `insert into pipelines (id, repository_id, number, file, source, ref, sha, event, status, warnings)
     select $1, r.repository_id, $2, $3, 'push', 'refs/heads/' || $4, $5, '{}', $6, $7
     from repository_names r where r.full_name = 'ada/open'`,
    [newId("pipe"), (runs += 1), file, branch, sha, status, warnings],
  );
}

test("shows the status of a branch, to anybody who may see the runs", async () => {
  const none = await badge("open");
  expect([none.status, titleOf(none.text)]).toEqual([200, "pipeline: no runs"]);
  expect(none.headers).toMatchObject({
    "content-type": "image/svg+xml; charset=utf-8",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff",
  });
  await addRun({ status: "success" });
  expect(titleOf((await badge("open")).text)).toBe("pipeline: passing");
  await addRun({ status: "failed", branch: "wip" });
  await addRun({ status: "skipped", sha: "def" });
  expect(titleOf((await badge("open")).text)).toBe("pipeline: passing");
  expect(titleOf((await badge("open", "?branch=wip")).text)).toBe("pipeline: failing");
  expect(titleOf((await badge("open", "?branch=none")).text)).toBe("pipeline: no runs");
});

test("of a commit with several pipelines shows what they came to together, or one of them", async () => {
  await addRun({ status: "success", sha: "two", file: ".forgeline/build.yml" });
  await addRun({ status: "failed", sha: "two", file: ".forgeline/deploy.yml" });
  expect(titleOf((await badge("open")).text)).toBe("pipeline: failing");
  expect(titleOf((await badge("open", "?pipeline=build")).text)).toBe("build: passing");
  expect(titleOf((await badge("open", "?pipeline=.forgeline/deploy.yml")).text)).toBe("deploy: failing");
  expect(titleOf((await badge("open", "?pipeline=%3Cb%3E")).text)).toBe("pipeline: no runs");
  // Run again, it is the newer run that counts.
  await addRun({ status: "success", sha: "two", file: ".forgeline/deploy.yml", warnings: 2 });
  expect(titleOf((await badge("open")).text)).toBe("pipeline: passing with warnings");
});

test("has an entity tag that holds until the status changes", async () => {
  const first = await badge("open");
  const etag = String(first.headers["etag"]);
  expect(etag).toMatch(/^"/);
  const again = await badge("open", "", undefined, { "If-None-Match": etag });
  expect([again.status, again.text]).toEqual([304, ""]);
  await addRun({ status: "error", sha: "three" });
  const changed = await badge("open", "", undefined, { "If-None-Match": etag });
  expect([changed.status, titleOf(changed.text)]).toEqual([200, "pipeline: error"]);
  const head = await server.api("HEAD", "/repos/ada/open/badges/pipeline.svg");
  expect([head.status, head.text, head.headers["etag"]]).toEqual([200, "", changed.headers["etag"]]);
});

test("a private repository answers strangers like one that does not exist", async () => {
  expect((await badge("closed", "", ada.token)).status).toBe(200);
  const stranger = await server.person("eve");
  for (const token of [undefined, stranger.token]) {
    const hidden = await badge("closed", "", token);
    const absent = await badge("absent", "", token);
    const told = ({ status, json, headers }: typeof hidden) => ({
      status,
      message: json.message,
      error: json.error,
      type: headers["content-type"],
    });
    expect(told(hidden)).toEqual(told(absent));
    expect(hidden.status).toBe(404);
  }
});

test("refuses what it does not know, by its name", async () => {
  for (const [query, field] of [
    ["?style=flat", "style"],
    ["?branch=", "branch"],
    [`?pipeline=${"x".repeat(101)}`, "pipeline"],
  ] as const) {
    const { status, json } = await badge("open", query);
    expect([status, json.errors[0].field]).toEqual([400, field]);
  }
});

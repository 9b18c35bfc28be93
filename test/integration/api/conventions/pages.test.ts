import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorCatalogue } from "@forgeline/schemas/core/errors.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";

let server: ApiServer;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-downloads-"));
  await mkdir(join(directory, "public"));
  await writeFile(join(directory, "public/runner.tgz"), "bytes");
  await writeFile(join(directory, "secret"), "secret");
  server = await startApiServer({ env: { FORGELINE_DOWNLOADS_DIR: join(directory, "public") } });
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true });
});

test("every documentation_url opens a page that has its anchor", async () => {
  const page = await server.api("GET", "//docs/errors");
  expect(page.status).toBe(200);
  expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
  for (const code of Object.keys(errorCatalogue)) expect(page.text).toContain(`id="${code}"`);
});

test("pages hold no script, and working papers are not shown", async () => {
  for (const path of ["//", "//docs", "//docs/api", "//docs/errors", "//docs/operations/configuration"]) {
    const page = await server.api("GET", path);
    expect([path, page.status]).toEqual([path, 200]);
    expect(page.text).not.toMatch(/<script|\son\w+=|style="/i);
  }
  expect((await server.api("GET", "//docs/plans/3")).status).toBe(404);
  expect((await server.api("GET", "//docs/%2e%2e/package")).status).toBe(404);
});

test("every link between pages opens a page, and the anchor is there", async () => {
  const seen = new Map<string, string>();
  const missing: string[] = [];
  const open = async (path: string, from: string): Promise<void> => {
    if (seen.has(path)) return;
    const page = await server.api("GET", `/${path}`);
    seen.set(path, page.text);
    if (page.status !== 200) missing.push(`${from} → ${path}`);
    for (const [, href = ""] of page.text.matchAll(/<a href="([^"]*)"/g)) {
      if (/^(https?:|mailto:)/.test(href)) continue;
      const [target, anchor] = new URL(href.replaceAll("&amp;", "&"), `https://x${path}`).href
        .slice(9)
        .split("#");
      if (target === undefined || target.startsWith("/api/")) continue;
      await open(target, path);
      if (anchor && !seen.get(target)?.includes(`id="${anchor}"`)) missing.push(`${path} → ${href}`);
    }
  };
  await open("/docs", "start");
  expect(missing).toEqual([]);
  expect(seen.size).toBeGreaterThan(25);
});

test("the API page lists every operation, and the schema of pipeline files is there", async () => {
  const { text } = await server.api("GET", "//docs/api");
  for (const contract of server.http.binder.contracts()) expect(text).toContain(`id="${contract.id}"`);
  const schema = await server.api("GET", "//docs/schemas/pipeline-1.json");
  expect(JSON.parse(schema.text)).toMatchObject({ $schema: expect.stringContaining("json-schema.org") });
});

describe("the web address of a record, in a browser", () => {
  const browser = { headers: { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };
  const open = (path: string, options = browser) => server.api("GET", `/${path}`, options);

  test("says how to look at it, and leads to the REST address", async () => {
    const run = await open("/ada/app/pipelines/5");
    expect(run.status).toBe(404);
    expect(run.headers).toMatchObject({ "content-type": "text/html; charset=utf-8", vary: "Accept" });
    expect(run.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(run.text).toContain("forgeline pipeline watch 5 -R ada/app");
    expect(run.text).toContain(`href="${server.baseUrl}/repos/ada/app/pipelines/5"`);
    expect((await open("/ada/app")).text).toContain("forgeline pipeline list -R ada/app");
    expect((await open(`/runners/${newId("rnr")}`)).text).toContain("forgeline runner list");
    expect((await open("/settings/tokens")).text).toContain("forgeline token list");
  });

  test("leads from what lies in a repository to the REST address of it", async () => {
    const rests = {
      "commit/0123": "commits/0123",
      "tree/feature%2Fx": "contents?ref=feature%2Fx",
      "tree/main/src": "contents/src?ref=main",
      "blob/main/a%20b/c.txt": "contents/a%20b/c.txt?ref=main",
      "compare/main...x": "compare/main...x",
    };
    for (const [path, rest] of Object.entries(rests))
      expect((await open(`/ada/app/${path}`)).text).toContain(
        `href="${server.baseUrl}/repos/ada/app/${rest}"`,
      );
    for (const path of ["blob/main", "commit", "commit/a/b", "compare/a/b", "tree"])
      expect([path, (await open(`/ada/app/${path}`)).json?.error]).toEqual([path, "not_found"]);
  });

  test("is the same whether the thing is hidden, there for the caller, or absent", async () => {
    const ada = await server.person("ada");
    const made = { token: ada.token, body: { name: "hidden", private: true } };
    expect((await server.api("POST", "/repos", made)).status).toBe(201);
    const pages = [];
    for (const name of ["hidden", "absent"])
      for (const token of [undefined, ada.token]) {
        const headers = { ...browser.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
        const { status, text } = await open(`/ada/${name}`, { headers });
        pages.push(JSON.stringify({ status, text: text.replaceAll(name, "NAME") }));
      }
    expect(new Set(pages).size).toBe(1);
  });

  test("is JSON for programs, as is everything that is no record's address", async () => {
    for (const Accept of ["*/*", "application/json", ""])
      expect((await open("/ada/app/pipelines/5", { headers: { Accept } })).json).toMatchObject({
        error: "not_found",
      });
    for (const path of [
      "/ada/app/pipelines/0",
      "/ada/app/pipelines/x",
      "/a/b/c",
      "/api/v9",
      "/downloads/no",
      "/ada/%3Cb%3E",
    ])
      expect([path, (await open(path)).json?.error]).toEqual([path, "not_found"]);
  });
});

test("downloads come from their directory and from nowhere else", async () => {
  expect((await server.api("GET", "//downloads/runner.tgz")).text).toBe("bytes");
  for (const path of [
    "..%2fsecret",
    "%2e%2e/secret",
    "../secret",
    "%2e%2e%2fsecret",
    "",
    "none",
    "..%5csecret",
    "%00",
  ]) {
    const answer = await server.api("GET", `//downloads/${path}`);
    expect([path, answer.status >= 400, answer.text.includes("secret")]).toEqual([path, true, false]);
  }
});

test("health and readiness", async () => {
  expect((await server.api("GET", "//healthz")).json).toEqual({ status: "ok" });
  expect((await server.api("GET", "//readyz")).json).toMatchObject({
    status: "ok",
    checks: { postgresql: "ok" },
  });
  const meta = await server.api("GET", "/meta");
  expect(meta.json).toMatchObject({ base_url: server.baseUrl, docs_url: `${server.webUrl}/docs` });
});

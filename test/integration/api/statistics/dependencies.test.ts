/** The dependency graph: manifests pushed with the real Git, read over REST. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { createGitClient, type GitClient } from "../../git/git-client.ts";
import { computedAnew, pushedRepository, type TestRepository } from "./pushed-repository.ts";

let server: ApiServer;
let git: GitClient;
let ada: TestPerson;

beforeAll(async () => {
  server = await startApiServer();
  [git, ada] = await Promise.all([createGitClient(server.caFile), server.person("ada")]);
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

const places = () => ({ server, git, owner: ada });

async function pushed(one: TestRepository, files: Record<string, string | null>) {
  await one.commit(files);
  await one.push();
  await server.container.hosting.statistics.compute(one.id, new AbortController().signal);
}

const lock = (version: string) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: {
      "": { dependencies: { a: "^1.0.0" } },
      "node_modules/a": { version, dependencies: { b: "*" } },
      "node_modules/b": { version: "2.0.0" },
    },
  });

it("names what is asked for and chosen, file by file, and follows each push", async () => {
  const one = await pushedRepository(places(), { visibility: "public" });
  expect(await one.get("/dependency-graph")).toEqual({
    state: "pending",
    commit: null,
    computed_at: null,
    manifests: [],
    total_nodes: 0,
    nodes: [],
  });
  await pushed(one, {
    "web/package.json": '{"dependencies":{"a":"^1.0.0"}}',
    "web/package-lock.json": lock("1.1.0"),
    "tool/Cargo.toml": "[dependencies\n",
    "node_modules/x/package.json": '{"dependencies":{"y":"1"}}',
    "go.mod": "module x\nrequire d.org/e v1.0.0\n",
  });
  const graph = await one.get("/dependency-graph");
  expect(graph).toMatchObject({ state: "ready", commit: await one.head(), total_nodes: 4 });
  expect(graph.manifests).toEqual([
    { path: "go.mod", ecosystem: "go", format: "go.mod", is_lock: false, problem: null, dependencies: 1 },
    {
      path: "tool/Cargo.toml",
      ecosystem: "cargo",
      format: "Cargo.toml",
      is_lock: false,
      problem: expect.stringContaining("TOML"),
      dependencies: 0,
    },
    {
      path: "web/package-lock.json",
      ecosystem: "npm",
      format: "package-lock.json",
      is_lock: true,
      problem: null,
      dependencies: 2,
    },
    {
      path: "web/package.json",
      ecosystem: "npm",
      format: "package.json",
      is_lock: false,
      problem: null,
      dependencies: 1,
    },
  ]);
  const npm = { ecosystem: "npm", scope: "runtime" };
  const lockFile = { ...npm, manifest: "web/package-lock.json" };
  expect(graph.nodes.slice(1)).toEqual([
    {
      ...lockFile,
      id: "web/package-lock.json#0",
      name: "a",
      requirement: "^1.0.0",
      version: "1.1.0",
      direct: true,
      requires: ["web/package-lock.json#1"],
    },
    {
      ...lockFile,
      id: "web/package-lock.json#1",
      name: "b",
      requirement: null,
      version: "2.0.0",
      direct: false,
      requires: [],
    },
    {
      ...npm,
      manifest: "web/package.json",
      id: "web/package.json#0",
      name: "a",
      requirement: "^1.0.0",
      version: "1.1.0",
      direct: true,
      requires: [],
    },
  ]);
  await pushed(one, {
    "web/package-lock.json": lock("1.2.0"),
    "go.mod": null,
    "tool/Cargo.toml": '[dependencies]\nc = "1"\n',
  });
  const after = await one.get("/dependency-graph");
  expect(
    after.nodes.map((node: { name: string; version: string }) => `${node.name} ${node.version}`),
  ).toEqual(["c null", "a 1.2.0", "b 2.0.0", "a 1.2.0"]);
  await pushed(one, { "README.md": "nothing of it\n" });
  const rows = await one.rows();
  expect(rows.manifests.length).toBe(3);
  expect(await computedAnew(places(), one)).toEqual(rows);
});

it("has pages and filters, for whoever reads the code, and an answer that has not changed is 304", async () => {
  const one = await pushedRepository(places());
  await pushed(one, { "package-lock.json": lock("1.1.0"), "requirements.txt": "x==1\n" });
  const names = async (query: string) =>
    (await one.get(`/dependency-graph?${query}`)).nodes.map(({ name }: { name: string }) => name);
  expect(await names("per_page=1&page=2")).toEqual(["b"]);
  expect(await names("direct=true")).toEqual(["a", "x"]);
  expect(await names("direct=false")).toEqual(["b"]);
  expect(await names("ecosystem=pypi")).toEqual(["x"]);
  expect(await names("manifest=package-lock.json&name=b")).toEqual(["b"]);
  expect(await names("manifest=gone")).toEqual([]);
  const read = (token: string, headers = {}) =>
    server.api("GET", `${one.path}/dependency-graph`, { token, headers });
  for (const query of ["direct=yes", "ecosystem=ruby", "name=%00"])
    expect(
      (await server.api("GET", `${one.path}/dependency-graph?${query}`, { token: ada.token })).status,
    ).toBe(400);
  const { headers } = await read(ada.token);
  expect((await read(ada.token, { "If-None-Match": headers["etag"] })).status).toBe(304);
  const bob = await server.person("bob");
  expect((await read(bob.token)).status).toBe(404);
  expect((await read(await server.tokenFor(ada, ["pipeline:read"]))).status).toBe(403);
});

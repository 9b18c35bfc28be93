/** What a new repository can begin with. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let ada: TestPerson;

beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
});
afterAll(() => server?.stop());

const create = (body: Record<string, unknown>) => server.api("POST", "/repos", { token: ada.token, body });
const files = async (name: string) => {
  const { json } = await server.api("GET", `/repos/ada/${name}/contents`, { token: ada.token });
  return json.map((file: { path: string }) => file.path);
};
const text = async (name: string, path: string) =>
  (await server.api("GET", `/repos/ada/${name}/raw/main/${path}`, { token: ada.token })).text;

it("is listed, by page, for everyone", async () => {
  const licenses = await server.api("GET", "/licenses?per_page=100&page=2");
  expect(Number(licenses.headers["x-total-count"])).toBeGreaterThan(500);
  expect(licenses.json).toHaveLength(100);
  const all: string[] = [];
  for (let page = 1; page <= Number(licenses.headers["x-total-pages"]); page += 1)
    all.push(
      ...(await server.api("GET", `/licenses?per_page=100&page=${page}`)).json.map(
        (l: { id: string }) => l.id,
      ),
    );
  expect(all).toEqual(expect.arrayContaining(["MIT", "Apache-2.0", "GPL-3.0-or-later"]));
  expect(new Set(all).size).toBe(Number(licenses.headers["x-total-count"]));
  const templates = await server.api("GET", "/gitignore-templates?per_page=100");
  expect(templates.json).toEqual(expect.arrayContaining([{ name: "Node" }, { name: "C++" }]));
});

it("is one commit of just those files", async () => {
  const made = await create({
    name: "all",
    description: "About",
    license: "mit",
    gitignore: "node",
    readme: true,
  });
  expect(made.status).toBe(201);
  expect(await files("all")).toEqual([".gitignore", "LICENSE", "README.md"]);
  expect(await text("all", "README.md")).toBe("# all\n\nAbout\n");
  const year = new Date().getUTCFullYear();
  expect(await text("all", "LICENSE")).toContain(`Copyright (c) ${year} ada\n`);
  expect(await text("all", ".gitignore")).toContain("node_modules");
  const commits = await server.api("GET", "/repos/ada/all/commits", { token: ada.token });
  expect(commits.json.map((c: { message: string }) => c.message)).toEqual(["Initial commit\n"]);
  await create({ name: "licensed", license: "Apache-2.0" });
  expect(await files("licensed")).toEqual(["LICENSE"]);
  await create({ name: "ignoring", gitignore: "Global/macOS" });
  expect(await files("ignoring")).toEqual([".gitignore"]);
  await create({ name: "begun", auto_init: true });
  expect(await files("begun")).toEqual(["README.md"]);
  await create({ name: "bare" });
  expect(await files("bare")).toEqual([]);
});

it("is refused when there is no such thing, and nothing is made", async () => {
  const answer = await create({ name: "never", license: "../MIT", gitignore: "Nope" });
  expect([answer.status, answer.json.errors.map((e: { field: string }) => e.field)]).toEqual([
    422,
    ["license", "gitignore"],
  ]);
  expect((await server.api("GET", "/repos/ada/never", { token: ada.token })).status).toBe(404);
});

/** Merge requests whose target is the source of another one. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";
import { eventually } from "../../../support/eventually.ts";

let server: ApiServer;
let ada: TestPerson;
const R = "/repos/ada/engine";
const M = `${R}/merge-requests`;
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  await api("POST", "/repos", { name: "engine", readme: true });
});
afterAll(() => server?.stop());

const api = (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: ada.token, body });
const { branch, put } = branchesOver((...request) => api(...request), R);

/** From `main`; its number. */
async function open(source: string, target = "main"): Promise<number> {
  const made = await api("POST", M, { title: source, source_branch: source, target_branch: target });
  expect([made.status, made.json.message]).toEqual([201, undefined]);
  return made.json.number;
}

/** `child` continues `parent`; both are proposed. */
async function stack(parent: string, child: string): Promise<{ below: number; above: number }> {
  await branch(parent, { [`${parent}.txt`]: "1\n" });
  await api("POST", `${R}/branches`, { name: child, ref: parent });
  await put(child, `${child}.txt`, "1\n");
  return { below: await open(parent), above: await open(child, parent) };
}

const compared = (number: number) =>
  eventually(async () => {
    const { json } = await api("GET", `${M}/${number}`);
    return json.mergeable !== "checking" && json;
  });

it("goes to where its target was merged, when that is deleted", async () => {
  const { below, above } = await stack("first", "second");
  const merged = await api("PUT", `${M}/${below}/merge`, { delete_source_branch: true });
  expect([merged.status, merged.json.message]).toEqual([200, undefined]);
  expect(await compared(above)).toMatchObject({ state: "open", target_branch: "main", mergeable: "clean" });
  const timeline = (await api("GET", `${M}/${above}/timeline`)).json;
  expect(timeline).toMatchObject([{ kind: "retargeted", from: "first", to: "main" }]);
  expect((await api("GET", `${M}/${above}/commits`)).json).toHaveLength(1);
  expect((await api("PUT", `${M}/${above}/merge`, {})).json.state).toBe("merged");
});

it("is closed where its target was not merged, or one with the same branches is open", async () => {
  const { below, above } = await stack("third", "fourth");
  await api("DELETE", `${R}/branches/third`);
  const { json: closed } = await api("GET", `${M}/${above}`);
  expect([closed.state, (await api("GET", `${M}/${below}`)).json.state]).toEqual(["closed", "closed"]);
  const twice = await stack("fifth", "sixth");
  await open("sixth");
  await api("PUT", `${M}/${twice.below}/merge`, { delete_source_branch: true });
  expect((await api("GET", `${M}/${twice.above}`)).json.state).toBe("closed");
});

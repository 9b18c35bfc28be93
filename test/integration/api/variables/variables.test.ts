/** Variables of each level over REST: set, listed, deleted, bounded, and what runs and their plans have of them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { maxVariables } from "@forgeline/schemas/variables/resource.ts";
import type { TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { startScheduleBed, type ScheduleBed } from "../../../support/schedule-bed.ts";

const file = "image: busybox\nsteps: ['true']\n";

let bed: ScheduleBed;
let ben: TestPerson;
/** Of the organization acme. */
const at = "/repos/acme/app";
const levels = ["/admin", "/orgs/acme", at] as const;
beforeAll(async () => {
  bed = await startScheduleBed();
  ben = await bed.server.person("ben");
  await bed.send("POST", "/orgs", { name: "acme" });
  await bed.send("POST", "/repos", { owner: "acme", name: "app", readme: true });
  await bed.write(at, ".forgeline.yml", file);
});
afterAll(() => bed?.close());
beforeEach(async () => {
  await bed.database.query("delete from shared_variables");
});

const set = (place: string, name: string, value: string, person?: TestPerson) =>
  bed.send("PUT", `${place}/variables/${name}`, { value }, person);
const list = async (place: string) => (await bed.send("GET", `${place}/variables`)).json as object[];
const plan = async (body: object = {}) => (await bed.send("POST", `${at}/pipelines/plan`, body)).json;
const put = async (place: string, name: string, value: string) =>
  expect((await set(place, name, value)).status).toBe(200);

/** Columns of rows, and what is in them. */
const owners: Record<string, [columns: string, values: string]> = {
  instance: ["level", "'instance'"],
  organization: ["level, organization_id", "'organization', (select id from owners where name = 'acme')"],
  repository: ["level, repository_id", "'repository', (select id from repositories where name = 'app')"],
};

describe.each([
  ["/admin", "instance"],
  ["/orgs/acme", "organization"],
  [at, "repository"],
])("variables of %s", (place, level) => {
  test("are set, changed, listed by name, and deleted", async () => {
    await put(place, "ZONE", "b");
    const made = await set(place, "REGION", "eu");
    expect(made.json).toEqual({
      name: "REGION",
      value: "eu",
      level,
      changed_by: "ada",
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    await put(place, "REGION", "us\nwest");
    expect(await list(place)).toMatchObject([
      { name: "REGION", value: "us\nwest", created_at: made.json.created_at },
      { name: "ZONE" },
    ]);
    expect((await bed.send("DELETE", `${place}/variables/REGION`)).status).toBe(204);
    expect((await bed.send("DELETE", `${place}/variables/REGION`)).status).toBe(404);
    expect(await list(place)).toMatchObject([{ name: "ZONE" }]);
    const log = level === "instance" ? "/admin" : "/orgs/acme";
    const audit = (await bed.send("GET", `${log}/audit-log?action=variable.*`)).json as object[];
    expect(audit[0]).toMatchObject({ action: "variable.delete", details: { name: "REGION" } });
    expect(audit[1]).toMatchObject({ action: "variable.set", details: { name: "REGION", new: false } });
    expect(JSON.stringify(audit)).not.toContain("west");
  });

  test("have names of the environment, outside of what the server sets", async () => {
    for (const name of ["CI_REGION", "1A", "A-B", "A.B", "é", "A".repeat(256)])
      expect([name, (await set(place, encodeURIComponent(name), "x")).status]).toEqual([name, 404]);
    expect((await set(place, "A".repeat(255), "x")).status).toBe(200);
    expect((await set(place, "A", "x\0y")).status).toBe(422);
    expect((await set(place, "A", "x".repeat(65_537))).status).toBe(422);
    expect((await bed.send("PUT", `${place}/variables/A`, { value: "x", level: "run" })).status).toBe(422);
  });

  test("are for those who may", async () => {
    const refused = await set(place, "A", "x", ben);
    expect([403, 404]).toContain(refused.status);
    expect(await list(place)).toEqual([]);
  });

  test("are bounded by number and by size", async () => {
    const [column, owner] = owners[level] ?? [];
    await bed.database.query(
      `insert into shared_variables (${column}, name, value) select ${owner}, 'N' || n, 'x' from generate_series(1, ${maxVariables}) n`,
    );
    expect((await set(place, "ONE_MORE", "x")).status).toBe(409);
    expect((await set(place, "N1", "changed")).status).toBe(200);
    await bed.database.query("delete from shared_variables where name <> 'N1'");
    const large = await set(place, "LARGE", "ü".repeat(32_768));
    expect(large.status).toBe(409);
    expect(large.json.message).toContain("at most 65536 fit into the environment of a step");
    expect(await list(place)).toHaveLength(1);
  });
});

test("two at once do not pass the bound together", async () => {
  const half = "x".repeat(40_000);
  for (const place of levels) {
    const answers = await Promise.all(["A", "B", "C"].map((name) => set(place, name, half)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  }
});

describe("a run", () => {
  const all = async () => {
    for (const place of levels) {
      await put(place, "ALL", `of ${place}`);
      await put(place, "GIVEN", `of ${place}`);
    }
    await put("/admin", "LOWEST", "of the instance");
    await put("/admin", "TEAM", "of the instance");
    await put("/orgs/acme", "TEAM", "of acme");
  };

  test("has them by precedence, as its plan shows", async () => {
    await all();
    const planned = await plan({ event: "manual", variables: { GIVEN: "now" } });
    expect(planned.variables).toEqual([
      { name: "ALL", value: `of ${at}`, level: "repository" },
      { name: "GIVEN", value: "now", level: "run" },
      { name: "LOWEST", value: "of the instance", level: "instance" },
      { name: "TEAM", value: "of acme", level: "organization" },
    ]);
    const run = await bed.send("POST", `${at}/pipelines`, { variables: { GIVEN: "now" } });
    expect(run.json.variables).toEqual(["GIVEN"]);
    expect(await eventOf(run.json.id)).toMatchObject({
      variables: { ALL: `of ${at}`, GIVEN: "now", LOWEST: "of the instance", TEAM: "of acme" },
      variableLevels: { ALL: "repository", LOWEST: "instance", TEAM: "organization" },
    });
    const text = JSON.stringify((await bed.send("GET", `${at}/pipelines`)).json);
    expect(text).not.toContain("of the instance");
  });

  test("of a push has them too, and keeps what it had", async () => {
    await put("/orgs/acme", "TEAM", "before");
    const [last] = await bed.runs(at);
    await bed.write(at, "a.txt", `${Math.random()}`);
    const [run] = await eventually(async () => {
      const runs = await bed.runs(at);
      return runs[0]?.source === "push" && runs[0].id !== last?.id && runs;
    });
    await put("/orgs/acme", "TEAM", "after");
    expect(await eventOf(run?.id ?? "")).toMatchObject({ variables: { TEAM: "before" } });
  });

  test("of another owner's repository has only the instance's", async () => {
    await all();
    const other = await bed.repository(file);
    const { json } = await bed.send("POST", `${other.at}/pipelines/plan`, {});
    expect(json.variables.map(({ level }: { level: string }) => level)).toEqual([
      "instance",
      "instance",
      "instance",
      "instance",
    ]);
  });

  test("is refused with more than a step can have, and a push shows why", async () => {
    await put("/admin", "A", "x".repeat(40_000));
    await put(at, "B", "x".repeat(40_000));
    for (const path of [`${at}/pipelines`, `${at}/pipelines/plan`]) {
      const answer = await bed.send("POST", path, {});
      expect(answer.status).toBe(422);
      expect(answer.json.errors).toMatchObject([{ field: "variables", code: "too_large" }]);
      expect(answer.json.errors[0].message).toContain("(instance 40003, repository 40003)");
    }
    await bed.write(at, "b.txt", `${Math.random()}`);
    const run = await eventually(async () => (await bed.runs(at)).find(({ reason }) => reason === "config"));
    expect(run).toMatchObject({ status: "error", message: expect.stringContaining("80006 bytes") });
  });

  test("finds them where the file asks for them", async () => {
    await bed.write(
      at,
      ".forgeline.yml",
      "image: busybox\nsteps: ['true']\nenv: { X: '${{ vars.REGION }}' }\n",
    );
    const without = await plan();
    expect(without.valid).toBe(false);
    expect(without.variables).toEqual([]);
    await put("/orgs/acme", "REGION", "eu");
    expect(await plan()).toMatchObject({ valid: true, variables: [{ name: "REGION" }] });
    await bed.write(at, ".forgeline.yml", file);
  });
});

async function eventOf(runId: string): Promise<unknown> {
  const [row] = await bed.database.query<{ event: unknown }>("select event from pipelines where id = $1", [
    runId,
  ]);
  return row?.event;
}

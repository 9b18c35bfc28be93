/** `forgeline org` and `forgeline team`: people of an organization, each at a terminal of their own. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { slotPlaces } from "../../support/slot-places.ts";
import { inGroup } from "../../support/slot-runs.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
let ben: TestPerson;
let eve: TestPerson;

beforeAll(async () => {
  people = await peopleAtTerminals();
  ada = await people.server.person("ada");
  ben = await people.server.person("ben");
  eve = await people.server.person("eve");
  await people.told(ada, "org", "create", "acme", "--display-name", "Acme Inc.");
  await people.told(ada, "org", "set-member", "acme", "ben");
});
afterAll(() => people.stop());

it("says its version, and shows examples in its help", async () => {
  expect(await people.told(ada, "--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(await people.told(ada, "team", "--help")).toMatch(
    /\nExamples:\n {2}forgeline team create acme\/backend\n/,
  );
});

it("says what is wrong in a sentence that names it", async () => {
  const { token } = ada;
  const wrong: [string[], Record<string, string>, number, RegExp][] = [
    [["org", "view", "nobody"], {}, 1, /there is no organization nobody, or you may not see it$/],
    [["team", "view", "acme/a/b"], {}, 1, /not found, or you may not see it: orgs\/acme\/teams\/a\/b$/],
    [["commit", "list", "-n", "x"], {}, 2, /--limit <count>' argument 'x' is invalid/],
    [["admin", "users", "--page", "0"], {}, 2, /whole number from 1 on/],
    [
      ["org", "list"],
      { FORGELINE_URL: "http://localhost" },
      2,
      /must be https:\/\/HOST, not "http:\/\/localhost"/,
    ],
    [["org", "list"], { FORGELINE_CA_FILE: "/absent.pem" }, 2, /cannot read \/absent\.pem/],
    [["runner", "add"], {}, 1, /Administrators of the instance may\. --org .*--for-repo/],
  ];
  for (const [args, env, code, message] of wrong) {
    const result = await people.cli.run(args, { env: { FORGELINE_TOKEN: token, ...env } });
    expect([args, result.code, result.stdout]).toEqual([args, code, ""]);
    expect(result.stderr.split("\n")[0]).toMatch(message);
  }
});

describe("org", () => {
  it("is created, listed, shown, changed and deleted", async () => {
    expect(await people.told(ada, "org", "create", "short-lived")).toBe("created short-lived\n");
    expect(await people.told(ada, "org", "list")).toBe(
      "acme\towner\tenterprise\tAcme Inc.\nshort-lived\towner\tenterprise\t\n",
    );
    const text = ["--description", "for a while"];
    expect(await people.told(ada, "org", "edit", "short-lived", ...text)).toBe("changed short-lived\n");
    expect(await people.told(eve, "org", "view", "short-lived")).toContain("description\tfor a while\n");
    expect(await people.told(ada, "storage", "--org", "short-lived")).toMatch(/^owner\tshort-lived$/m);
    expect(await people.told(ada, "storage", "repositories", "--org", "short-lived")).toBe("");
    expect(await people.told(ada, "org", "limits", "short-lived")).toMatch(/^core\tnone\t3600\tinstance$/m);
    expect((await people.as(eve, "storage", "--org", "short-lived")).code).toBe(1);
    const closed = ["--members-create-repositories", "no"];
    expect(await people.told(ada, "org", "edit", "short-lived", ...closed)).toBe("changed short-lived\n");
    expect(await people.told(eve, "org", "view", "short-lived")).toContain(
      "members create repositories\tno\n",
    );
    expect(await people.told(ada, "org", "delete", "short-lived")).toBe("deleted short-lived\n");
    const gone = await people.as(ada, "org", "view", "short-lived");
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringMatching(/^error: [^\n]+\n$/)]);
  });

  it("says what could be changed when nothing was given, and what a name looks like", async () => {
    const nothing = await people.as(ada, "org", "edit", "acme");
    expect(nothing.stderr).toBe(
      "error: nothing to change: give --display-name, --description, --members-create-repositories or --shared-concurrency\n",
    );
    expect(nothing.code).toBe(2);
    const unnamed = await people.as(ada, "org", "create", "no name");
    expect([unnamed.code, unnamed.stderr]).toEqual([1, expect.stringContaining("name")]);
    const role = await people.as(ada, "org", "set-member", "acme", "ben", "--role", "king");
    expect([role.code, role.stderr]).toEqual([2, expect.stringContaining("member, owner")]);
  });

  it("takes members at once, and keeps its last owner", async () => {
    expect(await people.told(ada, "org", "set-member", "acme", "eve", "--role", "owner")).toBe(
      "eve is owner of acme\n",
    );
    expect(await people.told(ben, "org", "members", "acme", "--role", "owner")).toMatch(
      /^ada\towner\t\t\S+Z\neve\towner\t\t\S+Z\n$/,
    );
    expect(await people.told(eve, "org", "remove-member", "acme", "eve")).toBe("eve is no longer in acme\n");
    const last = await people.as(ada, "org", "remove-member", "acme", "ada");
    expect([last.code, last.stderr]).toEqual([1, expect.stringContaining("owner")]);
  });

  it("invites, and shows each side its own invitations", async () => {
    const { id } = await people.json(ada, "org", "invite", "acme", "eve");
    expect(await people.told(eve, "org", "invitations")).toMatch(
      new RegExp(`^${id}\tacme\teve\tmember\tada\t\\S+Z\n$`),
    );
    expect(await people.told(ada, "org", "uninvite", "acme", id)).toBe(`revoked ${id}\n`);
    expect(await people.json(ada, "org", "invitations", "acme")).toEqual([]);
    const second = await people.json(ada, "org", "invite", "acme", "eve", "--role", "owner");
    expect(await people.told(eve, "org", "decline", second.id)).toBe(`declined ${second.id}\n`);
    const third = await people.json(ada, "org", "invite", "acme", "eve");
    expect(await people.told(eve, "org", "accept", third.id)).toBe("you are in acme now\n");
    expect(await people.told(eve, "org", "list")).toBe("acme\tmember\tenterprise\tAcme Inc.\n");
  });

  it("shows a whole list, however many pages the server makes of it", async () => {
    const names = Array.from({ length: 101 }, (_, i) => `t-${String(i).padStart(3, "0")}`);
    await people.told(ada, "org", "create", "many");
    for (const name of names)
      await people.server.api("POST", "/orgs/many/teams", { token: ada.token, body: { name } });
    const listed = await people.told(ada, "team", "list", "many");
    expect(listed.split("\n").slice(0, -1)).toEqual(names.map((name) => `many/${name}\tvisible\t`));
  });
});

describe("team", () => {
  it("is nested where its name says, hidden, renamed, moved and deleted", async () => {
    expect(await people.told(ada, "team", "create", "acme/back")).toBe("created acme/back\n");
    expect(await people.told(ada, "team", "create", "acme/back/data", "--secret")).toBe(
      "created acme/back/data\n",
    );
    expect(await people.told(ada, "team", "list", "acme")).toBe(
      "acme/back\tvisible\t\nacme/back/data\tsecret\t\n",
    );
    expect(await people.told(ben, "team", "list", "acme")).toBe("acme/back\tvisible\t\n");
    const renamed = ["--name", "store", "--description", "rows and columns"];
    expect(await people.told(ada, "team", "edit", "acme/back/data", ...renamed)).toBe(
      "changed acme/back/store\n",
    );
    expect(await people.told(ada, "team", "edit", "acme/back/store", "--top")).toBe("changed acme/store\n");
    expect(await people.told(ada, "team", "view", "acme/store")).toContain("visibility\tsecret\n");
    const back = ["--parent", "acme/back", "--visibility", "visible"];
    expect(await people.told(ada, "team", "edit", "acme/store", ...back)).toBe("changed acme/back/store\n");
    expect(await people.told(ada, "team", "delete", "acme/back")).toBe("deleted acme/back\n");
    expect(await people.json(ada, "team", "list", "acme")).toEqual([]);
  });

  it("has members of its own and from below, and bots", async () => {
    await people.told(ada, "team", "create", "acme/ops");
    await people.told(ada, "team", "create", "acme/ops/night");
    await people.server.api("POST", "/orgs/acme/bots", {
      token: ada.token,
      body: { name: "deployer", scopes: ["repo:read"] },
    });
    expect(await people.told(ada, "team", "set-member", "acme/ops", "acme/deployer")).toBe(
      "acme/deployer is member of acme/ops\n",
    );
    const ofNight = ["acme/ops/night", "ben", "--role", "maintainer"];
    expect(await people.told(ada, "team", "set-member", ...ofNight)).toBe(
      "ben is maintainer of acme/ops/night\n",
    );
    expect(await people.told(ben, "team", "members", "acme/ops")).toMatch(
      /^acme\/deployer\tmember\t\t\S+\nben\tmember\tacme\/ops\/night\t\S+\n$/,
    );
    await people.told(ada, "team", "remove-member", "acme/ops", "acme/deployer");
    expect(await people.json(ada, "team", "members", "acme/ops")).toHaveLength(1);
  });

  it("is granted repositories, which nested teams inherit", async () => {
    await people.told(ada, "repo", "create", "api", "--owner", "acme");
    await people.told(ada, "team", "create", "acme/front");
    await people.told(ada, "team", "create", "acme/front/web");
    const grant = await people.told(ada, "team", "grant", "acme/front", "api", "--permission", "triage");
    expect(grant).toBe("acme/front has triage on acme/api\n");
    await people.told(ada, "team", "grant", "acme/front/web", "acme/api", "--permission", "write");
    expect(await people.told(ada, "team", "repos", "acme/front/web")).toBe("acme/api\twrite\t\n");
    expect(await people.told(ada, "team", "revoke", "acme/front/web", "api")).toContain("granted nothing");
    expect(await people.told(ada, "team", "repos", "acme/front/web")).toBe("acme/api\ttriage\tacme/front\n");
    expect(await people.told(ada, "repo", "list", "--owner", "acme")).toBe("acme/api\tprivate\t\n");
    expect(await people.told(eve, "repo", "list", "--owner", "acme")).toBe("");
  });

  it("is named in full, and stays in its organization", async () => {
    for (const wrong of ["acme", "acme/", "/back", "acme//x"]) {
      const { code, stderr } = await people.as(ada, "team", "create", wrong);
      expect([code, stderr]).toEqual([
        2,
        `error: "${wrong}" is not of the form ORG/TEAM or ORG/PARENT/CHILD\n`,
      ]);
    }
    const elsewhere = await people.as(ada, "team", "edit", "acme/x", "--parent", "other/y");
    expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining("begin with acme/")]);
    const foreign = await people.as(ada, "team", "grant", "acme/x", "eve/y", "--permission", "read");
    expect([foreign.code, foreign.stderr]).toEqual([2, expect.stringContaining("repositories of acme only")]);
    const level = await people.as(ada, "team", "grant", "acme/x", "y");
    expect([level.code, level.stderr]).toEqual([2, expect.stringContaining("--permission")]);
  });
});

it("releases slots of concurrency groups: of a repository, and of the organization for its owners", async () => {
  const places = slotPlaces(people.server, ada);
  await places.organization("harbour", true);
  const [quay, pier] = [
    await places.repository("harbour", "quay"),
    await places.repository("harbour", "pier"),
  ];
  for (const [name, scope] of [
    ["crane", "repo"],
    ["lock", "org"],
  ] as const)
    for (let count = 0; count < 2; count += 1) await places.asks(quay, inGroup(name, { scope }));
  await places.asks(pier, inGroup("lock", { scope: "org" }));
  const groups = (person: TestPerson, ...args: string[]) =>
    people.as(person, "pipeline", "concurrency", ...args);
  const listed = async (...args: string[]) => {
    const { stdout } = await groups(ada, "list", ...args);
    const lines = stdout.split("\n").filter(Boolean);
    return lines.map((line) => line.split("\t").map((cell) => cell.trim()));
  };
  const here = ["-R", "harbour/quay"];
  const all = ["--org", "harbour"];
  const own = await listed(...here);
  expect(own.map((row) => row.slice(0, 4))).toEqual([
    ["crane", "held", "harbour/quay#1", "ship"],
    ["crane", "waiting", "harbour/quay#2", "ship"],
    ["lock", "held", "harbour/quay#3", "ship"],
    ["lock", "waiting", "harbour/quay#4", "ship"],
    ["lock", "waiting", "another repository", ""],
  ]);
  const [holder = "", waits = ""] = own.map((row) => row.at(-1));
  expect(await groups(ada, "release", waits, ...here)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("cancel its run") as string,
  });
  expect((await groups(ada, "release", holder, ...all)).code).toBe(1);
  expect(await groups(ada, "release", holder, ...here)).toMatchObject({
    code: 0,
    stdout: `released ${holder}\n`,
  });
  expect((await listed(...here))[0]?.slice(0, 3)).toEqual(["crane", "held", "harbour/quay#2"]);

  const shared = await listed(...all);
  expect(shared.map((row) => row.slice(0, 3))).toEqual([
    ["lock", "held", "harbour/quay#3"],
    ["lock", "waiting", "harbour/quay#4"],
    ["lock", "waiting", "harbour/pier#1"],
  ]);
  const slot = shared[0]?.at(-1) ?? "";
  for (const args of [["list"], ["release", slot]]) expect((await groups(eve, ...args, ...all)).code).toBe(1);
  expect((await groups(ada, "release", slot, ...all)).stdout).toBe(`released ${slot}\n`);
  expect((await listed(...all))[0]?.slice(0, 3)).toEqual(["lock", "held", "harbour/quay#4"]);
});

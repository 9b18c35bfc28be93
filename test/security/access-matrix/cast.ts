/** Makes every kind of caller on a server, with what they own, are members of, and were given. */
import { csrfTokenOf } from "@forgeline/server/platform/credentials/session-cookie.ts";
import { hashToken, newAccessToken } from "@forgeline/server/platform/credentials/credential.ts";
import { scopes, type Scope } from "@forgeline/schemas/core/scopes.ts";
import type { ApiServer, TestPerson } from "../../support/api-server.ts";
import { insertLeasedAttempt } from "../../support/leased-attempt.ts";
import { codeFor, exchange, registerApp, signedIn, type SignedIn } from "../../support/oauth.ts";
import { caller, nobody, type Caller } from "./callers.ts";
import { ensure, layOut, places } from "./places.ts";
import { levels } from "./rows.ts";

export interface Cast {
  callers: Caller[];
  /** Of the organization's owner, each with one scope and no other. */
  oneScoped: Caller[];
}

interface Stage {
  server: ApiServer;
  browser: SignedIn;
  olga: TestPerson;
  paul: TestPerson;
  /** Administers the instance. */
  chief: TestPerson;
}

/** Sends as olga, and must succeed. */
async function asOlga({ server, olga }: Stage, method: string, path: string, body?: object) {
  const request = { token: olga.token, ...(body === undefined ? {} : { body }) };
  return ensure(await server.api(method, path, request)).json;
}

export async function makeCast(server: ApiServer): Promise<Cast> {
  const chief = await server.person("chief", { isAdmin: true });
  const browser = await signedIn(server, "olga");
  const { id } = (await server.api("GET", "/users/olga")).json;
  const olga: TestPerson = { id, username: "olga", token: "" };
  olga.token = await server.tokenFor(olga, scopes);
  const stage: Stage = { server, browser, olga, chief, paul: await server.person("paul") };
  await asOlga(stage, "POST", "/orgs", { name: "acme" });
  const inTeams = await makeTeams(stage);
  const collaborators = await Promise.all(
    levels.map(async (level) => {
      const { token } = await server.person(`collab-${level}`);
      return caller(`collaborator: ${level}`, token, { granted: level });
    }),
  );
  const repositories = await layOut(server, stage);
  const owner = { role: "owner" } as const;
  return {
    callers: [
      nobody,
      caller("stranger", (await server.person("stranger")).token),
      ...inTeams,
      ...collaborators,
      caller("owner", olga.token, owner),
      caller("owner of the personal ones", stage.paul.token, { isPersonalOwner: true }),
      caller("site administrator", chief.token, { isSiteAdministrator: true }),
      await session(stage),
      ...(await bots(stage)),
      ...(await limited(stage, repositories)),
      ...(await apps(stage)),
      ...(await refused(stage)),
    ],
    oneScoped: await Promise.all(
      scopes.map(async (scope) => {
        const token = await server.tokenFor(olga, [scope]);
        return caller(`owner's token: ${scope}`, token, { ...owner, scopes: [scope] });
      }),
    ),
  };
}

/** Teams, and a person in each place of them. `writers/admins` has more than `writers`; `writers/all` inherits. */
async function makeTeams(stage: Stage): Promise<Caller[]> {
  for (const [name, parent, visibility] of [
    ["open", null, "visible"],
    ["hidden", null, "secret"],
    ["nested", "hidden", "visible"],
    ["writers", null, "visible"],
    ["admins", "writers", "visible"],
    ["all", "writers", "visible"],
  ] as const)
    await asOlga(stage, "POST", "/orgs/acme/teams", { name, parent, visibility });
  const join = async (username: string, teams: Record<string, "member" | "maintainer">) => {
    const { token } = await stage.server.person(username);
    await asOlga(stage, "PUT", `/orgs/acme/members/${username}`, {});
    for (const [team, role] of Object.entries(teams))
      await asOlga(stage, "PUT", `/orgs/acme/teams/${team}/members/${username}`, { role });
    return token;
  };
  const role = "member";
  const both = (word: "member" | "maintainer") => ({ open: word, hidden: word });
  return [
    caller("member", await join("mia", {}), { role }),
    caller("member by team: write", await join("tim", { "writers/all": "member" }), {
      role,
      granted: "write",
    }),
    caller("member by team: admin", await join("tam", { "writers/admins": "member" }), {
      role,
      granted: "admin",
    }),
    caller("member of teams", await join("ted", both("member")), { role, teams: both("member") }),
    caller("maintainer of teams", await join("tea", both("maintainer")), { role, teams: both("maintainer") }),
    caller("member of a nested team", await join("tia", { "hidden/nested": "member" }), {
      role,
      teams: { "hidden/nested": "member" },
    }),
  ];
}

async function session({ browser, server }: Stage): Promise<Caller> {
  const cookie = browser.browser.cookie();
  const headers = {
    Cookie: cookie,
    Origin: server.webUrl,
    "X-CSRF-Token": csrfTokenOf(cookie.slice(cookie.indexOf("=") + 1)),
  };
  return { ...caller("owner's browser", "", { role: "owner" }), headers };
}

async function bots(stage: Stage): Promise<Caller[]> {
  await asOlga(stage, "POST", "/orgs", { name: "other" });
  const bot = async (org: string, name: string) => {
    await asOlga(stage, "POST", `/orgs/${org}/bots`, { name, scopes });
    const made = await asOlga(stage, "POST", `/orgs/${org}/bots/${name}/tokens`, { name: "t", scopes });
    return made.token as string;
  };
  const idle = await bot("acme", "idle");
  const busy = await bot("acme", "busy");
  await asOlga(stage, "PUT", `/orgs/acme/teams/writers/members/${encodeURIComponent("acme/busy")}`, {});
  const inside = { kind: "bot", role: "member" } as const;
  return [
    caller("bot", idle, inside),
    caller("bot by team: write", busy, { ...inside, granted: "write" }),
    caller("bot of another organization", await bot("other", "far"), { kind: "bot" }),
  ];
}

/** Tokens of the owner that are limited to repositories, or to addresses; and the token of a job. */
async function limited(stage: Stage, repositories: Map<string, string>): Promise<Caller[]> {
  const elsewhere = await asOlga(stage, "POST", "/repos", { owner: "acme", name: "elsewhere" });
  const make = async (repositoryIds: readonly string[]) => {
    const token = await stage.server.tokenFor(stage.olga, scopes);
    // Through the API it could not be limited to repositories that are deleted.
    await stage.server.container.platform.db.query(
      "update access_tokens set repository_ids = $2 where token_hash = $1",
      [hashToken(token), repositoryIds],
    );
    return token;
  };
  const addresses = { name: "x", scopes, address_ranges: ["192.0.2.0/24"] };
  const misplaced = await asOlga(stage, "POST", "/user/tokens", addresses);
  const role = "owner";
  return [
    caller("owner's token for these repositories", await make([...repositories.values()]), {
      role,
      limitedTo: places.map(({ name }) => name),
    }),
    caller("owner's token for another repository", await make([elsewhere.id]), { role, limitedTo: [] }),
    caller("owner's token for other addresses", misplaced.token, { credential: "misplaced" }),
    caller("job of the private repository", await leasedJob(stage, repositories.get("private") ?? ""), {
      kind: "job",
      role,
      scopes: ["repo:read"],
      limitedTo: ["private"],
    }),
    caller(
      "job that may write",
      await leasedJob(stage, repositories.get("private") ?? "", { writes: true }),
      {
        kind: "job",
        role,
        scopes: ["repo:write", "pipeline:write"],
        limitedTo: ["private"],
      },
    ),
    caller(
      "job of a run that no user started",
      await leasedJob(stage, repositories.get("private") ?? "", { userId: null }),
      {
        kind: "job",
        role,
        scopes: ["repo:read"],
        limitedTo: ["private"],
      },
    ),
  ];
}

async function leasedJob(
  { server, olga }: Stage,
  repositoryId: string,
  { userId = olga.id, writes = false }: { userId?: string | null; writes?: boolean } = {},
): Promise<string> {
  const token = `svc_job_${(userId === null ? "s" : writes ? "w" : "x").repeat(43)}`;
  const more = writes ? { permissions: ["repo:write", "pipeline:write"] as const, number: 1002 } : {};
  await insertLeasedAttempt(server.container.platform.db, { repositoryId, userId, token, ...more });
  return token;
}

async function appToken({ server, browser, chief }: Stage, wanted: readonly Scope[]) {
  const app = await registerApp(server, chief.token, { scopes });
  const code = await codeFor(server, browser, app, { scope: wanted.join(",") });
  return ensure(await exchange(server, app, code)).json as { access_token: string; refresh_token: string };
}

async function apps(stage: Stage): Promise<Caller[]> {
  const [all, few] = [await appToken(stage, scopes), await appToken(stage, ["repo:read", "org:read"])];
  return [
    caller("owner's app", all.access_token, { role: "owner" }),
    caller("owner's app: repo:read, org:read", few.access_token, {
      role: "owner",
      scopes: ["repo:read", "org:read"],
    }),
  ];
}

async function refused(stage: Stage): Promise<Caller[]> {
  const { server, olga, chief } = stage;
  const end = async (token: string, how: string) => {
    await server.container.platform.db.query(`update access_tokens set ${how} where token_hash = $1`, [
      hashToken(token),
    ]);
    return token;
  };
  const owned = () => server.tokenFor(olga, scopes);
  const past = "expires_at = now() - interval '1 second'";
  const app = await appToken(stage, scopes);
  const revoked = await asOlga(stage, "POST", "/user/tokens", { name: "x", scopes });
  await asOlga(stage, "DELETE", `/user/tokens/${revoked.id}`);
  const sven = await server.person("sven");
  await asOlga(stage, "PUT", "/orgs/acme/members/sven", { role: "owner" });
  ensure(await server.api("PUT", "/admin/users/sven/suspension", { token: chief.token }));
  const credential = "refused";
  return [
    caller("expired token", await end(await owned(), past), { credential }),
    caller("revoked token", revoked.token, { credential }),
    caller("token of a suspended owner", sven.token, { credential }),
    caller("unknown token", newAccessToken("pat"), { credential }),
    caller("expired token of an app", await end(app.access_token, past), { credential }),
    caller("refresh token", app.refresh_token, { credential }),
  ];
}

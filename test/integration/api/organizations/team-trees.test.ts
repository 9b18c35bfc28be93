/** `security.md` row 14: random trees of teams against a model that fits on a screen. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { repositoryLevels } from "@forgeline/schemas/core/repository-levels.ts";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { counted } from "../../../support/counted.ts";
import { seededRandom } from "../../../support/seeded-random.ts";
import { seed, size } from "../../../support/size.ts";

const trees = size(25, 10_000);

interface Team {
  name: string;
  parent: Team | null;
  secret: boolean;
  roles: Record<string, "member" | "maintainer">;
  /** Level by name of the repository, from 0. */
  grants: Record<string, number>;
}
interface World {
  teams: Team[];
  roles: Record<string, "owner" | "member">;
  visibility: Record<string, "private" | "internal" | "public">;
}

const lineage = (team: Team): Team[] => [...(team.parent ? lineage(team.parent) : []), team];
const pathOf = (team: Team) =>
  lineage(team)
    .map((t) => t.name)
    .join("/");

/** -1: does not see it. */
function levelOf(world: World, user: string, repo: string): number {
  const role = world.roles[user];
  if (role === "owner") return repositoryLevels.length - 1;
  const open = world.visibility[repo] === "public" || (role && world.visibility[repo] === "internal");
  const teams = world.teams.filter((team) => user in team.roles).flatMap(lineage);
  return Math.max(open ? 0 : -1, ...teams.map((team) => team.grants[repo] ?? -1));
}

function sees(world: World, user: string, team: Team): boolean {
  if (world.roles[user] === "owner") return true;
  if (!world.roles[user]) return false;
  if (!lineage(team).some((t) => t.secret) || user in team.roles) return true;
  return lineage(team).some((t) => t.roles[user] === "maintainer");
}

let server: ApiServer;
const people: TestPerson[] = [];
beforeAll(async () => {
  server = await startApiServer();
  for (const name of ["owner", "ann", "bob", "cyd", "out"]) people.push(await server.person(name));
});
afterAll(() => server.stop());

const random = seededRandom(seed);
const upTo = (n: number) => Math.floor(random() * n);
const oneOf = <T>(items: readonly T[]): T => items[upTo(items.length)]!;

function randomWorld(): World {
  const world: World = { teams: [], roles: { owner: "owner" }, visibility: {} };
  for (const name of ["ann", "bob", "cyd"]) world.roles[name] = random() < 0.1 ? "owner" : "member";
  for (const repo of ["r0", "r1", "r2", "r3"])
    world.visibility[repo] = random() < 0.7 ? "private" : oneOf(["internal", "public"] as const);
  for (let i = 0; i < 2 + upTo(7); i += 1) {
    const parent = random() < 0.8 ? (world.teams.at(-1 - upTo(2)) ?? null) : null;
    world.teams.push({ name: `t${i}`, parent, secret: random() < 0.3, roles: {}, grants: {} });
  }
  for (const team of world.teams) {
    for (const name of ["ann", "bob", "cyd"])
      if (random() < 0.25) team.roles[name] = random() < 0.3 ? "maintainer" : "member";
    for (const repo of Object.keys(world.visibility))
      if (random() < 0.25) team.grants[repo] = upTo(repositoryLevels.length);
  }
  return world;
}

/** Built by the services that the operations call, then changed as they change it. */
async function build(world: World, org: string): Promise<void> {
  const { organizations, members, teams, teamMembers, teamGrants } = server.container.organizations;
  const { db } = server.container.platform;
  const first = { ...systemActor, kind: "user", userId: people[0]!.id, username: "owner" } as const;
  const organization = await organizations.create(first, { name: org, display_name: "", description: "" });
  for (const [username, role] of Object.entries(world.roles))
    await members.set(first, organization, { username, role });
  for (const [name, visibility] of Object.entries(world.visibility))
    await db.query("insert into repositories (id, owner_id, name, visibility) values ($1, $2, $3, $4)", [
      newId("repo"),
      organization.id,
      name,
      visibility,
    ]);
  const granted = { organization, role: "owner" } as const;
  for (const team of world.teams) {
    const { id } = await teams.create(systemActor, granted, {
      name: team.name,
      description: "",
      visibility: team.secret ? "secret" : "visible",
      parent: team.parent ? pathOf(team.parent) : null,
    });
    const at = {
      ...granted,
      team: { id, path: pathOf(team), visibility: "visible" },
      teamRole: null,
    } as const;
    for (const [username, role] of Object.entries(team.roles))
      await teamMembers.set(systemActor, at, { username, role });
    for (const [repository, level] of Object.entries(team.grants))
      await teamGrants.grant(systemActor, at, { repository, permission: repositoryLevels[level]! });
  }
  await moveOne(world, org);
}

async function moveOne(world: World, org: string): Promise<void> {
  const team = oneOf(world.teams);
  const parent = oneOf([null, ...world.teams.filter((other) => !lineage(other).includes(team))]);
  const answer = await server.api("PATCH", `/orgs/${org}/teams/${pathOf(team)}`, {
    token: people[0]!.token,
    body: {
      parent: parent && pathOf(parent),
      name: `${team.name}m`,
      visibility: team.secret ? "visible" : "secret",
    },
  });
  expect(answer.status).toBe(200);
  Object.assign(team, { parent, name: `${team.name}m`, secret: !team.secret });
}

async function compare(world: World, org: string, person: TestPerson): Promise<void> {
  const ask = (path: string) =>
    server.api("GET", `/orgs/${org}/${path}?per_page=100`, { token: person.token });
  const repos = await ask("repos");
  const expected = Object.keys(world.visibility).flatMap((repo) => {
    const level = levelOf(world, person.username, repo);
    return level < 0 ? [] : [[repo, repositoryLevels[level]]];
  });
  const shown = repos.json.map((r: { name: string; permissions: string }) => [r.name, r.permissions]);
  expect({ org, user: person.username, repos: shown }).toEqual({
    org,
    user: person.username,
    repos: expected,
  });
  const teams = await ask("teams");
  const listed: { full_name: string }[] = teams.status === 200 ? teams.json : [];
  const visible = world.teams.filter((team) => sees(world, person.username, team)).map(pathOf);
  expect({
    org,
    user: person.username,
    status: teams.status,
    teams: listed.map((team) => team.full_name.slice(org.length + 1)).toSorted(),
    total: Number(teams.headers["x-total-count"] ?? 0),
  }).toEqual({
    org,
    user: person.username,
    status: world.roles[person.username] ? 200 : 404,
    teams: visible.toSorted(),
    total: visible.length,
  });
  const some = oneOf(world.teams);
  const one = await server.api("GET", `/orgs/${org}/teams/${pathOf(some)}`, { token: person.token });
  expect([org, person.username, pathOf(some), one.status]).toEqual([
    org,
    person.username,
    pathOf(some),
    sees(world, person.username, some) ? 200 : 404,
  ]);
}

test(
  `rights and sight in ${trees} random trees are what the model says (seed ${seed})`,
  { timeout: size(900_000, 4 * 3_600_000) },
  async (context) => {
    let compared = 0;
    for (let i = 0; i < trees; i += 1) {
      const [world, org] = [randomWorld(), `tree-${i}`];
      await build(world, org);
      // Owners and outsiders are seldom surprising.
      const asked = people.filter(({ username }) => !["owner", "out"].includes(username) || random() < 0.1);
      await Promise.all(asked.map((person) => compare(world, org, person)));
      compared += asked.length;
    }
    counted(context, { trees, "people compared": compared, differences: 0 });
  },
);

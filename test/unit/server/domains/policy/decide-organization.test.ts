import { expect, test } from "vitest";
import { anonymousActor, type Actor } from "@forgeline/server/platform/access/actor.ts";
import {
  decideOrganization,
  decideTeam,
  refuseBeforeLookup,
  type GrantedTeam,
} from "@forgeline/server/domains/policy/decide-organization.ts";
import { AppError } from "@forgeline/server/platform/app-error.ts";

const organization = { id: "org_1", name: "acme" };
const user: Actor = { ...anonymousActor, kind: "user", userId: "usr_1", scopes: ["org:read"] };
const read = { access: "org_member", scope: "org:read" } as const;
const own = { access: "org_owner", scope: "org:read" } as const;
const look = { access: "org_visible", scope: "org:read" } as const;

function verdict(decide: () => unknown): string {
  try {
    decide();
    return "allowed";
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

test.each([
  ["anonymous, what everyone sees", anonymousActor, look, "allowed"],
  ["anonymous, what members see", anonymousActor, read, "unauthorized"],
  ["without the scope", { ...user, scopes: ["repo:admin"] } as Actor, read, "insufficient_scope"],
  ["a token limited to repositories", { ...user, repositoryIds: [] }, read, "forbidden"],
  ["a job", { ...user, kind: "job" } as Actor, read, "forbidden"],
  ["a user", user, read, "allowed"],
] as const)("before anything is looked up: %s", (_name, actor, requirement, expected) => {
  expect(verdict(() => refuseBeforeLookup(actor, requirement))).toBe(expected);
});

test.each([
  ["absent", undefined, look, "not_found"],
  ["outsider looks", null, look, "allowed"],
  ["outsider reads", null, read, "not_found"],
  ["outsider changes", null, own, "not_found"],
  ["member reads", "member", read, "allowed"],
  ["member changes", "member", own, "forbidden"],
  ["owner changes", "owner", own, "allowed"],
] as const)("an organization: %s", (_name, role, requirement, expected) => {
  const found = role === undefined ? undefined : { organization, role };
  expect(verdict(() => decideOrganization(user, requirement, found))).toBe(expected);
});

test("without the scope an owner sees what everyone sees", () => {
  const found = { organization, role: "owner" } as const;
  expect(decideOrganization({ ...user, scopes: [] }, look, found).role).toBeNull();
  expect(decideOrganization({ ...user, repositoryIds: ["repo_1"] }, look, found).role).toBeNull();
});

test.each([
  ["member of the organization, visible team", "member", "visible", null, "allowed", "forbidden"],
  ["member of the organization, secret team", "member", "secret", null, "not_found", "not_found"],
  ["member of the secret team", "member", "secret", "member", "allowed", "forbidden"],
  ["maintainer", "member", "secret", "maintainer", "allowed", "allowed"],
  ["owner of the organization", "owner", "secret", null, "allowed", "allowed"],
] as const)("a team: %s", (_name, role, visibility, teamRole: GrantedTeam["teamRole"], sees, manages) => {
  const found = { team: { id: "team_1", path: "a/b", visibility }, role: teamRole };
  const decide = (access: "team_visible" | "team_manage") =>
    verdict(() => decideTeam({ access }, { organization, role }, found));
  expect([decide("team_visible"), decide("team_manage")]).toEqual([sees, manages]);
});

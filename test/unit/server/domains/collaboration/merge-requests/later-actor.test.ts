import { expect, test } from "vitest";
import type { UserRow } from "@forgeline/server/domains/accounts/domain.ts";
import type { GrantedRepository } from "@forgeline/server/domains/policy/domain.ts";
import { createLaterActors } from "@forgeline/server/domains/collaboration/merge-requests/later-actor.ts";

const ada = { id: "usr_1", username: "ada", type: "user", is_admin: false, suspended: false } as UserRow;

function find({ user = ada, granted }: { user?: UserRow; granted?: object | undefined }) {
  const users = { getMany: () => Promise.resolve(new Map([[user.id, user]])) };
  const upstreams = { see: () => Promise.resolve(granted as GrantedRepository | undefined) };
  return createLaterActors({ users, upstreams }).find("usr_1", "repo_1");
}

const open = { repository: { archived: false }, level: "write" };

test("somebody who may write is themselves, in this repository alone", async () => {
  const later = await find({ granted: open });
  expect(later).toMatchObject({
    granted: open,
    actor: { userId: "usr_1", username: "ada", repositoryIds: ["repo_1"], tokenId: null },
  });
});

test("whoever has lost what it takes is nobody", async () => {
  expect(await find({ user: { ...ada, suspended: true }, granted: open })).toEqual({ lost: "account" });
  expect(await find({ user: { ...ada, id: "usr_2" }, granted: open })).toEqual({ lost: "account" });
  expect(await find({ granted: undefined })).toEqual({ lost: "access" });
  expect(await find({ granted: { ...open, level: "triage" } })).toEqual({ lost: "access" });
  expect(await find({ granted: { ...open, repository: { archived: true } } })).toEqual({ lost: "archived" });
});

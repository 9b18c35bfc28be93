/** Whose files a merge request changes, where its branches have merged each other and so have several bases. */
import { expect, it } from "vitest";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import {
  findOwned,
  type OwnerNeedsDeps,
} from "@forgeline/server/domains/collaboration/merge-requests/requirements/owner-needs.ts";

const subject = { id: "mr_1", number: 1, authorId: null, head: "head", target: "target" };

/** Which paths were asked about; null: there was too much to tell. */
async function pathsOver(changed: Readonly<Record<string, string[] | null>>) {
  let asked: readonly string[] | undefined;
  const deps = {
    history: { mergeBases: () => Promise.resolve(Object.keys(changed)) },
    files: {
      changedPaths: (_: string, { before }: { before: string | null }) =>
        Promise.resolve(changed[before ?? ""] ?? null),
    },
    codeOwners: {
      hasFile: () => Promise.resolve(true),
      ownersOf: (_: unknown, __: unknown, { paths }: { paths: readonly string[] }) => {
        asked = paths;
        return Promise.resolve(undefined);
      },
    },
  } as unknown as OwnerNeedsDeps;
  const owned = await findOwned(deps, { viewer: systemActor, repositoryId: "repo_1", subject });
  return owned === null ? null : asked;
}

it("takes what differs from any base", async () => {
  expect(await pathsOver({ one: ["a"], other: ["a", "db/b"] })).toEqual(["a", "db/b"]);
});

it("cannot tell without a base, with very many, or where one comparison is too large", async () => {
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`base-${at}`, ["a"]]));
  for (const changed of [{}, many, { one: ["a"], other: null }]) expect(await pathsOver(changed)).toBeNull();
});

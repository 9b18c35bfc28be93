/** What the trust of a run's source decides, as one table; and that no other module compares the value. */
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  mayBePrivileged,
  savesForOthers,
  trustOf,
  trustOfChild,
  withoutDeployments,
  withoutOtherRepositories,
  withoutSecrets,
  withoutShells,
  withoutWrite,
  type SourceTrust,
} from "@forgeline/server/domains/pipelines/runs/source-trust.ts";

const may = (trust: SourceTrust) => ({
  secrets: withoutSecrets(trust) === null,
  write: withoutWrite({ trust, hasPerson: true, permissionsMax: "write" }) === null,
  writeForNobody: withoutWrite({ trust, hasPerson: false, permissionsMax: "write" }) === null,
  cachesForOthers: savesForOthers(trust),
  privileged: mayBePrivileged(trust),
  deploy: withoutDeployments(trust) === null,
  shells: withoutShells(trust) === null,
  otherRepositories: withoutOtherRepositories(trust) === null,
});

const nothing = {
  secrets: false,
  write: false,
  writeForNobody: false,
  cachesForOthers: false,
  privileged: false,
  deploy: false,
  shells: false,
  otherRepositories: false,
};
const table: readonly [SourceTrust, ReturnType<typeof may>][] = [
  [
    "own",
    {
      secrets: true,
      write: true,
      writeForNobody: false,
      cachesForOthers: true,
      privileged: true,
      deploy: true,
      shells: true,
      otherRepositories: true,
    },
  ],
  ["unknown_author", { ...nothing, deploy: true }],
  ["fork", nothing],
];

it.each(table)(
  "a run of the trust %s may do what the table says, and a run that it starts the same",
  (trust, expected) => {
    expect(may(trust)).toEqual(expected);
    expect(may(trustOfChild(trust))).toEqual(expected);
  },
);

it("takes commits that a sync brought for those of unknown authors", () => {
  const names = ["push", "merge_request", "api", "schedule", "mirror_sync", "fork_sync"] as const;
  expect(names.map((name) => trustOf({ name }))).toEqual([
    "own",
    "own",
    "own",
    "own",
    "unknown_author",
    "unknown_author",
  ]);
});

it("takes commits of merge requests for those of a fork if their branch is in another repository", () => {
  const mergeRequest = {
    number: 1,
    title: "",
    author: "ada",
    source_branch: "main",
    target_branch: "main",
    base_sha: "",
    draft: false,
    labels: [],
  };
  const of = (fork: boolean) => trustOf({ name: "merge_request", mergeRequest: { ...mergeRequest, fork } });
  expect([of(true), of(false)]).toEqual(["fork", "own"]);
});

it("is compared in no other module", async () => {
  const directory = join(import.meta.dirname, "../../../../../../server/domains");
  const files = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith(".ts"));
  const comparing: string[] = [];
  for (const name of files) {
    const text = await readFile(join(directory, name), "utf8");
    if (/\btrust\b\s*(?:===|!==)/i.test(text)) comparing.push(name);
  }
  expect(comparing).toEqual(["pipelines/runs/source-trust.ts"]);
});

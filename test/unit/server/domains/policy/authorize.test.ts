import { expect, test } from "vitest";
import type { Scope } from "@forgeline/schemas/core/scopes.ts";
import type { Actor } from "@forgeline/server/platform/access/actor.ts";
import { decideInstance } from "@forgeline/server/domains/policy/decide-instance.ts";
import {
  decideRepository,
  type GrantedRepository as Granted,
} from "@forgeline/server/domains/policy/decide-repository.ts";
import { AppError } from "@forgeline/server/platform/app-error.ts";
import { jobHolder } from "../../../../support/job-holder.ts";

function actor(kind: Actor["kind"], scopes: Scope[] = [], more: Partial<Actor> = {}): Actor {
  const userId = kind === "anonymous" ? null : "usr_1";
  return {
    kind,
    userId,
    username: kind,
    isAdmin: false,
    scopes,
    tokenId: null,
    sessionId: null,
    repositoryIds: null,
    job: null,
    request: null,
    ...more,
  };
}

function found(
  visibility: "private" | "public",
  level: Granted["level"] = "read",
  publicPipelines = true,
): Granted {
  const repository = {
    id: "repo_1",
    owner: "o",
    name: "n",
    visibility,
    archived: false,
    mirror: false,
    publicPipelines,
    defaultBranch: "main",
    moved: false,
  };
  return { repository, level };
}

function verdict(decide: () => unknown): string {
  try {
    decide();
    return "allowed";
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

const read = { access: "repo_read", scope: "repo:read" } as const;
const readLogs = { access: "repo_read", scope: "pipeline:read" } as const;
const write = { access: "repo_write", scope: "repo:write" } as const;
const job = actor("job", ["repo:read"], {
  job: jobHolder("repo_1"),
  repositoryIds: ["repo_1"],
});
const otherJob = actor("job", ["repo:read"], {
  job: jobHolder("repo_2"),
  repositoryIds: ["repo_2"],
});

const push = { ...write, jobs: "allowed" } as const;
const fetch = { ...read, jobs: "needed" } as const;
const maintain = { access: "repo_maintain", scope: "repo:write", jobs: "allowed" } as const;
const writingJob = {
  ...job,
  scopes: ["repo:write"] as Scope[],
  job: jobHolder("repo_1", { mayWrite: true }),
};
const bareJob = { ...job, scopes: [] };

test.each([
  ["anonymous reads public", actor("anonymous"), read, found("public"), "allowed"],
  ["anonymous reads private", actor("anonymous"), read, found("private"), "not_found"],
  ["anonymous reads absent", actor("anonymous"), read, undefined, "not_found"],
  ["anonymous writes public", actor("anonymous"), write, found("public"), "unauthorized"],
  ["anonymous reads public logs", actor("anonymous"), readLogs, found("public"), "allowed"],
  [
    "anonymous reads closed logs",
    actor("anonymous"),
    readLogs,
    found("public", "read", false),
    "unauthorized",
  ],
  ["user reads", actor("user", ["repo:read"]), read, found("private"), "allowed"],
  ["user reads absent", actor("user", ["repo:read"]), read, undefined, "not_found"],
  [
    "user without scope reads private",
    actor("user", ["mr:read"]),
    read,
    found("private", "admin"),
    "insufficient_scope",
  ],
  ["user without scope reads absent", actor("user", ["mr:read"]), read, undefined, "insufficient_scope"],
  ["user without scope reads public", actor("user", ["mr:read"]), read, found("public", "admin"), "allowed"],
  [
    "user without scope writes public",
    actor("user", ["repo:read"]),
    write,
    found("public", "admin"),
    "insufficient_scope",
  ],
  ["user with wider scope reads", actor("user", ["repo:admin"]), read, found("private"), "allowed"],
  ["reader writes", actor("user", ["repo:write"]), write, found("private"), "forbidden"],
  ["writer writes", actor("user", ["repo:write"]), write, found("private", "write"), "allowed"],
  ["job reads its repository", job, read, found("private", "admin"), "allowed"],
  ["job pushes to its repository", writingJob, push, found("private", "admin"), "allowed"],
  ["job pushes where its person only reads", writingJob, push, found("private", "read"), "forbidden"],
  [
    "job pushes for a person who lost the right",
    { ...writingJob, job: jobHolder("repo_1") },
    push,
    found("private", "admin"),
    "forbidden",
  ],
  ["job pushes without the scope", job, push, found("private", "admin"), "insufficient_scope"],
  ["job does what jobs may not", writingJob, write, found("private", "admin"), "forbidden"],
  ["job stars", writingJob, { ...read, access: "repo_signed_in" }, found("private", "admin"), "forbidden"],
  ["job administers", writingJob, { access: "repo_admin" }, found("private", "admin"), "forbidden"],
  ["job is never more than Write", writingJob, maintain, found("private", "admin"), "forbidden"],
  ["job fetches without any scope", bareJob, fetch, found("private", "admin"), "allowed"],
  ["job reads without any scope", bareJob, read, found("private", "admin"), "insufficient_scope"],
  [
    "job without any scope fetches another repository",
    { ...otherJob, scopes: [] },
    fetch,
    found("private", "admin"),
    "insufficient_scope",
  ],
  ["job reads another repository", otherJob, read, found("private", "admin"), "not_found"],
  [
    "job pushes to another repository",
    { ...otherJob, scopes: ["repo:write"] as Scope[], job: jobHolder("repo_2", { mayWrite: true }) },
    push,
    found("private", "admin"),
    "not_found",
  ],
  ["runner reads", actor("runner", ["repo:admin"]), read, found("public", "admin"), "not_found"],
  ["system writes", actor("system"), write, found("private", "admin"), "allowed"],
] as const)("%s", (_name, who, requirement, repository, expected) => {
  expect(verdict(() => decideRepository(who, requirement, repository))).toBe(expected);
});

test("a token limited to other repositories is everyone", () => {
  const limited = actor("user", ["repo:admin"], { repositoryIds: ["repo_2"] });
  expect(verdict(() => decideRepository(limited, read, found("private", "admin")))).toBe("not_found");
  expect(verdict(() => decideRepository(limited, write, found("public", "admin")))).toBe("forbidden");
  expect(decideRepository(limited, read, found("public", "admin")).level).toBe("read");
  const restore = { access: "repo_admin", scope: "repo:admin", deleted: "only" } as const;
  expect(verdict(() => decideRepository(limited, restore, found("public", "admin")))).toBe("not_found");
  const bound = { ...limited, repositoryIds: ["repo_1"] };
  expect(decideRepository(bound, write, found("private", "admin")).level).toBe("admin");
});

test("without the scope, what everyone sees is all there is", () => {
  expect(decideRepository(actor("user"), read, found("public", "admin")).level).toBe("read");
});

test.each([
  ["public, anonymous", actor("anonymous"), { access: "public" }, "allowed"],
  ["user, anonymous", actor("anonymous"), { access: "user" }, "unauthorized"],
  ["user with scope", actor("user", ["user:write"]), { access: "user", scope: "user:read" }, "allowed"],
  ["user without scope", actor("user"), { access: "user", scope: "user:read" }, "insufficient_scope"],
  ["user, job", job, { access: "user" }, "forbidden"],
  [
    "instance, user",
    actor("user", ["org:admin"]),
    { access: "instance_admin", scope: "org:admin" },
    "forbidden",
  ],
  [
    "instance, admin without scope",
    actor("user", [], { isAdmin: true }),
    { access: "instance_admin", scope: "org:admin" },
    "insufficient_scope",
  ],
  [
    "instance, admin",
    actor("user", ["org:admin"], { isAdmin: true }),
    { access: "instance_admin", scope: "org:admin" },
    "allowed",
  ],
] as const)("instance operations: %s", (_name, who, requirement, expected) => {
  expect(verdict(() => decideInstance(who, requirement))).toBe(expected);
});

test("an archived repository is read-only for everything that does not say otherwise", () => {
  const granted = found("private", "admin");
  const archived = { ...granted, repository: { ...granted.repository, archived: true } };
  const owner = actor("user", ["repo:admin", "pipeline:write"]);
  const outcome = (requirement: Parameters<typeof decideRepository>[1]) =>
    verdict(() => decideRepository(owner, requirement, archived));
  expect(outcome(read)).toBe("allowed");
  expect(outcome(write)).toBe("repository_archived");
  expect(outcome({ access: "repo_admin", scope: "repo:admin" })).toBe("repository_archived");
  expect(outcome({ ...write, archived: "allowed" })).toBe("allowed");
  expect(outcome({ access: "repo_write", scope: "issue:write" })).toBe("insufficient_scope");
});

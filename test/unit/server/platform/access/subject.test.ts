import { describe, expect, it } from "vitest";
import { anonymousActor, systemActor, type Actor } from "@forgeline/server/platform/access/actor.ts";
import { jobHolder } from "../../../../support/job-holder.ts";
import { subjectOf } from "@forgeline/server/platform/access/subject.ts";

describe("a request counts against", () => {
  const user: Actor = { ...anonymousActor, kind: "user", userId: "usr_1", tokenId: "tok_1" };
  it("its user, whatever the token", () => {
    expect(subjectOf(user)).toEqual({ key: "user:usr_1", kind: "user", accountId: "usr_1" });
    expect(subjectOf({ ...user, tokenId: "tok_2" })).toEqual(subjectOf(user));
  });
  it("the repository of its job, whose owner's limits count, not the user behind it", () => {
    const job: Actor = { ...user, kind: "job", job: jobHolder("repo_1") };
    expect(subjectOf(job)).toEqual({ key: "job:repo_1", kind: "user", accountId: "repo_1" });
  });
  it("its address without a user, and nothing when it is our own", () => {
    const request = { id: "1", ipAddress: "192.0.2.7", userAgent: "" };
    expect(subjectOf({ ...anonymousActor, request })?.key).toBe("address:192.0.2.7");
    expect(subjectOf(systemActor)).toBeNull();
  });
});

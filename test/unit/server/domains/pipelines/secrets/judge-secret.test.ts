import { describe, expect, it } from "vitest";
import {
  refusalOf,
  refusalOfIdTokens,
  type RunFacts,
  type SecretLimits,
} from "@forgeline/server/domains/pipelines/secrets/judge-secret.ts";
import { trustOf, withoutSecrets } from "@forgeline/server/domains/pipelines/runs/source-trust.ts";
import { pipelineEventNames } from "@forgeline/schemas/pipeline-file/event.ts";

const unlimited: SecretLimits = {
  branches: [],
  tags: [],
  events: [],
  stages: [],
  images: [],
  environments: [],
  repositories: [],
};
const facts: RunFacts = {
  trust: "own",
  isAllowed: true,
  event: "push",
  branch: "main",
  tag: null,
  stage: "deploy",
  environment: null,
  isConfirmed: true,
  elsewhere: new Map(),
  repository: "Acme/Shop",
};
const tagged = { branch: null, tag: "v1.2", event: "tag" };
const needed = { name: "KEY", optional: false, images: ["acme/deploy:1", "alpine"] };
const judge = (limits: Partial<SecretLimits>, changed: Partial<RunFacts> = {}, images = needed.images) =>
  refusalOf({ ...unlimited, ...limits }, { ...needed, images }, { ...facts, ...changed });

describe("a secret", () => {
  it("without limits is for every run of the repository's own commits", () => {
    expect(judge({})).toBeNull();
    expect(judge({}, tagged)).toBeNull();
    expect(refusalOf(undefined, needed, facts)).toBe("The secret KEY does not exist.");
    const elsewhere = new Map([["KEY", ["production"]]]);
    expect(refusalOf(undefined, needed, { ...facts, elsewhere })).toBe(
      "The secret KEY belongs to environment production, and this job deploys to none.",
    );
    const several = new Map([["KEY", ["north", "south"]]]);
    expect(refusalOf(undefined, needed, { ...facts, elsewhere: several, environment: "west" })).toBe(
      "The secret KEY belongs to the environments north, south, and this job deploys to west.",
    );
  });

  it.each<[Partial<SecretLimits>, Partial<RunFacts>, string | null]>([
    [{ branches: ["main", "release/*"] }, {}, null],
    [
      { branches: ["release/*"] },
      {},
      "The secret KEY is limited to branch release/*; this run is of branch main.",
    ],
    [
      { branches: ["release/*", "rc"] },
      { branch: "release/1/2" },
      "The secret KEY is limited to the branches release/*, rc; this run is of branch release/1/2.",
    ],
    [{ branches: ["*"] }, tagged, "The secret KEY is limited to branch *; this run is of tag v1.2."],
    [{ branches: ["*"], tags: ["v*"] }, tagged, null],
    [{ tags: ["v*"] }, {}, "The secret KEY is limited to tag v*; this run is of branch main."],
    [{ events: ["tag"] }, {}, "The secret KEY is limited to other events than push."],
    [{ events: ["tag", "push"] }, {}, null],
    [{ stages: ["test"] }, {}, "The secret KEY is limited to other stages than deploy."],
    [{ stages: ["dep*"] }, {}, null],
    [{ repositories: ["web-*", "shop"] }, {}, null],
    [{ repositories: ["acme/*"] }, {}, null],
    [{ repositories: ["sho"] }, {}, "The secret KEY is limited to other repositories than Acme/Shop."],
    [{ repositories: ["eve/*"] }, {}, "The secret KEY is limited to other repositories than Acme/Shop."],
    [{ repositories: ["!shop"] }, {}, "The secret KEY is limited to other repositories than Acme/Shop."],
    [{ repositories: ["acme/*", "!*/shop"] }, { repository: "acme/web" }, null],
    [{ branches: ["!main"] }, {}, "The secret KEY is limited to branch !main; this run is of branch main."],
    [{ environments: ["prod*"] }, { environment: "Production" }, null],
    [
      { environments: ["prod*"] },
      { environment: "prod-evil", isConfirmed: false },
      "The secret KEY is limited to environments, and prod-evil counts only once somebody with Maintain has created or confirmed it: forgeline environment create prod-evil",
    ],
    [{ stages: ["dep*"] }, { environment: "prod-evil", isConfirmed: false }, null],
    [
      { environments: ["prod*"] },
      {},
      "The secret KEY is limited to environment prod*; this job deploys to none.",
    ],
    [
      { environments: ["prod*"] },
      { environment: "staging" },
      "The secret KEY is limited to environment prod*; this job deploys to staging.",
    ],
  ])("limited to %o, of %o: %s", (limits, changed, expected) => {
    expect(judge(limits, changed)).toBe(expected);
  });

  it("limited to images is for jobs all of whose containers that see it have one of them", () => {
    expect(judge({ images: ["acme/*", "alpine"] })).toBeNull();
    expect(judge({ images: ["acme/*"] })).toBe("The secret KEY is limited to other images than alpine.");
    expect(judge({ images: ["**"] }, {}, ["node:${{ steps.a.outputs.v }}"])).toBe(
      "The secret KEY is limited to some images, and node:${{ steps.a.outputs.v }} is known only when the step runs.",
    );
  });

  it("is for no run of a fork, of a sync, or of somebody who lost the right to write", () => {
    expect(judge({}, { trust: "fork" })).toBe("Runs of forks get no secrets.");
    expect(judge({}, { trust: "unknown_author" })).toContain("a sync started");
    expect(judge({}, { isAllowed: false })).toContain("may not write");
    for (const changed of [{ trust: "fork" }, { trust: "unknown_author" }, { isAllowed: false }] as const)
      expect(refusalOfIdTokens({ ...facts, ...changed })).toContain("identity tokens");
    expect(refusalOfIdTokens(facts)).toBeNull();
  });
});

it("only syncs bring commits of authors that nobody here knows", () => {
  const untrusted = pipelineEventNames.filter((name) => withoutSecrets(trustOf({ name })) !== null);
  expect(untrusted).toEqual(["mirror_sync", "fork_sync"]);
});

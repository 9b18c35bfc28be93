import { afterEach, describe, expect, it, vi } from "vitest";
import { createSigner } from "@forgeline/server/platform/keys/signer.ts";
import { createLfsTokens } from "@forgeline/server/domains/hosting/lfs/token.ts";

const grant = { credential: "key_1", repositoryId: "repo_1", operation: "upload" } as const;
const tokens = createLfsTokens(createSigner(() => [Buffer.alloc(32, 1)]));
afterEach(() => void vi.useRealTimers());

describe("a token for LFS", () => {
  it("says what it is for, to the instance that made it", () => {
    const token = tokens.issue(grant);
    expect(tokens.read(token)).toEqual(grant);
    expect(tokens.read(tokens.issue({ ...grant, operation: "download" }))?.operation).toBe("download");
    expect(createLfsTokens(createSigner(() => [Buffer.alloc(32, 2)])).read(token)).toBeUndefined();
  });

  it("is worth nothing with any character changed, or cut", () => {
    const token = tokens.issue(grant);
    for (let at = 0; at < token.length - 1; at++) {
      const other = token[at] === "A" ? "B" : "A";
      expect(tokens.read(token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined();
    }
    for (const text of ["", "svc_lfs_", token.slice(0, -1), `${token}A`])
      expect(tokens.read(text)).toBeUndefined();
  });

  it("is worth nothing after a quarter of an hour", () => {
    const token = tokens.issue(grant);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 899_000 - 1_000 });
    expect(tokens.read(token)).toEqual(grant);
    vi.setSystemTime(Date.now() + 2_001);
    expect(tokens.read(token)).toBeUndefined();
  });
});

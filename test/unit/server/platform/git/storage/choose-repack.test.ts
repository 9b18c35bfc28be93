import { describe, expect, it } from "vitest";
import { chooseRepack } from "@forgeline/server/platform/git/storage/maintain-repository.ts";

const quiet = { everythingIsDue: false, prune: false };
const counts = (looseObjects: number, packs: number) => ({ looseObjects, packs, looseRefs: 0 });

describe("how much is repacked", () => {
  it("follows from what has come since", () => {
    expect(chooseRepack(counts(200, 8), quiet)).toBe("none");
    expect(chooseRepack(counts(201, 1), quiet)).toBe("geometric");
    expect(chooseRepack(counts(0, 9), quiet)).toBe("geometric");
  });
  it("is everything when that is due or content must go, and nothing where there is nothing", () => {
    expect(chooseRepack(counts(0, 1), { ...quiet, everythingIsDue: true })).toBe("everything");
    expect(chooseRepack(counts(0, 1), { ...quiet, prune: true })).toBe("everything");
    expect(chooseRepack(counts(0, 0), { ...quiet, everythingIsDue: true })).toBe("none");
  });
});

/** Names of branches that the editor proposes. */
import { expect, it } from "vitest";
import { branchFor } from "../../../../web/src/features/contents/branch-for.ts";

it("makes the name of a branch from that of the file", () => {
  expect(branchFor("docs/Read Me.md")).toBe("change-read-me-md");
  expect(branchFor(".forgeline.yml")).toBe("change-forgeline-yml");
  expect([branchFor(""), branchFor("docs/"), branchFor("図.")]).toEqual(["change", "change", "change"]);
});

import { resolveSubmoduleUrl } from "@forgeline/runner/workspace/submodules/submodule-url.ts";
import { describe, expect, it } from "vitest";

const parent = "https://forge.example/team/app.git";

describe("the address of a submodule", () => {
  it.each([
    ["../lib.git", "https://forge.example/team/lib.git"],
    ["./lib.git", "https://forge.example/team/app.git/lib.git"],
    ["../../other/lib", "https://forge.example/other/lib"],
    ["./../lib.git", "https://forge.example/team/lib.git"],
    ["..//evil.example/x", "https://forge.example/team//evil.example/x"],
    ["../..//evil.example/x", "https://forge.example//evil.example/x"],
    ["../x/../../../y", "https://forge.example/y"],
    ["../https://evil.example/x", "https://forge.example/team/https://evil.example/x"],
    ["../a.git#x?y", "https://forge.example/team/a.git%23x%3Fy"],
    ["https://other.example/a.git", "https://other.example/a.git"],
    ["http://0x7f.1/a", "http://127.0.0.1/a"],
    ["HTTPS://Other.Example:443/a", "https://other.example/a"],
  ])("%s is %s", (written, url) => {
    expect(resolveSubmoduleUrl(written, parent).href).toBe(url);
  });

  it.each([
    ["git@other.example:a.git", "is not a URL"],
    ["/srv/git/a.git", "is not a URL"],
    ["a.git", "is not a URL"],
    ["..", "is not a URL"],
    ["", "is not a URL"],
    ["ssh://git@other.example/a.git", "begins with neither"],
    ["git://other.example/a.git", "begins with neither"],
    ["file:///srv/git/a.git", "begins with neither"],
    ["ext::sh -c id", "begins with neither"],
    ["--upload-pack=id", "is not a URL"],
    ["https://ada:secret@other.example/a.git", "user name or password"],
    ["https://ada@other.example/a.git", "user name or password"],
    ["https://other.example/a.git?x=y", "contains ? or #"],
    ["../../../a.git", "leads out of its server"],
  ])("%s is refused: %s", (written, why) => {
    expect(() => resolveSubmoduleUrl(written, parent)).toThrow(why);
  });

  it("is not repeated with its password", () => {
    const refused = () => resolveSubmoduleUrl("https://ada:secret@other.example/a.git", parent);
    expect(refused).toThrow(/^(?!.*secret)/);
  });
});

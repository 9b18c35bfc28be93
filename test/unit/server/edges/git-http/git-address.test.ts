import { describe, expect, it } from "vitest";
import { parseGitAddress } from "@forgeline/server/edges/git-http/git-address.ts";

describe("parseGitAddress", () => {
  it("knows the three requests of the smart protocol, with and without the ending", () => {
    expect(parseGitAddress("GET", "/ada/x.git/info/refs?service=git-upload-pack")).toEqual({
      owner: "ada",
      name: "x",
      kind: "advertise",
      service: "upload-pack",
    });
    expect(parseGitAddress("GET", "/ada/x/info/refs?service=git-receive-pack")?.service).toBe("receive-pack");
    expect(parseGitAddress("POST", "/ada/x.git/git-receive-pack")?.kind).toBe("rpc");
    expect(parseGitAddress("POST", "/ada/a.b.git/git-upload-pack")?.name).toBe("a.b");
  });

  it("knows the dumb protocol, to refuse it", () => {
    for (const path of ["info/refs", "HEAD", "objects/12/34", "info/refs?service=git-upload-archive"])
      expect(parseGitAddress("GET", `/ada/x.git/${path}`)?.kind).toBe("dumb");
  });

  it("leaves everything else to others", () => {
    const others = [
      "/",
      "/ada/x",
      "/ada/x/info/refs",
      "/api/v1/user",
      "/ada/x.git/config",
      "/..%2f/x.git/HEAD",
      "/a/%00.git/HEAD",
      "/a/%zz.git/HEAD",
      "/ada/.git/HEAD",
      "/-a/x.git/HEAD",
      "/ada/../x.git/HEAD",
    ];
    for (const url of others) expect([url, parseGitAddress("GET", url)]).toEqual([url, undefined]);
    expect(parseGitAddress("GET", "/ada/x.git/git-upload-pack")).toBeUndefined();
  });
});

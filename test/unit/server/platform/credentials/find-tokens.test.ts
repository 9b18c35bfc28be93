import { describe, expect, it } from "vitest";
import { newAccessToken, newOAuthSecret } from "@forgeline/server/platform/credentials/credential.ts";
import { findTokens } from "@forgeline/server/platform/credentials/find-tokens.ts";
import { newRunnerCredential } from "@forgeline/server/domains/pipelines/runners/credential.ts";

const find = (text: string) => findTokens(Buffer.from(text));

describe("secrets of ours in a file", () => {
  it("are found wherever they stand, with their line", () => {
    const pat = newAccessToken("pat");
    expect(find(`a\n\nkey: "${pat}"\n${newRunnerCredential()} ${newOAuthSecret("client")}`)).toEqual([
      { kind: "an access token", line: 3 },
      { kind: "a runner's credential", line: 4 },
      { kind: "an OAuth app's secret", line: 4 },
    ]);
    expect(find(pat)).toHaveLength(1);
    expect(find(`x${pat}.`)).toHaveLength(1);
  });
  it("are none where the checksum does not fit, or more follows", () => {
    const pat = newAccessToken("pat");
    const wrong = pat.endsWith("0") ? "1" : "0";
    expect(find(`${pat.slice(0, -1)}${wrong}`)).toEqual([]);
    expect(find(`${pat}a`)).toEqual([]);
    expect(find("svc_pat_ svc_ svc_pat_short")).toEqual([]);
  });
  it("are at most ten of a file", () => {
    expect(find(Array.from({ length: 20 }, () => newAccessToken("bot")).join("\n"))).toHaveLength(10);
  });
});

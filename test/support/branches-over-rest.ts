/** Branches of a repository and their commits, made and read over REST. */
import { expect } from "vitest";
import type { ApiAnswer } from "./api-server.ts";

export interface BranchesOverRest {
  /** A commit on a branch; its id. */
  put(branch: string, path: string, text: string, message?: string): Promise<string>;
  /** From `main`, with one commit for each file; the id of the last one. */
  branch(name: string, files: Record<string, string>): Promise<string>;
  tipOf(name: string): Promise<string>;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into arbitrary answers
  commitOf(sha: string): Promise<any>;
}

/** `path` is that of the repository. */
export function branchesOver(
  api: (method: string, path: string, body?: unknown) => Promise<ApiAnswer>,
  path: string,
): BranchesOverRest {
  const put: BranchesOverRest["put"] = async (branch, file, text, message = `Write ${file}`) => {
    const there = await api("GET", `${path}/contents/${file}?ref=${branch}`);
    const { status, json } = await api("PUT", `${path}/contents/${file}`, {
      branch,
      message,
      content: Buffer.from(text).toString("base64"),
      ...(there.status === 200 ? { sha: there.json.sha } : {}),
    });
    expect([status, json.message]).toEqual([200, undefined]);
    return json.commit.sha as string;
  };
  return {
    put,
    async branch(name, files) {
      const made = await api("POST", `${path}/branches`, { name, ref: "main" });
      let sha = made.json.commit.sha as string;
      for (const [file, text] of Object.entries(files)) sha = await put(name, file, text);
      return sha;
    },
    tipOf: async (name) => (await api("GET", `${path}/branches/${name}`)).json.commit?.sha,
    commitOf: async (sha) => (await api("GET", `${path}/commits/${sha}`)).json,
  };
}

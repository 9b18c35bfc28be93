/** Writes files of a repository as somebody who is signed in, for tests of pages that show them. */
import { expect } from "vitest";
import type { Browser } from "../browser.ts";

export interface Contents {
  /** A commit of its own. */
  write(branch: string, path: string, content: string, message: string): Promise<void>;
  /** From `main`, with one file. */
  branch(name: string, path: string, content: string, message: string): Promise<void>;
}

/** `at`: the address of the repository, `/repos/ada/app`. */
export function contentsOf(sender: Browser, at: string): Contents {
  async function write(branch: string, path: string, content: string, message: string): Promise<void> {
    const { json } = await sender.send("GET", `${at}/contents/${path}?ref=${encodeURIComponent(branch)}`);
    const answer = await sender.send("PUT", `${at}/contents/${path}`, {
      branch,
      message,
      content: Buffer.from(content).toString("base64"),
      ...(json.sha === undefined ? {} : { sha: json.sha }),
    });
    expect(answer.status, answer.text).toBeLessThan(300);
  }

  return {
    write,
    async branch(name, path, content, message) {
      await sender.send("POST", `${at}/branches`, { name, ref: "main" });
      await write(name, path, content, message);
    },
  };
}

/** The administrator of a test instance as somebody who pushes by a key: environment for the real `git`. */
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { needs } from "./programs/needs.ts";
import type { TestInstance } from "./instance.ts";

/** Makes a key below `directory` and adds it; once for a directory. */
export async function administratorByKey(
  instance: TestInstance,
  directory: string,
): Promise<Record<string, string>> {
  const file = join(directory, "key");
  needs("ssh", "ssh-keygen");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", file]);
  await instance.api("POST", "/user/keys", { key: await readFile(`${file}.pub`, "utf8") });
  const options = [
    "IdentitiesOnly=yes",
    "BatchMode=yes",
    "StrictHostKeyChecking=no",
    "UserKnownHostsFile=/dev/null",
    "LogLevel=ERROR",
  ];
  const words = ["ssh", "-F", "none", "-i", file, ...options.map((each) => `-o ${each}`)];
  return { GIT_SSH_COMMAND: words.join(" ") };
}

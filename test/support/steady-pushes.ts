/** Somebody who pushes to a repository of a test instance, again and again, while a test disturbs the instance. */
import { addressWithToken, type GitClient } from "../integration/git/git-client.ts";
import type { TestInstance } from "./instance.ts";

export interface SteadyPushes {
  /** After the push that is under way; there was one at least. */
  stop(): Promise<Pushed>;
}

export interface Pushed {
  pushes: number;
  /** What Git said of each push that it did not get through. */
  failures: string[];
  /** What was pushed last. */
  head: string;
  /** The line of the branch, as the first server has it. */
  branch: string;
}

/** Where the instance is, by HTTPS or SSH, and what Git needs for that. */
export interface PushPlace {
  url(name: string): string;
  env: Record<string, string>;
}

export function steadyPushes(
  { instance, git }: { instance: TestInstance; git: GitClient },
  name: string,
  place: PushPlace,
): SteadyPushes {
  let isStopping = false;
  const pushing = (async () => {
    await instance.api("POST", "/repos", { name });
    const tree = await git.workTree();
    const failures: string[] = [];
    let pushes = 0;
    while (!isStopping || pushes === 0) {
      await git.commit(tree, { "count.txt": `${pushes}\n` });
      const { code, stderr } = await git.run(["push", "-q", place.url(name), "main"], {
        cwd: tree,
        env: place.env,
      });
      pushes += 1;
      if (code !== 0) failures.push(stderr);
    }
    const head = await git.ok(["rev-parse", "HEAD"], { cwd: tree });
    const address = addressWithToken(instance.url, `${instance.adminName}/${name}`, instance.adminToken);
    return { failures, pushes, head, branch: await git.ok(["ls-remote", address, "refs/heads/main"]) };
  })();
  return {
    stop() {
      isStopping = true;
      return pushing;
    },
  };
}

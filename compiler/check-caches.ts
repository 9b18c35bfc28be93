/** What is wrong with the caches of jobs, as far as the file alone shows it. */
import { cachePlace } from "./cache-path.ts";
import type { FileModel, ModelJob } from "./file-model.ts";
import { limits } from "./limits.ts";
import type { Path } from "./path.ts";
import type { Report } from "./report.ts";
import { quote } from "./suggest.ts";
import { spanOfValue, type MapNode } from "./tree.ts";

interface At {
  tree: MapNode;
  report: Report;
}

export function checkCaches(model: FileModel, tree: MapNode, report: Report): void {
  for (const job of model.jobs) checkOwn(job, { tree, report });
}

function checkOwn({ path, job }: ModelJob, { tree, report }: At): void {
  const seen = new Set<string>();
  for (const [i, { key, paths, policy, restore }] of (job.cache ?? []).entries()) {
    const place = [...path, "cache", i];
    const same = JSON.stringify([key, [paths].flat()]);
    if (seen.has(same))
      report.add("P111", spanOfValue(tree, [...place, "key"]), {
        message: `two caches of this job have the key ${quote(key)} and the same paths`,
      });
    seen.add(same);
    checkPaths(paths, [...place, "paths"], { tree, report });
    if (policy === "push" && restore !== undefined && restore.length > 0)
      report.add("P121", spanOfValue(tree, [...place, "restore"]), {
        message: '"restore" has no effect with "policy: push"',
        hint: "leave it out, or use `policy: pull-push`",
      });
  }
}

function checkPaths(written: string | readonly string[], path: Path, { tree, report }: At): void {
  const patterns = [written].flat();
  if (patterns.every((pattern) => pattern.startsWith("!")))
    report.add("P121", spanOfValue(tree, path), {
      message: '"paths" must name at least one file or directory',
    });
  for (const [i, pattern] of patterns.entries()) {
    const problem = pathProblem(pattern.replace(/^!/, ""));
    if (problem === null) continue;
    report.add("P121", spanOfValue(tree, Array.isArray(written) ? [...path, i] : path), {
      message: `"paths": ${problem}`,
      hint: "write node_modules, ~/.npm or /opt/tool/cache",
    });
  }
}

function pathProblem(pattern: string): string | null {
  if (pattern === "") return "a path must not be empty";
  if (pattern.length > limits.artifactPathChars)
    return `a path can have at most ${limits.artifactPathChars} characters`;
  if (pattern.split("/").includes("..")) return `${quote(pattern)} may not contain ".."`;
  if (/^~[^/]/.test(pattern)) return `${quote(pattern)}: only your own home directory is known, as ~/`;
  const { root, pattern: rest } = cachePlace(pattern);
  if (root === "workspace") return null;
  const [first = ""] = rest.split("/");
  if (rest === "**" || /[*?]/.test(first))
    return `${quote(pattern)} is ${root === "home" ? "the whole home directory" : "not below one directory of the system"}`;
  if (root === "system" && ["proc", "sys", "dev"].includes(first))
    return `${quote(pattern)} is no directory of files`;
  return null;
}

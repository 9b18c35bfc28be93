/** What is wrong with the artifacts of jobs, and with what `needs` says of them. */
import { artifactNamePattern, artifactNameRule } from "@forgeline/schemas/pipelines/artifact-name.ts";
import type { Code } from "./codes.ts";
import { durationMs } from "./duration.ts";
import type { FileModel, ModelJob, ModelNeed } from "./file-model.ts";
import { limits } from "./limits.ts";
import type { Path } from "./path.ts";
import type { Report } from "./report.ts";
import { quote, suggestion } from "./suggest.ts";
import { hasExpression } from "./template.ts";
import { spanOfValue, type MapNode } from "./tree.ts";

interface At {
  tree: MapNode;
  report: Report;
}

export function checkArtifacts(model: FileModel, tree: MapNode, report: Report): void {
  for (const job of model.jobs) {
    checkOwn(job, { tree, report });
    for (const need of job.needs ?? []) {
      const target = model.jobs.find(({ key }) => key === need.job);
      if (target) checkNeed(need, target, { tree, report });
    }
  }
}

function checkOwn({ path, job }: ModelJob, { tree, report }: At): void {
  const seen = new Set<string>();
  for (const [i, { name, paths, exclude, expire }] of (job.artifacts ?? []).entries()) {
    const place = [...path, "artifacts", i];
    const at = spanOfValue(tree, [...place, "name"]);
    // What an expression gives is judged when it is known.
    if (!hasExpression(name) && !artifactNamePattern.test(name))
      report.add("P117", at, { message: `the name of an artifact must be ${artifactNameRule}` });
    else if (seen.has(name))
      report.add("P111", at, { message: `two artifacts of this job have the name ${quote(name)}` });
    seen.add(name);
    checkPatterns(paths, { path: [...place, "paths"], mayBeEmpty: false, code: "P117" }, { tree, report });
    checkPatterns(
      exclude ?? [],
      { path: [...place, "exclude"], mayBeEmpty: true, code: "P117" },
      { tree, report },
    );
    if (expire !== undefined) checkExpire(expire, [...place, "expire"], { tree, report });
  }
}

function checkExpire(expire: string, path: Path, { tree, report }: At): void {
  const lengthMs = durationMs(expire);
  const span = spanOfValue(tree, path);
  if (lengthMs === 0) report.add("P103", span, { message: '"expire" must be longer than 0' });
  if (lengthMs > limits.artifactMs)
    report.add("P307", span, { message: `"expire" can be at most ${limits.artifactMs / 86_400_000} days` });
}

/** Globs of files in the workspace; what is wrong with them has the given code. */
export function checkPatterns(
  written: string | readonly string[],
  { path, mayBeEmpty, code }: { path: Path; mayBeEmpty: boolean; code: Code },
  { tree, report }: At,
): void {
  const patterns = [written].flat();
  const key = String(path.at(-1));
  if (!mayBeEmpty && patterns.every((pattern) => pattern.startsWith("!")))
    report.add(code, spanOfValue(tree, path), {
      message: `${quote(key)} must name at least one file or directory`,
    });
  for (const [i, pattern] of patterns.entries()) {
    const problem = patternProblem(pattern.replace(/^!/, ""));
    const span = spanOfValue(tree, Array.isArray(written) ? [...path, i] : path);
    if (problem)
      report.add(code, span, {
        message: `${quote(key)}: ${problem}`,
        hint: "write it relative to the workspace, as `dist/**`",
      });
  }
}

function patternProblem(pattern: string): string | null {
  if (pattern === "") return "a pattern must not be empty";
  if (pattern.length > limits.artifactPathChars)
    return `a pattern can have at most ${limits.artifactPathChars} characters`;
  if (pattern.startsWith("/") || pattern.startsWith("~")) return `${quote(pattern)} is outside the workspace`;
  return pattern.split("/").includes("..") ? `${quote(pattern)} may not contain ".."` : null;
}

/** `artifacts` of an entry of `needs`; names with expressions may turn out to be any. */
function checkNeed({ artifacts, path }: ModelNeed, target: ModelJob, { tree, report }: At): void {
  if (artifacts === undefined) return;
  const names = [...new Set((target.job.artifacts ?? []).map(({ name }) => name))];
  const place = [...path.slice(0, -1), "artifacts"];
  if (names.length === 0) {
    report.add("P117", spanOfValue(tree, place), { message: `job ${quote(target.key)} has no artifacts` });
    return;
  }
  if (artifacts === true || names.some(hasExpression)) return;
  for (const [i, name] of artifacts.entries()) {
    if (names.includes(name)) continue;
    const message = `job ${quote(target.key)} has no artifact ${quote(name)}`;
    report.add("P117", spanOfValue(tree, [...place, i]), {
      message,
      hint: suggestion(name, names, "Artifacts there"),
    });
  }
}

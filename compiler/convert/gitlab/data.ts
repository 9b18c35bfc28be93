/** Artifacts, caches and reports of GitLab. */
import type { TreeNode } from "../../tree.ts";
import { addKey } from "../add-key.ts";
import { attempt } from "../cannot.ts";
import { artifactName } from "../names.ts";
import { child, entries, items, textOfNode, texts } from "../nodes.ts";
import { present, type Plain, type PlainMap } from "../plain.ts";
import { openSection, type Section } from "../trace.ts";
import { duration, workspacePath } from "../values.ts";
import { translateVariableText, type VariableScope } from "./variables.ts";

interface Place {
  section: Section;
  scope: VariableScope;
  job: PlainMap;
}

const whens: Readonly<Record<string, string>> = { on_failure: "failure", always: "always" };
const reportKinds: Readonly<Record<string, string>> = {
  junit: "junit",
  coverage_report: "coverage",
  sarif: "sarif",
};

export function convertArtifacts(node: TreeNode | undefined, place: Place): Plain {
  if (node === undefined) return null;
  const { section: job, scope } = place;
  const section = openSection(node, "jobs.*.artifacts", { trace: job.trace, at: job.at });
  const name = attempt(() => translateVariableText(textOfNode(section.take("name")) ?? "files", scope));
  const paths = pathsOf(section, "paths", scope);
  const exclude = pathsOf(section, "exclude", scope);
  const expire = textOfNode(section.take("expire_in"));
  const when = textOfNode(section.take("when")) ?? "";
  convertReports(section.take("reports"), { ...place, section });
  section.finish({
    untracked: ["artifacts are named by their paths", "add the paths"],
    expose_as: ["artifacts are shown on the page of the run"],
    access: ["artifacts are for those who may read the repository"],
    public: ["artifacts are for those who may read the repository"],
  });
  if (paths.length === 0) return null;
  const length = expire === null || expire === "never" ? null : duration(expire);
  if (expire !== null && length === null)
    section.note("expire_in", {
      message: `${expire} is no length of time here`,
      suggestion: "expire: 365d keeps them for a year",
    });
  if ("problem" in name) section.note("name", { message: name.problem.message });
  return [
    present({
      name: "value" in name ? artifactName(name.value) : "files",
      paths,
      exclude,
      expire: length,
      when: whens[when],
    }),
  ];
}

function pathsOf(section: Section, key: string, scope: VariableScope): string[] {
  return texts(section.take(key)).flatMap((path) => {
    const translated = attempt(() =>
      translateVariableText(path.replace(/^\$\{?CI_PROJECT_DIR\}?\//, ""), scope),
    );
    const plain =
      "value" in translated && !translated.value.includes("${{") ? workspacePath(translated.value) : null;
    if (plain === null)
      section.note(key, {
        message: `${path} is no path below the workspace that is known here`,
        suggestion: "write the path, or copy the files there",
      });
    return plain ?? [];
  });
}

function convertReports(node: TreeNode | undefined, { section, job }: Place): void {
  for (const { key, value } of entries(node)) {
    const kind = Object.hasOwn(reportKinds, key) ? reportKinds[key] : undefined;
    const paths = texts(value.kind === "map" ? child(value, "path") : value);
    if (kind !== undefined) addKey(job, "reports", { [kind]: paths });
    else if (key === "dotenv")
      section.note("reports", {
        message: "variables for later jobs are outputs",
        suggestion: 'write them to "$CI_OUTPUT", name them under outputs, and read needs.JOB.outputs.NAME',
      });
    else
      section.note("reports", {
        message: `reports of the kind ${key} are not read`,
        suggestion: "keep the file with artifacts",
      });
  }
}

export function convertCaches(node: TreeNode | undefined, place: Place): void {
  for (const item of items(node)) {
    const section = openSection(item, "jobs.*.cache", { trace: place.section.trace, at: place.section.at });
    const key = attempt(() => keyOf(section.take("key"), place.scope));
    const paths = texts(section.take("paths"));
    const restore = texts(section.take("fallback_keys"));
    const policy = policyOf(section);
    section.finish({
      when: ["a cache is saved after success"],
      untracked: ["caches are named by their paths"],
      unprotect: [""],
    });
    if (paths.length === 0) continue;
    if ("problem" in key) section.note("key", { message: key.problem.message });
    else addKey(place.job, "cache", [present({ key: key.value, restore, paths, policy })]);
  }
}

function policyOf(section: Section): string | null {
  const policy = textOfNode(section.take("policy")) ?? "pull-push";
  if (policy === "pull" || policy === "push") return policy;
  if (policy !== "pull-push")
    section.note("policy", {
      message: "a cache is fetched, and saved where it is new",
      suggestion: "write policy: pull or policy: push where only one of both is meant",
    });
  return null;
}

function keyOf(node: TreeNode | undefined, scope: VariableScope): string {
  const files = texts(child(node, "files"));
  const prefix = textOfNode(child(node, "prefix"));
  const hash =
    files.length > 0
      ? `\${{ hashFiles(${files.map((file) => `'${file.replaceAll("'", "''")}'`).join(", ")}) }}`
      : null;
  if (hash !== null) return prefix === null ? hash : `${translateVariableText(prefix, scope)}-${hash}`;
  return translateVariableText(textOfNode(node) ?? "default", scope);
}

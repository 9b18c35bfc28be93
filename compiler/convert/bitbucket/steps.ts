/** A step of Bitbucket as a job. */
import type { TreeNode } from "../../tree.ts";
import { addKey } from "../add-key.ts";
import { environmentName, isVariable, slug, plainTitle, type Ids } from "../names.ts";
import { child, entries, isTrue, items, textOfNode, texts } from "../nodes.ts";
import { placeholder } from "../placeholder.ts";
import { present, type Plain, type PlainMap } from "../plain.ts";
import { renameShellVariables, unsetVariables } from "../shell-variables.ts";
import { openSection, type Section, type Trace } from "../trace.ts";
import { minutes, workspacePath } from "../values.ts";

export interface Pipeline {
  name: string;
  node: TreeNode;
  when: PlainMap;
  event: "push" | "tag" | "manual";
  section: Section;
}

export interface BitbucketFile {
  trace: Trace;
  ids: Ids;
  jobs: PlainMap;
  image: TreeNode | undefined;
  timeout: string | null;
  clone: TreeNode | undefined;
  services: TreeNode | undefined;
  caches: TreeNode | undefined;
  /** Collects what scripts read and nothing here sets. */
  unset: Set<string>;
}

interface Place {
  pipeline: Pipeline;
  /** Jobs of the part before. */
  before: readonly string[];
  /** Inputs that scripts read as variables. */
  variables: readonly string[];
  isManualStage: boolean;
}

/** The image that Bitbucket takes where none is named. */
const fallbackImage = "atlassian/default-image:4";

/** The id of the job; null where there is no step. */
export function convertStep(node: TreeNode | undefined, place: Place, file: BitbucketFile): string | null {
  if (node?.kind !== "map") return null;
  const name = textOfNode(child(node, "name"));
  const id = file.ids.of(`${place.pipeline.name} ${name ?? "step"} ${Object.keys(file.jobs).length + 1}`);
  const section = openSection(node, "step", { trace: file.trace, at: ["jobs", id] });
  section.take("name");
  const job: PlainMap = { name: name === null ? null : plainTitle(name), when: whenOf(section, place) };
  job.image = imageOf(section.take("image") ?? file.image, section);
  job.env = Object.fromEntries(
    place.variables
      .filter(isVariable)
      .map((variable) => [variable, `\${{ coalesce(inputs.${variable}, '') }}`]),
  );
  job.services = servicesOf(section, file);
  job.clone = cloneOf(section.take("clone") ?? file.clone);
  job.steps = stepsOf(section, name ?? place.pipeline.name);
  for (const script of ["script", "after-script"]) {
    const text = texts(child(node, script)).join("\n");
    for (const variable of unsetVariables(text, (each) => place.variables.includes(each)))
      file.unset.add(variable);
  }
  job.artifacts = artifactsOf(section);
  addCaches(job, section, file);
  const limit = textOfNode(section.take("max-time"));
  job.timeout = limit === null ? file.timeout : minutes(limit);
  job.needs = place.before
    .map((before) => ({ job: before, ...(hasArtifacts(file, before) ? { artifacts: true } : {}) }))
    .map((need) => (Object.keys(need).length === 1 ? need.job : need));
  const isManual = textOfNode(section.take("trigger")) === "manual" || place.isManualStage;
  finish(job, section);
  const kept = present(job);
  if (isManual) kept.approval = {};
  file.jobs[id] = kept;
  return id;
}

/** Artifacts go to all later steps, so those of earlier ones are passed on along the chain. */
function hasArtifacts(file: BitbucketFile, id: string): boolean {
  return (file.jobs[id] as PlainMap | undefined)?.artifacts !== undefined;
}

function whenOf(section: Section, { pipeline }: Place): PlainMap {
  const changes = child(child(section.take("condition"), "changesets"), "includePaths");
  return present({ ...pipeline.when, paths: texts(changes) });
}

function imageOf(node: TreeNode | undefined, section: Section): Plain {
  const written = textOfNode(node) ?? textOfNode(child(node, "name"));
  if (written === null || written.includes("$")) {
    if (written !== null)
      section.note("image", {
        message: `the image ${written} is chosen by a variable`,
        suggestion: "write the image",
      });
    return fallbackImage;
  }
  const password = /^\$\{?([A-Za-z_]\w*)\}?$/.exec(textOfNode(child(node, "password")) ?? "")?.[1];
  const username = textOfNode(child(node, "username"));
  if (password === undefined || username === null) return written;
  if (!username.includes("$")) return { name: written, auth: { username, password } };
  section.note("image", {
    message: "the user name for the registry must be text here",
    suggestion: "write auth: { username: NAME, password: SECRET } under image",
  });
  return written;
}

function servicesOf(section: Section, file: BitbucketFile): PlainMap {
  const services: PlainMap = {};
  for (const name of texts(section.take("services")).slice(0, 10)) {
    const definition = child(file.services, name);
    const image =
      textOfNode(child(definition, "image")) ?? textOfNode(child(child(definition, "image"), "name"));
    if (name === "docker" || image === null) {
      section.note("services", {
        message: name === "docker" ? "jobs have no Docker" : `the service ${name} has no image`,
        suggestion: name === "docker" ? "build images with kaniko or buildah" : null,
      });
      continue;
    }
    const env = Object.fromEntries(
      entries(child(definition, "variables"))
        .filter(({ key }) => isVariable(key))
        .map(({ key, value }) => [key, (textOfNode(value) ?? "").replaceAll("${{", "$ {{")]),
    );
    services[slug(name)] = present({ image, env });
    section.note("services", {
      message: "steps reach a service by its name, not on localhost",
      suggestion: `use ${slug(name)} as host where localhost or 127.0.0.1 stands now`,
    });
  }
  return services;
}

function cloneOf(node: TreeNode | undefined): Plain {
  if (textOfNode(child(node, "enabled")) === "false") return false;
  const depth = textOfNode(child(node, "depth")) ?? "";
  const clone = present({
    depth: depth === "full" ? 0 : /^[0-9]{1,6}$/.test(depth) ? Number(depth) : null,
    lfs: isTrue(child(node, "lfs")) ? true : null,
  });
  return Object.keys(clone).length > 0 ? clone : null;
}

function stepsOf(section: Section, name: string): Plain {
  const script = scriptOf("script", section);
  const after = scriptOf("after-script", section);
  const steps: Plain[] = script === "" ? [placeholder(`Step ${name}`)] : [script];
  // Its outcome changes nothing there.
  if (after !== "")
    steps.push({ name: "after-script", when: { status: "always" }, allow_failure: true, run: after });
  return steps;
}

function scriptOf(key: string, section: Section): string {
  const commands = items(section.take(key)).flatMap((item) => {
    const pipe = textOfNode(child(item, "pipe"));
    if (pipe === null) return texts(item);
    section.trace.note(item.span, section.at, {
      construct: "step.script.pipe",
      message: `the pipe ${pipe} is not run`,
      suggestion: "write what it does as commands",
    });
    return [`echo "The pipe ${pipe.replace(/[^A-Za-z0-9./:_-]/g, "")} is not converted" >&2; exit 1`];
  });
  const { script, left } = renameShellVariables(commands.join("\n"), "bitbucket");
  for (const variable of left)
    section.note(key, {
      message: `${variable} is a variable of Bitbucket`,
      suggestion: "see docs/pipelines/file.md for the variables of steps",
    });
  return commands.length > 1 ? `${script}\n` : script;
}

function artifactsOf(section: Section): Plain {
  const node = section.take("artifacts");
  const list = node?.kind === "map" ? (child(node, "paths") ?? child(node, "upload")) : node;
  const paths = texts(list).flatMap((path) => {
    const plain = workspacePath(path);
    if (plain === null) section.note("artifacts", { message: `${path} is no path below the workspace` });
    return plain ?? [];
  });
  return paths.length > 0 ? [{ name: "files", paths, expire: "14d" }] : null;
}

/** Caches that Bitbucket knows by name. */
const known: Readonly<Record<string, { path: string; lock: string }>> = {
  node: { path: "node_modules", lock: "package-lock.json" },
  pip: { path: "~/.cache/pip", lock: "requirements.txt" },
  maven: { path: "~/.m2/repository", lock: "pom.xml" },
  gradle: { path: "~/.gradle/caches", lock: "**/*.gradle*" },
  composer: { path: "~/.composer/cache", lock: "composer.lock" },
};

function addCaches(job: PlainMap, section: Section, file: BitbucketFile): void {
  for (const name of texts(section.take("caches"))) {
    const definition = child(file.caches, name);
    const found = Object.hasOwn(known, name) ? known[name] : undefined;
    const path = textOfNode(definition) ?? textOfNode(child(definition, "path")) ?? found?.path;
    const files = texts(child(child(definition, "key"), "files"));
    const lock = files[0] ?? found?.lock;
    if (path === undefined)
      section.note("caches", { message: `the cache ${name} is not defined in this file` });
    else
      addKey(job, "cache", [
        {
          key: lock === undefined ? name : `${name}-\${{ hashFiles('${lock.replaceAll("'", "''")}') }}`,
          paths: [path],
        },
      ]);
  }
}

function finish(job: PlainMap, section: Section): void {
  const deployment = section.take("deployment") ?? section.take("environment");
  if (deployment !== undefined)
    addKey(
      job,
      "environment",
      environmentName(textOfNode(deployment) ?? textOfNode(child(deployment, "name")) ?? ""),
    );
  section.finish({
    size: ["a step's size is not carried over", "write resources: { memory: … }"],
    oidc: ["identity tokens name the service that they are for", "write id_token: { VARIABLE: AUDIENCE }"],
    "runs-on": [
      "a runner with these labels is not asked for, since it may not exist",
      "name labels of your runners under runner",
    ],
    "fail-fast": ["jobs beside a failed one run to their end"],
    runtime: [""],
    output_variables: [
      "variables for later steps are outputs",
      'write them to "$CI_OUTPUT" and name them under outputs',
    ],
    "output-variables": [
      "variables for later steps are outputs",
      'write them to "$CI_OUTPUT" and name them under outputs',
    ],
    state: ["", ""],
  });
}

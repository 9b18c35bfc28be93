/** Actions of the marketplace that ours have a key for, or that need none. */
import { toolImages } from "../images.ts";
import { addKey } from "../add-key.ts";
import { attempt } from "../cannot.ts";
import { isTrue, textOfNode } from "../nodes.ts";
import { present, textOf, type Plain, type PlainMap } from "../plain.ts";
import type { Section } from "../trace.ts";
import { imageVersion } from "../values.ts";
import { download, upload } from "./artifacts.ts";
import type { Action, JobWork } from "./job-work.ts";
import { convertReport, reportActions } from "./reports.ts";
import { lines, translateTemplate } from "./texts.ts";

/** A step that takes the action's place, or null. */
type Convert = (action: Action) => PlainMap | null;

const others: Readonly<Record<string, Convert>> = {
  "actions/checkout": checkOut,
  "actions/cache": (action) => cache(action),
  "actions/cache/restore": (action) => cache(action, "pull"),
  "actions/cache/save": (action) => cache(action, "push"),
  "actions/upload-artifact": upload,
  "actions/download-artifact": download,
  "pnpm/action-setup": ({ given }) => {
    const version = textOfNode(given.take("version"));
    given.finish({ run_install: ["write the installation as a step of its own"], standalone: [""] });
    return {
      name: "Install pnpm",
      run: `npm install --global pnpm${version ? `@${imageVersion(version)}` : ""}`,
    };
  },
};

/** Why others have none, and what to do. */
const advice: Readonly<Record<string, string>> = {
  "docker/login-action":
    "to run a job in an image of that registry, write image: { name: IMAGE, auth: { username: NAME, password: SECRET } } (docs/pipelines/secrets.md); to push one, give its builder the password with secrets",
  "docker/build-push-action": "build with docker buildx build, or with kaniko or buildah as the step's image",
  "docker/setup-buildx-action": "use an image that has buildx, or build with kaniko or buildah",
  "docker/setup-qemu-action": "run the job on a runner of that architecture: runner: [arch=arm64]",
  "docker/metadata-action": "make the tag in a step from CI_COMMIT_SHA, CI_BRANCH and CI_TAG",
  "actions/github-script": "call the REST API in a step, with forgeline or curl",
  "softprops/action-gh-release": "keep the files with artifacts",
  "actions/create-release": "keep the files with artifacts",
  "actions/configure-pages": "publish the files in a step",
  "actions/deploy-pages": "publish the files in a step",
  "peaceiris/actions-gh-pages": "push the branch in a step",
  "golangci/golangci-lint-action": "run golangci-lint in a step with image: golangci/golangci-lint",
  "aws-actions/configure-aws-credentials":
    "write id_token: { AWS_TOKEN: sts.amazonaws.com } into the job and let AWS trust this server (docs/pipelines/id-tokens.md), or pass keys to the steps with secrets",
  "google-github-actions/auth":
    "write id_token: { GOOGLE_TOKEN: AUDIENCE } into the job, with the audience of the workload identity provider, and let Google trust this server (docs/pipelines/id-tokens.md), or pass a key to the steps with secrets",
  "azure/login":
    "write id_token: { AZURE_TOKEN: api://AzureADTokenExchange } into the job and let Azure trust this server (docs/pipelines/id-tokens.md), or pass a password to the steps with secrets",
  "hashicorp/vault-action":
    "write id_token: { VAULT_TOKEN: AUDIENCE } into the job and log in to Vault with it (docs/pipelines/id-tokens.md)",
};

/** A step in its place, or null where there is none; what is not carried over is noted. */
export function convertAction(action: Action): PlainMap | null {
  const { name, step } = action;
  const convert = converterOf(name);
  if (convert) {
    const made = convert(action);
    if (made === null && hasTest(action.when))
      step.note("if", {
        message: "what this action became is a key of the job, which has no condition of its own",
        suggestion: "write a job of its own for that case where it matters",
      });
    return made;
  }
  const what = name.startsWith("./")
    ? "actions of this repository are not run"
    : name.startsWith("docker://")
      ? "an image as an action is not run"
      : `the action ${name} is not run`;
  const suggestion = Object.hasOwn(advice, name)
    ? advice[name]
    : name.startsWith("docker://")
      ? `write a step with image: ${name.slice(9)} and its commands`
      : "write what it does as a step";
  step.note("uses", { message: what, suggestion: suggestion ?? null });
  return null;
}

function converterOf(name: string): Convert | undefined {
  if (Object.hasOwn(others, name)) return others[name];
  if (Object.hasOwn(toolImages, name)) return chooseImage;
  return Object.hasOwn(reportActions, name) ? convertReport : undefined;
}

/** Whether it asks for more than how earlier steps went. */
function hasTest(when: Plain): boolean {
  if (Array.isArray(when)) return when.some(hasTest);
  return when !== null && (typeof when !== "object" || when.if !== undefined);
}

function checkOut({ given, work }: Action): null {
  const depth = textOfNode(given.take("fetch-depth"));
  const submodules = textOfNode(given.take("submodules"));
  const clone = present({
    depth: depth !== null && /^[0-9]+$/.test(depth) ? Number(depth) : null,
    tags: isTrue(given.take("fetch-tags")) ? true : null,
    lfs: isTrue(given.take("lfs")) ? true : null,
    submodules: submodules === "recursive" ? "recursive" : submodules === "true" ? true : null,
  });
  work.clone = { ...work.clone, ...clone };
  given.finish({
    ref: [
      "a job checks out the commit of its run",
      "fetch another one in a step: git fetch origin REF && git checkout FETCH_HEAD",
    ],
    repository: ["a job checks out its own repository", "clone the other one in a step"],
    path: ["the repository lies in /workspace itself", "move it in a step"],
    token: [
      "the job's own token reads the repository",
      "pass a token of another repository to a step with secrets",
    ],
    "ssh-key": ["the job's own token reads the repository"],
    "sparse-checkout": [
      "all files are checked out",
      "use clone: { filter: blob:none } for large repositories",
    ],
    filter: ["", ""],
    "persist-credentials": [""],
    "show-progress": [""],
    clean: [""],
  });
  return null;
}

function chooseImage({ name, ref, given, step, work }: Action): null {
  const tool = toolImages[name] as (typeof toolImages)[string];
  const version = given.take(tool.version);
  const written =
    textOfNode(version) ?? (name === "dtolnay/rust-toolchain" && /^[0-9.]+$/.test(ref) ? ref : null);
  const translated = attempt(() => translateTemplate(written ?? tool.fallback, work.known));
  const matrix = /^\s*\$\{\{\s*matrix\.([A-Za-z0-9_-]+)\s*\}\}\s*$/.exec(written ?? "")?.[1];
  if (matrix !== undefined) work.versions.add(matrix);
  if ("problem" in translated)
    step.note("uses", {
      message: `the version of ${name}: ${translated.problem.message}`,
      suggestion: "write it into image",
    });
  const chosen = "value" in translated ? imageVersion(translated.value) : "";
  const image = tool.image.replace("*", /^(?:stable|)$/.test(chosen) ? tool.fallback : chosen);
  if (written === null && given.node.entries.has(`${tool.version}-file`))
    given.note(`${tool.version}-file`, {
      message: "the image needs a version",
      suggestion: `write it into image: ${image}`,
    });
  if (work.hasContainer)
    step.note("uses", {
      message: "the job's container has to have the tool already",
      suggestion: `use an image that has it, such as ${image}`,
    });
  else if (work.image !== null && work.image !== image)
    step.note("uses", {
      message: `a job has one image, and it is ${work.image}`,
      suggestion: `use an image with both tools, or give the steps that need it image: ${image}`,
    });
  work.image ??= image;
  const cached = textOfNode(given.take("cache"));
  if (cached !== null && cached !== "false") addToolCache(cached, given, work);
  given.finish(setUpAdvice);
  return null;
}

const setUpAdvice = {
  distribution: ["", ""],
  architecture: [""],
  "check-latest": [""],
  "cache-dependency-path": [""],
  "node-version-file": ["the image needs a version"],
  "go-version-file": ["the image needs a version"],
  "python-version-file": ["the image needs a version"],
  "registry-url": ["the registry is not configured", "write .npmrc in a step"],
  scope: ["the registry is not configured", "write .npmrc in a step"],
  components: ["components of the tool are not installed", "install them in a step: rustup component add"],
  targets: ["targets of the tool are not installed", "install them in a step: rustup target add"],
  token: [""],
} as const;

const toolCaches: Readonly<Record<string, { lock: string; path: string }>> = {
  npm: { lock: "package-lock.json", path: "~/.npm" },
  yarn: { lock: "yarn.lock", path: "~/.cache/yarn" },
  pnpm: { lock: "pnpm-lock.yaml", path: "~/.local/share/pnpm/store" },
  pip: { lock: "requirements.txt", path: "~/.cache/pip" },
  true: { lock: "go.sum", path: "~/go/pkg/mod" },
  maven: { lock: "pom.xml", path: "~/.m2/repository" },
  gradle: { lock: "**/*.gradle*", path: "~/.gradle/caches" },
};

function addToolCache(tool: string, given: Section, work: JobWork): void {
  const found = Object.hasOwn(toolCaches, tool) ? toolCaches[tool] : undefined;
  if (!found) return given.note("cache", { message: `the cache of ${tool} is not known` });
  const written = lines(textOfNode(given.take("cache-dependency-path")));
  const isPlain = written.every((path) => /^[\w@*./-]+$/.test(path));
  if (!isPlain)
    given.note("cache-dependency-path", {
      message: `the cache has the key of ${found.lock}`,
      suggestion: "write the files into hashFiles() of its key",
    });
  const locks = isPlain && written.length > 0 ? written : [found.lock];
  const files = locks.map((path) => `'${path.replace(/^\.\//, "")}'`).join(", ");
  const value = [
    { key: `${tool === "true" ? "go" : tool}-\${{ hashFiles(${files}) }}`, paths: [found.path] },
  ];
  addKey(work.job, "cache", value);
}

function cache({ given, step, work }: Action, policy: "pull" | "push" | null = null): null {
  const key = textOfNode(given.take("key")) ?? "cache";
  const restore = textOfNode(given.take("restore-keys"));
  const paths = lines(textOfNode(given.take("path")));
  const translated = attempt(() => ({
    key: translateTemplate(key, work.known),
    restore: lines(restore).map((each) => translateTemplate(each, work.known)),
  }));
  given.finish({
    "lookup-only": ["a cache is always fetched"],
    "fail-on-cache-miss": ["a missing cache fails nothing"],
  });
  if ("problem" in translated) step.note("uses", { message: `its key: ${translated.problem.message}` });
  else addCache(work.job, present({ ...translated.value, paths, policy }));
  return null;
}

/** One that is restored by one step and saved by another is one of ours. */
function addCache(job: PlainMap, added: PlainMap): void {
  const before = (job.cache ?? []) as PlainMap[];
  const isSame = (each: PlainMap) =>
    each.key === added.key && textOf(each.paths) === textOf(added.paths) && each.policy !== added.policy;
  const other = before.find(isSame);
  if (!other) return addKey(job, "cache", [added]);
  const { policy: _, ...whole } = { ...added, ...other };
  job.cache = before.map((each) => (each === other ? whole : each));
}

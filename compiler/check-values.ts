/** Values that the schemas cannot judge: variables of the server, durations, probes, event names, missing images. */
import { valueHint } from "./other-words.ts";
import { pipelineEventNames } from "@forgeline/schemas/pipeline-file/event.ts";
import { checkApprovals } from "./check-approvals.ts";
import { checkEnvironments } from "./check-environments.ts";
import { checkLength } from "./check-limits.ts";
import { checkContainers } from "./check-containers.ts";
import { checkProgram } from "./check-program.ts";
import { checkIdTokens, checkSecretList } from "./check-secrets.ts";
import { durationMs, sizeBytes } from "./duration.ts";
import { checkSchedules } from "./check-schedules.ts";
import type { FileModel } from "./file-model.ts";
import { limits } from "./limits.ts";
import {
  isEnv,
  isIdToken,
  isProbe,
  isRunner,
  isScript,
  isSecrets,
  isTriggerInputs,
  isWith,
  objectKind,
} from "./path-kinds.ts";
import type { Report } from "./report.ts";
import { isProcessJob } from "./process-jobs.ts";
import { labelProblems } from "./runner-labels.ts";
import type { ValidFile } from "./structure.ts";
import { quote, suggestion } from "./suggest.ts";
import { hasExpression } from "./template.ts";
import type { Path } from "./path.ts";
import { spanOfKey, spanOfValue, type MapNode, type ScalarNode, type TreeNode } from "./tree.ts";

export function checkValues(sound: ValidFile, model: FileModel, report: Report): void {
  const { tree } = sound;
  visit(tree, [], { tree, report });
  checkImages(sound, model, report);
  checkSchedules(tree, report);
  checkApprovals(model, tree, report);
  checkEnvironments(model, tree, report);
}

interface Walk {
  tree: MapNode;
  report: Report;
}

function visit(node: TreeNode, path: Path, walk: Walk): void {
  const key = String(path.at(-1) ?? "");
  if (node.kind === "scalar") {
    checkText(node, { key, path }, walk);
    checkDuration(node, { key, path }, walk);
    if (isScript(path)) checkProgram(node, path, walk);
    if (key === "workdir" && objectKind(path.slice(0, -1)) === "step") checkWorkdir(node, path, walk);
    return;
  }
  if (isRunner(path)) checkLabels(node, path, walk);
  if (isSecrets(path)) return checkSecretList(node, path, walk);
  if (isIdToken(path)) return checkIdTokens(node, path, walk);
  // What may stand there is what the template takes, whatever its inputs are called.
  if (isWith(path) || isTriggerInputs(path)) return checkGiven(node, path, walk);
  if (node.kind === "map") checkContainers(node, path, walk);
  if (node.kind === "seq") {
    node.items.forEach((item, i) => visit(item, [...path, i], walk));
    return;
  }
  if (isEnv(path)) return checkEnv(node, path, walk);
  if (isProbe(path)) checkProbe(node, path, walk);
  const isClause = key === "when" || path.at(-2) === "when";
  const event = isClause ? node.entries.get("event") : undefined;
  if (event) checkEvents(event.value, [...path, "event"], walk);
  if (key === "outputs" && path.length === 3) return;
  for (const entry of node.entries.values()) visit(entry.value, [...path, entry.key], walk);
}

const durationKeys = new Set(["timeout", "idle_timeout", "queue_timeout", "interval"]);
const sizeKeys = new Set(["memory", "shm", "disk"]);

function checkDuration(
  node: ScalarNode,
  { key, path }: { key: string; path: Path },
  { tree, report }: Walk,
): void {
  if (sizeKeys.has(key) && path.at(-2) === "resources") {
    const bytes = sizeBytes(node.text);
    if (bytes < 1 || bytes > Number.MAX_SAFE_INTEGER) {
      report.add("P103", spanOfValue(tree, path), {
        message: `${quote(key)} must be a size above 0 that a machine can provide`,
      });
    }
  }
  const isWait = key === "delay" || key === "max_delay";
  if (!durationKeys.has(key) && !isWait) return;
  const span = spanOfValue(tree, path);
  const length = durationMs(node.text);
  if (length === 0 && !isWait) report.add("P103", span, { message: `${quote(key)} must be longer than 0` });
  if (key === "queue_timeout" && length > limits.queueMs)
    report.add("P307", span, { message: `${quote(key)} can be at most ${limits.queueMs / 86_400_000} days` });
  if (key !== "queue_timeout") checkLength({ key, path, length }, { tree, report });
}

/** No environment, file name or database holds these; YAML can write them as "\0" and "\ud800". */
function checkText(
  node: ScalarNode,
  { key, path }: { key: string; path: Path },
  { tree, report }: Walk,
): void {
  if (node.text.includes("\0") || !node.text.isWellFormed())
    report.add("P103", spanOfValue(tree, path), {
      message: `${quote(key)} must not contain NUL or unpaired surrogates`,
    });
}

/** Also refused by the engine; here its author is told where. */
function checkWorkdir(node: ScalarNode, path: Path, { tree, report }: Walk): void {
  let depth = 0;
  let leaves = node.text.startsWith("/");
  for (const part of node.text.split("/")) {
    if (part === "..") depth -= 1;
    else if (part !== "" && part !== ".") depth += 1;
    leaves ||= depth < 0;
  }
  if (!leaves) return;
  const hint = "write it relative to the workspace, as `workdir: packages/app`";
  report.add("P103", spanOfValue(tree, path), {
    message: '"workdir" must be a directory below the workspace',
    hint,
  });
}

function checkEnv(node: TreeNode & { kind: "map" }, path: Path, { report, tree }: Walk): void {
  let bytes = 0;
  for (const entry of node.entries.values()) {
    if (entry.key.startsWith("CI_")) {
      const hint = "choose another name; variables starting with CI_ describe the run";
      report.add("P112", entry.keySpan, {
        message: `${quote(entry.key)} is set by the server and cannot be changed`,
        hint,
      });
    }
    if (entry.value.kind === "scalar")
      checkText(entry.value, { key: entry.key, path: [...path, entry.key] }, { tree, report });
    bytes += entry.key.length + (entry.value.kind === "scalar" ? entry.value.text.length : 0) + 2;
  }
  if (bytes <= limits.envBytes) return;
  report.add("P306", spanOfKey(tree, path), {
    message: `the environment is ${bytes} bytes; at most ${limits.envBytes} are allowed`,
  });
}

function checkGiven(node: TreeNode, path: Path, { tree, report }: Walk): void {
  if (node.kind !== "map") return;
  for (const { key, value } of node.entries.values())
    if (value.kind === "scalar") checkText(value, { key, path: [...path, key] }, { tree, report });
}

function checkLabels(node: Exclude<TreeNode, ScalarNode>, path: Path, { report, tree }: Walk): void {
  // What an expression gives is judged when it is known.
  const textOf = (value: TreeNode) =>
    value.kind === "scalar" && !hasExpression(value.text) ? value.text : "";
  const labels =
    node.kind === "seq"
      ? node.items.map(textOf)
      : [...node.entries.values()].map(({ key, value }) => `${key}=${textOf(value)}`);
  const keys = node.kind === "seq" ? [...node.items.keys()] : [...node.entries.keys()];
  for (const { code, message, hint, index } of labelProblems(labels)) {
    const part = index === null ? undefined : keys[index];
    const span = part === undefined ? spanOfKey(tree, path) : spanOfValue(tree, [...path, part]);
    report.add(code, span, { message, hint });
  }
}

function checkProbe(node: TreeNode & { kind: "map" }, path: Path, { report, tree }: Walk): void {
  const probes = ["tcp", "http", "exec"].filter((key) => node.entries.has(key));
  if (probes.length === 1) return;
  const message =
    probes.length === 0
      ? '"ready" needs one of tcp, http, exec'
      : `${probes.join(" and ")} are mutually exclusive`;
  report.add(probes.length === 0 ? "P108" : "P113", spanOfKey(tree, path), {
    message,
    hint: "use one probe, or `ready: false`",
  });
}

function checkEvents(node: TreeNode, path: Path, { report, tree }: Walk): void {
  if (node.kind === "seq")
    return node.items.forEach((item, i) => checkEvents(item, [...path, i], { report, tree }));
  if (node.kind !== "scalar") return;
  const name = node.text.replace(/^!/, "");
  if (/[*?]/.test(name) || (pipelineEventNames as readonly string[]).includes(name)) return;
  const span = spanOfValue(tree, path);
  report.add("P103", span, {
    message: `unknown event ${quote(name)}`,
    hint: valueHint("event", name) ?? suggestion(name, pipelineEventNames, "Events"),
  });
}

function checkImages({ file, tree }: ValidFile, model: FileModel, report: Report): void {
  const defaults = tree.entries.get("defaults")?.value;
  if (defaults?.kind === "map" && defaults.entries.has("image")) return;
  for (const job of model.jobs) {
    if (job.job.image !== undefined || job.job.trigger !== undefined) continue;
    if (isProcessJob(job, model, file.defaults)) continue;
    const who = model.form === "tiny" ? "the file" : `job "${job.key}"`;
    const hint = model.form === "tiny" ? "add `image: …`" : "add `image: …` to the job or to `defaults`";
    report.add("P108", spanOfKey(tree, job.path), { message: `${who} is missing the key "image"`, hint });
  }
}

/** The steps of a job. */
import { attempt } from "../cannot.ts";
import { systemOf } from "../images.ts";
import { title } from "../names.ts";
import { isTrue, items, textOfNode } from "../nodes.ts";
import { present, type Plain, type PlainMap } from "../plain.ts";
import { openSection, type Section } from "../trace.ts";
import type { TreeNode } from "../../tree.ts";
import { minutes } from "../values.ts";
import { convertAction } from "./actions.ts";
import { whenOf } from "./conditions.ts";
import { convertEnv, writtenEnv } from "./env.ts";
import type { JobWork } from "./job-work.ts";
import type { Known } from "./known.ts";
import { renameVariables } from "./script-variables.ts";
import { noteScript } from "./script-notes.ts";
import { labelsOf } from "./services.ts";
import { translateScript, translateTemplate } from "./texts.ts";

export function convertSteps(node: TreeNode | undefined, work: JobWork): void {
  for (const item of items(node).slice(0, 100)) {
    const at = ["jobs", work.section.at[1] ?? "", "steps", work.steps.length];
    const section = openSection(item, "jobs.*.steps.*", { trace: work.file.trace, at });
    const step = convertStep(section, work);
    if (step) work.steps.push(shortest(step));
    section.finish({
      with: [""],
      env: [""],
      shell: [""],
      "working-directory": [""],
      "timeout-minutes": [""],
      "continue-on-error": [""],
      name: [""],
      id: [""],
    });
  }
}

/** A step that is a command and nothing else is written as its text. */
function shortest(step: PlainMap): Plain {
  return Object.keys(step).length === 1 && typeof step.run === "string" ? step.run : step;
}

function convertStep(section: Section, work: JobWork): PlainMap | null {
  const envNode = section.node.entries.get("env")?.value;
  const known = { ...work.known, env: new Map([...work.known.env, ...writtenEnv(envNode)]) };
  const when = conditionOf(section, known);
  const uses = textOfNode(section.take("uses"));
  const run = section.take("run");
  const step =
    uses === null ? runStep(section, { run, known, work }) : usesStep(uses, section, { when, work });
  if (step === null) return null;
  const name = textOfNode(section.take("name"));
  const id = textOfNode(section.take("id"));
  const shown = name === null ? null : attempt(() => title(translateTemplate(name, known)));
  if (shown && "problem" in shown) section.note("name", { message: shown.problem.message });
  const limit = textOfNode(section.take("timeout-minutes"));
  const continues = section.take("continue-on-error");
  if (continues && textOfNode(continues)?.includes("${{"))
    section.note("continue-on-error", { message: "whether a step may fail cannot depend on an expression" });
  if (id !== null && uses === null) work.known.steps.set(id, work.stepIds.of(id));
  return present({
    id: id === null || uses !== null ? null : work.stepIds.of(id),
    name: shown && "value" in shown ? shown.value : null,
    when,
    timeout: limit === null ? null : minutes(limit),
    allow_failure: isTrue(continues) ? true : null,
    ...step,
  });
}

const cacheHit = /\bsteps\.[A-Za-z0-9_-]+\.outputs\.cache-hit\b/;

/** A condition that cannot be judged keeps the step from running: to run what should not is worse. */
export function conditionOf(section: Section, known: Known): Plain {
  const written = textOfNode(section.take("if"));
  if (written === null || written === "") return null;
  const when = attempt(() => whenOf(written, known));
  if (cacheHit.test(written))
    section.note("if", {
      message: "a job is not told whether a cache was found, so this is judged as if none was",
      suggestion: "look for the files in the step",
    });
  if ("value" in when) {
    return when.value;
  }
  section.note("if", {
    message: `${when.problem.message}, so this never runs`,
    suggestion: when.problem.suggestion ?? "write the condition under when",
  });
  return "false";
}

function usesStep(
  uses: string,
  section: Section,
  { when, work }: { when: Plain; work: JobWork },
): PlainMap | null {
  const [name = "", ref = ""] = uses.startsWith("docker://") ? [uses] : uses.split("@");
  const given = openSection(section.take("with"), "jobs.*.steps.*.with", {
    trace: work.file.trace,
    at: section.at,
  });
  return convertAction({ name: name.replace(/\/$/, ""), ref, given, when, step: section, work });
}

interface RunContext {
  run: TreeNode | undefined;
  known: Known;
  work: JobWork;
}

function runStep(section: Section, { run, known, work }: RunContext): PlainMap | null {
  const text = textOfNode(run);
  if (text === null || text.trim() === "") return null;
  const { shell, program } = shellOf(section, work);
  const own = convertEnv(section.take("env"), known, section);
  const script = translateScript(text, known, shell);
  const machine = systemOf(labelsOf(work.section.node.entries.get("runs-on")?.value)[0] ?? "");
  const renamed = renameVariables(script.run, {
    shell: program ?? shell,
    isLinux: machine !== "macos" && machine !== "windows",
  });
  noteScript(section, { script, renamed, toolsSeen: work.file.toolsSeen });
  const secrets = [...script.secrets].filter((name) => !own.secrets.includes(name));
  const workdir = workdirOf(section, known, work);
  return present({
    env: { ...own.env, ...Object.fromEntries(script.env) },
    secrets: [...own.secrets, ...secrets],
    shell: shell === "bash" ? null : shell,
    workdir,
    run: program === null ? renamed.script : `#!/usr/bin/env ${program}\n${renamed.script}`,
  });
}

/** Bash is what ours use where the image has it; other programs are named in the first line of the script. */
function shellOf(section: Section, work: JobWork): { shell: string; program: string | null } {
  const written = textOfNode(section.take("shell")) ?? work.defaults.shell;
  const [name = ""] = (written ?? "bash").split(" ");
  const shell = name === "powershell" ? "pwsh" : name;
  if (["bash", "sh", "pwsh"].includes(shell)) return { shell, program: null };
  if (name !== "cmd" && /^[a-z][a-z0-9.+-]*$/.test(name))
    return { shell: "none", program: name === "python" ? "python3" : name };
  section.note("shell", {
    message: `the shell ${name} is not carried over`,
    suggestion: "use shell: none and begin the script with #! and the program",
  });
  return { shell: "bash", program: null };
}

function workdirOf(section: Section, known: Known, work: JobWork): string | null {
  const written = textOfNode(section.take("working-directory")) ?? work.defaults.workdir;
  if (written === null || written === "." || written === "./") return null;
  const translated = attempt(() => translateTemplate(written, known));
  if ("value" in translated && !translated.value.includes("${{") && !/^[/~]|\.\./.test(translated.value))
    return translated.value.replace(/^\.\//, "");
  section.note("working-directory", {
    message: `${written} is not known to be below the workspace`,
    suggestion: "begin the script with cd",
  });
  return null;
}

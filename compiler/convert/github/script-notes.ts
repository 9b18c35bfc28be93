/** What to say of a script: what it reads, prints or calls that is GitHub's. */
import type { Section } from "../trace.ts";
import { variableAdvice } from "./script-variables.ts";
import type { Script } from "./texts.ts";

/** <https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions> */
const workflowCommand =
  /::(notice|warning|error|debug|group|endgroup|add-mask|stop-commands|set-output|save-state|add-path)\b[^:\n]*::/g;

interface ConvertedScript {
  script: Script;
  renamed: { script: string; left: string[] };
  /** Programs that were told of in this file. */
  toolsSeen: Set<string>;
}

export function noteScript(section: Section, { script, renamed, toolsSeen }: ConvertedScript): void {
  for (const problem of script.problems)
    section.note("run", {
      message: problem.message,
      suggestion: problem.suggestion ?? "set the variable that stands there now",
    });
  if (script.usesToken)
    section.note("run", {
      message: "the job's token is CI_JOB_TOKEN, which speaks to this server and not to GitHub",
    });
  for (const name of renamed.left)
    section.note("run", { message: `${name} is a variable of GitHub`, suggestion: variableAdvice(name) });
  noteCommands(renamed.script, section);
  if (/(^|[\s;&|(])sudo\s/.test(renamed.script))
    section.note("run", {
      message: "steps run as the image's user, mostly root, and most images have no sudo",
      suggestion: "remove sudo",
    });
  for (const [tool, text] of Object.entries(tools))
    if (!toolsSeen.has(tool) && new RegExp(`(?:^|[\\s;&|(])${tool}\\s+[a-z-]`, "m").test(renamed.script)) {
      toolsSeen.add(tool);
      section.note("run", text);
    }
}

/** Programs that GitHub's machines have, and images mostly do not. Told of once in a file. */
const tools: Readonly<Record<string, { message: string; suggestion: string }>> = {
  gh: {
    message:
      "gh is the command line of GitHub, which images mostly do not have, and it knows no other server",
    suggestion: "use forgeline or curl with CI_API_URL and CI_JOB_TOKEN for what is on this server",
  },
  docker: {
    message: "steps that call docker need an image that has it, and a Docker that they can reach",
    suggestion:
      "build images with kaniko or buildah as the step's image, and write services in place of docker run",
  },
};

/** What lines that begin with `::` do there. */
function noteCommands(script: string, section: Section): void {
  const found = new Set([...script.matchAll(workflowCommand)].map(([, name = ""]) => name));
  if (found.has("add-mask"))
    section.note("run", {
      message: "::add-mask:: hides nothing here: only secrets and tokens of the job are masked in logs",
      suggestion: "keep the value out of the log, or make it a secret",
    });
  if (found.has("group") || found.has("endgroup"))
    section.note("run", {
      message: "::group:: folds nothing here: each step has a log of its own that can be folded",
      suggestion: "write several steps",
    });
  if ([...found].some((name) => !["add-mask", "group", "endgroup"].includes(name)))
    section.note("run", {
      message: "lines that begin with :: are only lines of the log here",
      suggestion: "write annotations to $CI_ANNOTATIONS, and outputs to $CI_OUTPUT",
    });
}

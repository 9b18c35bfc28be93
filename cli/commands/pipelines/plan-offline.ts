/** Plans a file of this machine as the server would, with what Git knows of the checkout in which it lies. */
import { execFile } from "node:child_process";
import { userInfo } from "node:os";
import { basename, dirname, resolve } from "node:path";
import { promisify } from "node:util";
import { makeLocalEvent, type LocalEvent, type LocalFacts } from "@forgeline/compiler/local-event.ts";
import { planFile } from "@forgeline/compiler/plan-file.ts";
import { eventToPlan } from "@forgeline/compiler/triggers.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { parseRepository } from "../../connection/repository.ts";
import { UsageError } from "../../connection/settings.ts";
import type { GlobalFlags } from "../../context.ts";
import { compileCheckout } from "../../checkout/compile-checkout.ts";
import type { PlanFlags } from "./plan.ts";

/** Throws `UsageError`. */
export async function planOffline(
  flags: PlanFlags & { file: string; text: string },
  global: GlobalFlags,
): Promise<Schemas["PlanResult"]> {
  const { file, text } = flags;
  const of = { file, text, event: await eventOf(flags, global) };
  const { templates, compiled } = await compileCheckout(of);
  const isChosen = flags.event !== undefined || flags.path !== undefined;
  const name = isChosen ? of.event.name : eventToPlan(compiled.on, of.event.tag);
  const event = { ...of.event, name };
  const { result, errors } = planFile({ ...of, event, inputs: flags.input, templates });
  if (errors.length > 0) throw new UsageError(errors.map(({ message }) => message).join("\n"));
  // Its optional parts are never there without a value, which their types do not say.
  return result as Schemas["PlanResult"];
}

async function eventOf(flags: PlanFlags & { file: string }, global: GlobalFlags): Promise<LocalEvent> {
  const folder = dirname(resolve(flags.file));
  const git = (...args: string[]) => gitIn(folder, args);
  const [branch, origin, sha, message, author] = await Promise.all([
    git("branch", "--show-current"),
    git("symbolic-ref", "--short", "refs/remotes/origin/HEAD"),
    git("rev-parse", "HEAD"),
    git("log", "-1", "--format=%B"),
    git("log", "-1", "--format=%an <%ae>"),
  ]);
  const defaultBranch = origin?.replace(/^origin\//, "") ?? "main";
  const facts: LocalFacts = {
    name: flags.event ?? "push",
    branch: flags.branch ?? branch ?? defaultBranch,
    tag: flags.tag,
    commit: { sha: sha ?? "0".repeat(40), message: message ?? "", author: author ?? "" },
    actor: flags.actor ?? userInfo().username,
    changedPaths: flags.path,
    repository: { ...repositoryOf(global, folder), defaultBranch },
    variables: flags.variable,
  };
  const made = makeLocalEvent(facts);
  if ("problem" in made) throw new UsageError(made.problem);
  return made.event;
}

/** Its name matters to expressions alone. */
function repositoryOf(global: GlobalFlags, folder: string): { owner: string; name: string } {
  const named = global.repo?.at(-1);
  if (named === undefined) return { owner: "local", name: basename(folder) };
  const { owner, repo } = parseRepository(named);
  return { owner, name: repo };
}

/** Undefined where it says nothing, as outside of a checkout. */
async function gitIn(folder: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)("git", ["-C", folder, ...args]);
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

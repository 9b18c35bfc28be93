/** `forgeline runner add`: a one-time registration token, and the line to paste on the other machine. */
import { Command, Option } from "commander";
import { ApiError, valueOf } from "../../connection/api.ts";
import { parseRepository } from "../../connection/repository.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { installLine } from "./install-line.ts";
import { groupId } from "./runner-groups.ts";

interface AddOptions {
  /** True: the one that -R or the checkout names. */
  forRepo?: string | true;
  org?: string;
  group?: string;
}

export function addCommand(): Command {
  return new Command("add")
    .description(
      "Create a registration token and print the command that installs a runner on another machine",
    )
    .addOption(
      new Option(
        "--for-repo [repository]",
        "for OWNER/NAME, or this repository, instead of the whole instance",
      ).conflicts("org"),
    )
    .option("--org <organization>", "for the repositories of this organization only")
    .addOption(
      new Option("--group <group>", "into this group of runners, by name or id").conflicts("forRepo"),
    )
    .action(async (flags: AddOptions, command: Command) => {
      const context = await contextOf(command);
      const created = await createToken(context, flags);
      const { url } = context.connection;
      const line = await installLine(context.connection, created.token);
      context.print(created, () =>
        [
          "On the other machine (Node 18 or newer, Git, Docker), within the hour:",
          "",
          `  ${line}`,
          "",
          "Behind it you may put --name NAME, --labels a=b,c, --capacity JOBS and --one-job.",
          `It must reach this server as ${url}; if it knows it by another name, put that name into the line (and into FORGELINE_PUBLIC_URL).`,
        ].join("\n"),
      );
    });
}

async function createToken(context: CliContext, { forRepo, org, group }: AddOptions) {
  const { api } = context;
  const body = group === undefined ? {} : { group: await groupId(context, group, { ...(org && { org }) }) };
  if (org !== undefined)
    return valueOf(api.POST("/orgs/{org}/runners/registration-tokens", { params: { path: { org } }, body }));
  if (!forRepo) return forInstance(context, body);
  const path = forRepo === true ? await context.repository() : parseRepository(forRepo);
  return valueOf(
    api.POST("/repos/{owner}/{repo}/runners/registration-tokens", { params: { path }, body: {} }),
  );
}

async function forInstance({ api }: CliContext, body: { group?: string }) {
  try {
    return await valueOf(api.POST("/runners/registration-tokens", { body }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error;
    const advice = "--org makes a runner for an organization of yours, --for-repo one for a repository.";
    throw new ApiError(403, { message: `${error.message} ${advice}` });
  }
}

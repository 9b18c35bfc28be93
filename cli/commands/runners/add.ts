/** `forgeline runner add`: a one-time registration token, and the line to paste on the other machine. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Command } from "commander";
import { ApiError, valueOf } from "../../connection/api.ts";
import { contextOf, type CliContext } from "../../context.ts";

export function addCommand(): Command {
  return new Command("add")
    .description(
      "Create a registration token and print the command that installs a runner on another machine",
    )
    .option("--for-repo", "for this repository only, instead of the whole instance")
    .action(async (flags: { forRepo?: boolean }, command: Command) => {
      const context = await contextOf(command);
      const created = flags.forRepo
        ? await valueOf(
            context.api.POST("/repos/{owner}/{repo}/runners/registration-tokens", {
              params: { path: await context.repository() },
              body: {},
            }),
          )
        : await forInstance(context);
      const { caFile, url } = context.connection;
      const sum = caFile
        ? createHash("sha256")
            .update(await readFile(caFile))
            .digest("hex")
        : undefined;
      context.print(created, () =>
        [
          "On the other machine (Node 18 or newer, Git, Docker), within the hour:",
          "",
          sum
            ? `  curl -fsSk ${url}/downloads/install-runner.sh | FORGELINE_URL=${url} sh -s -- ${sum} ${created.token}`
            : `  FORGELINE_RUNNER_TOKEN=${created.token} forgeline-runner register --url ${url}`,
          "",
          "Behind it you may put --name NAME, --labels a=b,c and --capacity JOBS.",
          `It must reach this server as ${url}; if it knows it by another name, put that name into the line (and into FORGELINE_PUBLIC_URL).`,
        ].join("\n"),
      );
    });
}

async function forInstance({ api }: CliContext) {
  try {
    return await valueOf(api.POST("/runners/registration-tokens", { body: {} }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error;
    const advice =
      "Runners of the whole instance are for administrators; --for-repo makes one for a repository of yours.";
    throw new ApiError(403, { message: `${error.message} ${advice}` });
  }
}

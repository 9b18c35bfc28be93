/** Shells in the containers of the Docker engine: as the image's user, and nothing of one is left, whoever opened it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { EngineShell, JobEnvironment } from "@forgeline/runner/engine/engine.ts";
import { eventually } from "../../support/eventually.ts";
import { docker, engineBed, never, type EngineBed } from "./docker-job.ts";

let bed: EngineBed;
beforeAll(async () => {
  bed = await engineBed();
});
afterAll(() => bed?.close());

async function opened(environment: JobEnvironment) {
  const shell = await environment.openShell({ env: { COLOUR: "blue" }, columns: 90, rows: 20 }, never);
  let screen = "";
  shell.output.on("data", (chunk: Buffer) => {
    screen += chunk.toString();
    // Some shells wait for the position of the cursor, which terminals tell.
    if (chunk.includes("\u001B[6n")) shell.input.write("\u001B[1;1R");
  });
  await eventually(() => screen.includes("# ") || screen.includes("$ "));
  return { shell, screen: () => screen };
}

const processes = async (environment: JobEnvironment) => {
  const top = (await docker.getContainer(environment.handle.containerId).top()) as { Processes: string[][] };
  return top.Processes.map((row) => row.at(-1)).join();
};

const exitOf = async (shell: EngineShell) => {
  await new Promise((resolve) => shell.output.once("end", resolve));
  return shell.exitCode();
};

it("has a terminal of the given size, the environment and an exit code", { timeout: 120_000 }, () =>
  bed.inJob({}, async (environment) => {
    const { shell, screen } = await opened(environment);
    expect(screen()).not.toContain("\u001E");
    shell.input.write("echo $COLOUR; stty size; pwd\r");
    await eventually(() => /blue\r\n20 90\r\n\/workspace/.test(screen()));
    shell.input.write("exit 4\r");
    expect(await exitOf(shell)).toBe(4);
    await shell.end();
  }),
);

it("ends with all of its session, and leaves other shells alone", { timeout: 120_000 }, () =>
  bed.inJob({}, async (environment) => {
    const [one, two] = [await opened(environment), await opened(environment)];
    one.shell.input.write("sleep 4242 & sleep 4243\r");
    two.shell.input.write("sleep 4244\r");
    await eventually(async () => /4242[^]*4243/.test(await processes(environment)));
    await eventually(async () => (await processes(environment)).includes("4244"));
    await one.shell.end();
    const left = await processes(environment);
    expect(left).not.toMatch(/424[23]/);
    expect(left).toContain("4244");
    // As an agent does that takes the job up again after this one has died.
    const again = await bed.another().reattach(environment.handle);
    await again?.endShells();
    await eventually(async () => !(await processes(environment)).includes("4244"));
    expect(await processes(environment)).toContain("supervise");
  }),
);

/** The pipelines that the scenarios run. Labels choose between the runners of `bed.ts`. */
import { baseImageName } from "@forgeline/launcher/base-image.ts";

export const lineBytes = 66;
export const manyLines = 1_000_000;
export const watchedLines = 10_000;

/** Lines of 66 bytes whose text does not compress much better than that of real logs. */
function linesScript(count: number, pause: string): string {
  return (
    `awk 'BEGIN { x = 12345; for (i = 1; i <= ${count}; i++) { x = (x * 16807) % 2147483647; ` +
    `printf "%08d compiled module %010d and linked objects %010d\\n", i, x, (x * 7) % 2147483647; ` +
    `${pause} } }'`
  );
}

function oneJob(speed: string, ...steps: string[]): string {
  return JSON.stringify({
    on: ["api"],
    defaults: { image: baseImageName, runner: { speed } },
    steps,
  });
}

function threeStages(speed: string): string {
  const stages = ["build", "test", "deploy"];
  return JSON.stringify({
    on: ["api"],
    defaults: { image: baseImageName, runner: { speed } },
    stages,
    jobs: Object.fromEntries(stages.map((stage) => [stage, { stage, steps: ["true"] }])),
  });
}

/** The shell of the script that makes the million lines; also run in bare Docker. */
export const makeManyLines = `${linesScript(manyLines, "")} > lines`;

/** JSON is YAML too. */
export const pipelineFiles: Record<string, string> = {
  ".forgeline/first-warm.yml": oneJob("warm", "echo first"),
  ".forgeline/first-cold.yml": oneJob("cold", "echo first"),
  ".forgeline/three-warm.yml": threeStages("warm"),
  ".forgeline/three-cold.yml": threeStages("cold"),
  ".forgeline/lines.yml": oneJob("warm", makeManyLines, "cat lines"),
  ".forgeline/crowd.yml": oneJob(
    "warm",
    // The crowd gathers first, then the log comes in bursts.
    `sleep 8\n${linesScript(watchedLines, 'if (i % 1000 == 0) { fflush(); system("sleep 0.3") }')}`,
  ),
  // Each line says when it was written, in seconds since the machine started: the finest that busybox has.
  ".forgeline/clock.yml": oneJob(
    "warm",
    'i=0; while [ $i -lt 60 ]; do read -r up rest < /proc/uptime; echo "written at $up ."; sleep 0.25; i=$((i+1)); done',
  ),
  ".forgeline/fake.yml": oneJob("fake", "fake: exit 0"),
};

export const pushFiles: Record<string, string> = {
  ".forgeline.yml": JSON.stringify({
    defaults: { image: baseImageName, runner: { speed: "warm" } },
    steps: ["echo first"],
  }),
};

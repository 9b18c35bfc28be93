/** The pipelines that the scenarios run. Labels choose between the runners of `bed.ts`. */
import { baseImageName } from "@forgeline/launcher/base-image.ts";
import type { BenchSize } from "./size.ts";

export const lineBytes = 66;
/** In which the watched lines come. */
const bursts = 10;

/** Lines of 66 bytes whose text does not compress much better than that of real logs. */
function linesScript(count: number, pause: string): string {
  return (
    `awk 'BEGIN { x = 12345; for (i = 1; i <= ${count}; i++) { x = (x * 16807) % 2147483647; ` +
    `printf "%08d compiled module %010d and linked objects %010d\\n", i, x, (x * 7) % 2147483647; ` +
    `${pause} } }'`
  );
}

function oneJob(speed: string, ...steps: (string | { name: string; run: string })[]): string {
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

/** The shell of the script that makes the long log; also run in bare Docker. */
export const makeLines = ({ lines }: BenchSize): string => `${linesScript(lines, "")} > lines`;

/** The crowd gathers first, then the log comes in bursts. */
function crowdScript({ gatherSeconds, watchedLines }: BenchSize): string {
  const pause = `if (i % ${watchedLines / bursts} == 0) { fflush(); system("sleep 0.3") }`;
  return `sleep ${gatherSeconds}\n${linesScript(watchedLines, pause)}`;
}

/** Each line says when it was written, in seconds since the machine started: the finest that busybox has. */
function clockScript({ clock }: BenchSize): string {
  const line = 'read -r up rest < /proc/uptime; echo "written at $up ."';
  return `i=0; while [ $i -lt ${clock.lines} ]; do ${line}; sleep 0.25; i=$((i+1)); done`;
}

/** Rounds of a fixed piece of work, and after each the seconds since the machine started. */
function neighbourScript({ neighbourRounds }: BenchSize): string {
  const work = "dd if=/dev/zero bs=1M count=48 2>/dev/null | md5sum >/dev/null";
  return `n=0; while [ $n -le ${neighbourRounds} ]; do ${work}; read -r up rest </proc/uptime; echo $up; n=$((n+1)); done`;
}

/** Goes on until it is stopped. */
const hungryScript = [
  "n=0; while [ $n -lt 8 ]; do while :; do :; done & n=$((n+1)); done",
  "while :; do sh -c 'x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done'; done &",
  "while :; do dd if=/dev/zero of=big bs=1M count=256; sync; done 2>/dev/null &",
  "while :; do for i in $(seq 100); do sleep 0.1 & done; sleep 0.2; done &",
  "sleep 2; echo hungry; sleep 1000",
].join("\n");

/** No runner has the label, so that all combinations stay in the queue. */
function matrix(): string {
  const values = Array.from({ length: 16 }, (_, value) => value);
  const job = { matrix: { a: values, b: values }, steps: ["true"] };
  return JSON.stringify({
    on: ["api"],
    defaults: { image: baseImageName, runner: { speed: "nobody" } },
    jobs: { each: job },
  });
}

/** The shell of the script that makes the files of a cache, which do not compress; also run on the machine. */
export const makeFiles = ({ cachedFiles }: BenchSize): string =>
  `mkdir deps; n=0; while [ $n -lt ${cachedFiles} ]; do n=$((n+1)); dd if=/dev/urandom of=deps/$n bs=1048576 count=1 2>/dev/null; done`;

/** The shell of the script that makes the files of an artifact, a hundred in each directory; also run on the machine. */
export const makeSmallFiles = ({ artifactFiles }: BenchSize): string =>
  `n=0; while [ $n -lt ${artifactFiles} ]; do mkdir -p dist/$((n/100)); dd if=/dev/urandom of=dist/$((n/100))/$n bs=102400 count=1 2>/dev/null; n=$((n+1)); done`;

function artifact(size: BenchSize): string {
  const artifacts = [{ name: "dist", paths: ["dist"], required: true }];
  return JSON.stringify({
    on: ["api"],
    defaults: { image: baseImageName, runner: { speed: "cold" } },
    jobs: {
      bring: { steps: [makeSmallFiles(size)], artifacts },
      fetch: { needs: [{ job: "bring", artifacts: ["dist"] }], steps: ["test -e dist/0/0"] },
    },
  });
}

/** As test tools write them: suites of a hundred, one in a hundred failed. */
const junitScript = ({ testCases }: BenchSize): string =>
  `awk 'BEGIN { print "<testsuites>"; for (i = 0; i < ${testCases}; i++) { ` +
  `if (i % 100 == 0) printf "<testsuite name=\\"suite %d\\">\\n", i / 100; ` +
  `printf "<testcase classname=\\"module %d\\" name=\\"does what case %d says\\" time=\\"0.012\\">", i / 100, i; ` +
  `if (i % 100 == 7) print "<failure message=\\"expected 1 to be 2\\">at file.js:12</failure>"; ` +
  `print "</testcase>"; if (i % 100 == 99 || i == ${testCases} - 1) print "</testsuite>" } print "</testsuites>" }' > report.xml`;

function junit(size: BenchSize): string {
  return JSON.stringify({
    on: ["api"],
    defaults: { image: baseImageName, runner: { speed: "cold" } },
    jobs: { test: { steps: [junitScript(size)], reports: { junit: ["report.xml"] } } },
  });
}

/** Each job of these runners writes a line every five seconds, for ten minutes, and then waits to be stopped. */
function fleet({ fleet: { runnersOfRun, jobsOfEach } }: BenchSize): string {
  const numbers = (count: number) => Array.from({ length: count }, (_, value) => value);
  const script = `${"fake: echo a line of this job\nfake: sleep 5000\n".repeat(120)}fake: hang`;
  return JSON.stringify({
    on: ["api"],
    defaults: { image: baseImageName, runner: { speed: "fleet" }, clone: false },
    jobs: { each: { matrix: { a: numbers(runnersOfRun), b: numbers(jobsOfEach) }, steps: [script] } },
  });
}

function cached(step: string, cache: object): string {
  return JSON.stringify({
    on: { api: {}, manual: { inputs: { round: { type: "string", default: "0" } } } },
    defaults: { image: baseImageName, runner: { speed: "cold" } },
    jobs: {
      main: { cache: [{ key: "deps-${{ inputs.round }}", paths: ["deps"], ...cache }], steps: [step] },
    },
  });
}

/** What a search looks for stands in the last line of a log, and in no other. */
export const needle = "the needle of this log";

/** JSON is YAML too. */
export const pipelineFiles = (size: BenchSize): Record<string, string> => ({
  ".forgeline/first-warm.yml": oneJob("warm", "echo first"),
  ".forgeline/first-cold.yml": oneJob("cold", "echo first"),
  ".forgeline/three-warm.yml": threeStages("warm"),
  ".forgeline/three-cold.yml": threeStages("cold"),
  ".forgeline/lines.yml": oneJob("warm", makeLines(size), "cat lines"),
  ".forgeline/crowd.yml": oneJob("warm", crowdScript(size)),
  ".forgeline/clock.yml": oneJob("warm", { name: "clock", run: clockScript(size) }),
  ".forgeline/neighbour.yml": oneJob("crowded", neighbourScript(size)),
  ".forgeline/hungry.yml": oneJob("crowded", hungryScript),
  ".forgeline/fake.yml": oneJob("fake", "fake: exit 0"),
  ".forgeline/matrix.yml": matrix(),
  ".forgeline/plain.yml": oneJob("cold", "true"),
  ".forgeline/save.yml": cached(makeFiles(size), { policy: "push" }),
  ".forgeline/restore.yml": cached("test -e deps/1", { policy: "pull" }),
  ".forgeline/artifact.yml": artifact(size),
  ".forgeline/junit.yml": junit(size),
  ".forgeline/fleet.yml": fleet(size),
  ".forgeline/search.yml": oneJob(
    "warm",
    `${linesScript(size.searchedLines, "")}\necho "${needle.toUpperCase()}"`,
  ),
});

export const pushFiles: Record<string, string> = {
  ".forgeline.yml": JSON.stringify({
    defaults: { image: baseImageName, runner: { speed: "warm" } },
    steps: ["echo first"],
  }),
};

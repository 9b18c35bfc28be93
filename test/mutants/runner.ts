/** Mistakes in the agent: what it runs, what it masks, what it keeps. */
import type { Mutant } from "./mutant.ts";

const unit = "test/unit/runner";
const agent = "test/integration/runner/agent.test.ts";

export const runner: readonly Mutant[] = [
  {
    name: "runner-outbox-of-one-lease",
    promise: "R5: what is dropped with a lease leaves messages of a newer lease of the job alone.",
    file: "runner/connection/outbox.ts",
    find: "message.attemptId === attemptId && message.epoch === epoch",
    replace: "message.attemptId === attemptId",
    tests: [`${unit}/connection/outbox.test.ts`],
  },
  {
    name: "runner-outbox-outlives-connections",
    promise: "S4: a message that must arrive is sent again after a reconnect.",
    file: "runner/connection/outbox.ts",
    find: "      if (entry.once) {",
    replace: "      {",
    tests: [`${unit}/connection/outbox.test.ts`],
  },
  {
    name: "runner-fleet-spreads-out",
    promise: "Runners of a server that restarts do not come back in one moment.",
    file: "runner/connection/backoff.ts",
    find: "Math.round(random() * Math.min(",
    replace: "Math.round(Math.min(",
    tests: [`${unit}/connection/backoff.test.ts`],
  },
  {
    name: "runner-masks-what-overlaps",
    promise: "Security 36: of secrets that overlap nothing is left.",
    file: "runner/logs/masker.ts",
    find: "    } else if (end > runEnd) runEnd = end;",
    replace: "    }",
    tests: [`${unit}/logs/masker.test.ts`],
  },
  {
    name: "runner-masks-over-chunks",
    promise: "Security 36: a secret is masked however the stream is cut.",
    file: "runner/logs/masker.ts",
    find: "const settled = final ? raw.length : raw.length - heldBack(forms, raw);",
    replace: "const settled = raw.length;",
    tests: [`${unit}/logs/masker.test.ts`],
  },
  {
    name: "runner-masks-lines-in-base64",
    promise: "Security 36: each longer line of a secret is masked in base64, too.",
    file: "runner/logs/mask-forms.ts",
    find: "    ...lines.flatMap((line) => base64Forms(Buffer.from(line))),\n",
    replace: "",
    tests: [`${unit}/logs/masker.test.ts`],
  },
  {
    name: "runner-masks-upper-hex",
    promise: "Security 36: a secret is masked in hexadecimal of either case.",
    file: "runner/logs/mask-forms.ts",
    find: `    bytes.toString("hex").toUpperCase(),\n`,
    replace: ``,
    tests: [`${unit}/logs/masker.test.ts`],
  },
  {
    name: "runner-line-of-just-the-limit",
    promise: "A line of just the limit is not split.",
    file: "runner/logs/line-splitter.ts",
    find: "while (column + (lineEnd - at) > lineBytes) {",
    replace: "while (column + (lineEnd - at) >= lineBytes) {",
    tests: [`${unit}/logs/line-splitter.test.ts`],
  },
  {
    name: "runner-gap-is-counted",
    promise: "S2: no log is cut without a marker that counts what is missing.",
    file: "runner/logs/log-cap.ts",
    find: "gap.tail.line - gap.head.line - (gap.head.column > 0 ? 1 : 0)",
    replace: "gap.tail.line - gap.head.line",
    tests: [`${unit}/logs/log-cap.test.ts`],
  },
  {
    name: "runner-checksum-of-what-was-sent-once",
    promise: "R4: bytes that are sent again count once in the checksum.",
    file: "runner/logs/log-stream.ts",
    find: "this.#hash.update(bytes.subarray(Math.max(0, this.#hashedTo - offset)));",
    replace: "this.#hash.update(bytes);",
    tests: [`${unit}/logs/log-stream.test.ts`],
  },
  {
    name: "runner-workspace-beside",
    promise: "Security 40: a step's directory lies within the workspace, not beside it.",
    file: "runner/engine/docker/step-script.ts",
    find: `!path.startsWith("/workspace/")`,
    replace: `!path.startsWith("/workspace")`,
    tests: [`${unit}/engine/docker/step-script.test.ts`],
  },
  {
    name: "runner-no-swap",
    promise: "Security 42: the memory limit of a job includes swap.",
    file: "runner/engine/docker/create-options.ts",
    find: "{ Memory: limits.memoryBytes, MemorySwap: limits.memoryBytes }",
    replace: "{ Memory: limits.memoryBytes }",
    tests: [`${unit}/engine/docker/create-options.test.ts`],
  },
  {
    name: "runner-recorded-before-started",
    promise: "R5: a step is started at most once: the runner writes down that it starts it before it does.",
    file: "runner/job/run-steps.ts",
    find: `  await job.save();
  crashPoint("step.recorded-before-started");
  const running = await job.environment.runStep(command, job.stop.forced);
`,
    replace: `  const running = await job.environment.runStep(command, job.stop.forced);
  await job.save();
  crashPoint("step.recorded-before-started");
`,
    tests: [`${unit}/job/run-steps.test.ts`],
  },
  {
    name: "runner-saved-before-ack",
    promise: "R1: a lease is acknowledged once the runner has it on disk.",
    file: "runner/agent.ts",
    find: `        crashPoint("lease.saved-before-ack");
        this.#link.acknowledge(id);
      },
      () => this.#link.refuse(id, "internal", "the runner's state file cannot be written"),`,
    replace: `        crashPoint("lease.saved-before-ack");
      },
      () => undefined,
    );
    this.#link.acknowledge(id);
    void Promise.resolve().then(
      () => undefined,`,
    tests: [agent],
    only: "on disk before it takes it",
  },
  {
    name: "runner-takes-no-more-than-it-can",
    promise: "A runner that is full refuses an offer.",
    file: "runner/agent.ts",
    find: `if (this.#busySlots() >= this.#deps.config.capacity) return "full";`,
    replace: `if (this.#busySlots() > this.#deps.config.capacity) return "full";`,
    tests: [agent],
    only: "where there is no room for it",
  },
  {
    name: "runner-error-is-never-allowed",
    promise: "A step that could not be judged ends its job, also where its failure is allowed.",
    file: "runner/job/run-steps.ts",
    find: `!step?.allowFailure) || result.status === "error";`,
    replace: `!step?.allowFailure);`,
    tests: [`${unit}/job/job-result.test.ts`],
  },
  {
    name: "runner-first-stop-decides",
    promise: "The first reason to stop a job is the one that is shown.",
    file: "runner/job/job-stop.ts",
    find: "    if (this.#request === null) {",
    replace: "    {",
    tests: [`${unit}/job/job-stop.test.ts`],
  },
  {
    name: "runner-blames-who-took-the-disk",
    promise: "Security 42: a job that takes little of a full disk is never blamed.",
    file: "runner/disk-watch.ts",
    find: "if (!largest || largest.bytes < blameBytes) return null;",
    replace: "if (!largest) return null;",
    tests: ["test/unit/runner/disk-watch.test.ts"],
  },
  {
    name: "runner-asks-for-just-256-mib",
    promise: "A runner asks for as many LFS objects as 256 MiB at a time.",
    file: "runner/workspace/lfs/questions.ts",
    find: "bytes + each.sizeBytes > mostBytes",
    replace: "bytes + each.sizeBytes >= mostBytes",
    tests: [`${unit}/workspace/lfs/questions.test.ts`],
  },
  {
    name: "runner-outcome-of-a-stop",
    promise: "A step that was stopped has the reason of the stop, not that of its exit code.",
    file: "runner/job/outcome.ts",
    find: `if (endedBy === "stop" && stop)`,
    replace: `if (endedBy === "stop" && stop && exitCode === null)`,
    tests: [`${unit}/job/outcome.test.ts`],
  },
  {
    name: "runner-daemon-away-is-infra",
    promise: "S3: a job that could not run since the daemon was away is tried elsewhere.",
    file: "runner/job/outcome.ts",
    find: `code === "engine_down" ? "infra" : code`,
    replace: `code`,
    tests: [`${unit}/job/outcome.test.ts`],
  },
  {
    name: "masks-base64url-keeps-its-slash-form",
    promise: "A secret is masked in base64 for addresses, with _ in place of /.",
    file: "runner/logs/mask-forms.ts",
    find: '.replaceAll("+", "-").replaceAll("/", "_")',
    replace: '.replaceAll("+", "-")',
    tests: ["test/unit/runner/logs/masker.test.ts"],
  },
  {
    name: "masks-no-quoting-of-a-shell",
    promise: "A secret is masked as a shell prints it with its single quotes escaped.",
    file: "runner/logs/mask-forms.ts",
    find: "    value.replaceAll(\"'\", `'\\\\''`),\n",
    replace: "",
    tests: ["test/unit/runner/logs/masker.test.ts"],
  },
  {
    name: "masks-no-percent-form",
    promise: "A secret is masked with percent escapes.",
    file: "runner/logs/mask-forms.ts",
    find: "    encodeURIComponent(value.toWellFormed()),\n",
    replace: "",
    tests: ["test/unit/runner/logs/masker.test.ts"],
  },
  {
    name: "masks-no-json-form",
    promise: "A secret is masked with JSON escapes.",
    file: "runner/logs/mask-forms.ts",
    find: "    JSON.stringify(value).slice(1, -1),\n",
    replace: "",
    tests: ["test/unit/runner/logs/masker.test.ts"],
  },
  {
    name: "masks-base64-one-character-short",
    promise: "All of a secret in base64 is masked but for the bits it shares with its neighbours.",
    file: "runner/logs/mask-forms.ts",
    find: "Math.floor(((before + bytes.length) * 8) / 6)",
    replace: "Math.floor(((before + bytes.length) * 8) / 6) - 1",
    tests: ["test/unit/runner/logs/masker.test.ts"],
  },
];

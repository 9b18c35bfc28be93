/** One run from its first job to the removal of its last container. */
import { join } from "node:path";
import type Dockerode from "dockerode";
import type { CheckOut, OpenFiles } from "@forgeline/runner/job/job-context.ts";
import { createArtifacts } from "./artifacts.ts";
import { createCaches } from "./caches.ts";
import { createAttempts, type Attempts } from "./attempts.ts";
import { localCheckOut } from "./check-out.ts";
import { createCourse, type Course } from "./course.ts";
import { createJobMaker, engineFor, localLimits, type JobMaker } from "./engine.ts";
import { cacheDirectory, makeHome, removeHome, removeLeftovers, type ExecHome } from "./home.ts";
import { leaseOf } from "./lease.ts";
import type { LocalRun } from "./local-run.ts";
import { createLocalServer, type LocalServer, type LogHandlers } from "./local-server.ts";
import type { Project } from "./project.ts";
import { createRunRecord, type RunRecord, type StatusChange } from "./run-record.ts";
import { takeSnapshot } from "./snapshot.ts";

export interface ExecHandlers extends LogHandlers {
  onStatus(change: StatusChange): void;
  /** What the developer should know beside the logs of jobs. */
  onNote(line: string): void;
}

export interface Here {
  run: LocalRun;
  project: Project;
  docker: Dockerode;
  /** Jobs at the same time at most. */
  atOnce: number;
  handlers: ExecHandlers;
  /** From now on it can be cancelled. */
  onCourse: (course: Course) => void;
}

type Engine = Awaited<ReturnType<typeof engineFor>>;

/** Resolves when the run has ended and nothing of it is left on this machine. */
export async function runHere(here: Here): Promise<void> {
  const { docker, handlers } = here;
  const home = await makeHome();
  const leftovers = removeLeftovers(home, docker);
  const engine = await engineFor(home, docker, handlers.onNote);
  try {
    await followCourse(here, home, engine);
  } finally {
    await leftovers;
    await engine.close();
    await removeHome(home).catch((error: unknown) =>
      handlers.onNote(
        `Some files could not be removed; the next run tries again: ${(error as Error).message}`,
      ),
    );
  }
}

async function followCourse(here: Here, home: ExecHome, engine: Engine): Promise<void> {
  const { run, project, handlers } = here;
  const record = createRunRecord(run, handlers.onStatus);
  const course = createCourse(record);
  here.onCourse(course);
  const server = createLocalServer(handlers);
  const limits = await localLimits(home);
  const { onNote } = handlers;
  const checkOut = checkOutOf(project, home);
  const openFiles = filesOf(here, home);
  const maker = createJobMaker({ home, engine, server, checkOut, openFiles, limits, onNote });
  const attempts = makeAttempts(here, { record, course, server, maker });
  try {
    await course.follow(attempts);
    await attempts.cleaned();
  } finally {
    await maker.close();
  }
}

function filesOf({ run, project, handlers }: Here, home: ExecHome): OpenFiles {
  const openArtifacts = createArtifacts(run, {
    directory: join(home.directory, "artifacts"),
    kept: project.request.artifacts,
    onNote: handlers.onNote,
  });
  const openCaches = createCaches(cacheDirectory(project.repository.root));
  return (spec, kind) => (kind === "artifacts" ? openArtifacts(spec) : openCaches(spec));
}

function checkOutOf({ repository, request }: Project, home: ExecHome): CheckOut {
  const snapshot = request.committed
    ? Promise.resolve(null)
    : takeSnapshot(repository, join(home.directory, "changes"));
  // Told by the jobs that wait for it.
  snapshot.catch(() => undefined);
  return localCheckOut(repository, snapshot);
}

function makeAttempts(
  { run, project, atOnce }: Here,
  parts: { record: RunRecord; course: Course; server: LocalServer; maker: JobMaker },
): Attempts {
  const { record, course, server, maker } = parts;
  let channel = 0;
  const leasing = { run, repository: project.repository, nextChannel: () => (channel += 1) };
  return createAttempts({
    record,
    server,
    atOnce,
    leaseOf: (attemptId, ready) => leaseOf(leasing, attemptId, ready),
    createJob: maker.create,
    onFact: course.tell,
  });
}

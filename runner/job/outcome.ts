/** Pure: what an ended step, or a job that could not begin, means in the words of `pipelines.md` section 5. */
import { randomBytes } from "node:crypto";
import { constants } from "node:os";
import type { StepResult } from "@forgeline/schemas/runner-protocol/lease.ts";
import { ArtifactError } from "../artifacts/artifact-error.ts";
import { MissingArtifact } from "../artifacts/fetch-artifacts.ts";
import { EngineError, type StepExit } from "../engine/engine.ts";
import { GitError } from "../workspace/git.ts";
import { LostEnvironment } from "./lost-environment.ts";
import { LostWorkspace } from "./lost-workspace.ts";
import type { StopRequest } from "./job-stop.ts";
import type { EndedBy } from "./step-watch.ts";

export interface Outcome {
  status: StepResult["status"];
  reason: string | null;
  /** A sentence for people; null for success. */
  message: string | null;
  exitCode: number | null;
}

export function stepOutcome(ended: { exit: StepExit; endedBy: EndedBy }, stop: StopRequest | null): Outcome {
  const { exit, endedBy } = ended;
  const exitCode = exit.kind === "exited" ? exit.code : null;
  if (endedBy === "stop" && stop)
    return { status: stop.status, reason: stop.reason, message: stop.message, exitCode };
  if (endedBy === "timeout")
    return { status: "failed", reason: "timeout", message: "The step exceeded its time limit.", exitCode };
  if (endedBy === "idle_timeout") {
    const message = "The step printed nothing for longer than its idle limit.";
    return { status: "failed", reason: "idle_timeout", message, exitCode };
  }
  return exitOutcome(exit);
}

function exitOutcome(exit: StepExit): Outcome {
  if (exit.kind === "oom")
    return {
      status: "failed",
      reason: "oom",
      message: "The step exceeded its memory limit.",
      exitCode: 137,
    };
  if (exit.kind === "log_lost") return logLost(exit.errorNumber);
  if (exit.kind === "container_lost")
    return {
      status: "error",
      reason: "infra",
      message: `${exit.lead ?? "The container no longer exists"}: ${exit.message}`,
      exitCode: null,
    };
  if (exit.code === 0) return { status: "success", reason: null, message: null, exitCode: 0 };
  const note = exit.note ? ` ${exit.note}` : "";
  const message = `The step ended with exit code ${exit.code}.${note}`;
  return { status: "failed", reason: `exit:${exit.code}`, message, exitCode: exit.code };
}

function logLost(errorNumber: number): Outcome {
  const isFull = errorNumber === constants.errno.ENOSPC || errorNumber === constants.errno.EDQUOT;
  const why = isFull ? "the runner's disk was full" : `the system refused it (error ${errorNumber})`;
  const message = `The step's output could not be stored: ${why}.`;
  return { status: "error", reason: isFull ? "disk_full" : "infra", message, exitCode: null };
}

/** `log` is told about errors that only the operator can understand, with the id that the user sees. */
export function failureOutcome(error: unknown, log: (id: string, error: unknown) => void): Outcome {
  if (error instanceof GitError)
    return { status: "error", reason: "clone", message: `Cloning failed: ${error.message}`, exitCode: null };
  if (error instanceof ArtifactError) return artifactOutcome(error);
  if (error instanceof EngineError && error.code !== "internal" && error.code !== "address_pool")
    return engineOutcome(error.code, error.message);
  if (error instanceof LostEnvironment || error instanceof LostWorkspace)
    return { status: "error", reason: "infra", message: error.message, exitCode: null };
  if (isFullDisk(error))
    return { status: "error", reason: "disk_full", message: "The runner's disk is full.", exitCode: null };
  const id = randomBytes(6).toString("hex");
  log(id, error);
  const message = `Something went wrong on the runner; its log has the details under ${id}.`;
  return { status: "error", reason: `internal:${id}`, message, exitCode: null };
}

/** Of a job that cannot get what it needs. */
function artifactOutcome(error: ArtifactError): Outcome {
  const reason = error instanceof MissingArtifact ? "artifact_missing" : "artifact_download";
  return { status: "error", reason, message: error.message, exitCode: null };
}

function engineOutcome(
  code: Exclude<EngineError["code"], "internal" | "address_pool">,
  message: string,
): Outcome {
  if (code === "no_shell") return { status: "failed", reason: "exit:127", message, exitCode: 127 };
  // The job's own doing: it is not tried again for infra.
  if (code === "outputs_closed") return { status: "failed", reason: code, message, exitCode: null };
  if (code === "unsupported") return { status: "error", reason: "config", message, exitCode: null };
  const reason = code === "engine_down" || code === "not_permitted" ? "infra" : code;
  return { status: "error", reason, message, exitCode: null };
}

function isFullDisk(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}

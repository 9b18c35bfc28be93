/** Plans by the server: of one file, or of all that the event would run. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { ApiError, valueOf } from "../../connection/api.ts";
import type { CliContext } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import type { PlanFlags } from "./plan.ts";

export interface PlannedFile {
  /** Undefined where there is one file only, or somebody chose. */
  file: string | undefined;
  result: Schemas["PlanResult"];
}

/** `content`: of a file here, which takes the place of the one on the server. Throws `ApiError`. */
export async function planOnServer(
  context: CliContext,
  flags: PlanFlags,
  content: string | undefined,
): Promise<PlannedFile[]> {
  try {
    return [{ file: undefined, result: await ask(context, flags, content) }];
  } catch (error) {
    const { event = "push" } = flags;
    if (!runsAll.has(event) || !asksWhich(error)) throw error;
    const planned: PlannedFile[] = [];
    for (const pipeline of await filesOf(context, flags.ref))
      planned.push({ file: pipeline, result: await ask(context, { ...flags, event, pipeline }, undefined) });
    if (planned.length === 0) throw error;
    return planned;
  }
}

/** People and programs choose one of the files, and so does a schedule. */
const runsAll: ReadonlySet<PlanFlags["event"]> = new Set([
  "push",
  "tag",
  "mirror_sync",
  "fork_sync",
] as const);

function asksWhich(error: unknown): boolean {
  const body = error instanceof ApiError ? (error.body as Schemas["Error"] | undefined) : undefined;
  return body?.errors?.some(({ field, code }) => field === "pipeline" && code === "required") ?? false;
}

async function filesOf(context: CliContext, ref: string | undefined): Promise<string[]> {
  const path = { ...(await context.repository()), path: ".forgeline" };
  const found = await valueOf(
    context.api.GET("/repos/{owner}/{repo}/contents/{path}", {
      params: { path, query: omitUndefined({ ref }) },
    }),
  );
  const entries = Array.isArray(found) ? found : [];
  return entries.filter(({ name }) => /\.ya?ml$/.test(name)).map((entry) => entry.path);
}

async function ask(
  context: CliContext,
  flags: PlanFlags,
  content: string | undefined,
): Promise<Schemas["PlanResult"]> {
  const { ref, event, variable: variables, input: inputs, path: paths, before, actor } = flags;
  // As far as the API takes it; diagnostics name it.
  const pipeline = flags.pipeline ?? flags.file?.slice(-256);
  return valueOf(
    context.api.POST("/repos/{owner}/{repo}/pipelines/plan", {
      params: { path: await context.repository() },
      body: {
        variables,
        inputs,
        ...omitUndefined({ event, content, ref, pipeline, paths, before, actor }),
      },
    }),
  );
}

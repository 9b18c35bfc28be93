/** The settings of the database and of Temporal: what a process keeps its state in. */
import { z } from "zod";
import { pipelineTaskQueue } from "@forgeline/schemas/pipelines/workflow.ts";
import { Secret } from "../platform/secret.ts";
import { secretOf } from "./setting-kinds.ts";

export const databaseSettings = {
  FORGELINE_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must be a postgres:// address")
    .describe("PostgreSQL, as the application role. Secret."),
  FORGELINE_OWNER_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must be a postgres:// address")
    .optional()
    .describe("PostgreSQL, as the role that owns the tables; only `migrate` needs it. Secret."),
  FORGELINE_DATABASE_POOL: z.coerce
    .number()
    .int()
    .min(2)
    .max(500)
    .default(20)
    .describe("Maximum number of database connections of one process."),
  TEMPORAL_ADDRESS: z.string().default("127.0.0.1:7233").describe("Temporal's gRPC address."),
  TEMPORAL_NAMESPACE: z.string().default("default").describe("Temporal namespace."),
  FORGELINE_TASK_QUEUE: z
    .string()
    .min(1)
    .default(pipelineTaskQueue)
    .describe("Temporal task queue; instances that share a namespace need one each."),
};

export function toDatabases(env: z.infer<z.ZodObject<typeof databaseSettings>>) {
  return {
    database: {
      url: new Secret(env.FORGELINE_DATABASE_URL),
      ownerUrl: secretOf(env.FORGELINE_OWNER_DATABASE_URL),
      poolSize: env.FORGELINE_DATABASE_POOL,
    },
    temporal: {
      address: env.TEMPORAL_ADDRESS,
      namespace: env.TEMPORAL_NAMESPACE,
      taskQueue: env.FORGELINE_TASK_QUEUE,
    },
  };
}

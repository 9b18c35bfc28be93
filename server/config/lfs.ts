/** Settings of the configuration about Git LFS: how large, how much for each plan, and which way bytes go. */
import { z } from "zod";

const bytes = (text: string, standard: number) =>
  z.coerce.number().int().min(0).default(standard).describe(text);

const max = (text: string, standard: number) =>
  z.coerce.number().int().min(1).max(1_000_000).default(standard).describe(text);

export const lfsSettings = {
  FORGELINE_LFS_MAX_OBJECT_BYTES: bytes("Maximum size of one Git LFS object, in bytes.", 10_737_418_240),
  FORGELINE_LFS_FREE_BYTES: bytes("Git LFS quota of owners on the plan `free`, in bytes.", 1_000_000_000),
  FORGELINE_LFS_PRO_BYTES: bytes("Git LFS quota of owners on the plan `pro`, in bytes.", 50_000_000_000),
  FORGELINE_LFS_ORGANIZATION_BYTES: bytes(
    "Git LFS quota of owners on the plan `organization`, in bytes.",
    250_000_000_000,
  ),
  FORGELINE_LFS_ENTERPRISE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe("Git LFS quota of owners on the plan `enterprise`, in bytes; unset: no limit."),
  FORGELINE_LFS_UPLOADS_AT_ONCE: max(
    "Maximum number of Git LFS objects of one owner that are uploaded through the servers at a time.",
    100,
  ),
  FORGELINE_LFS_OPEN_OBJECTS: max(
    "Maximum number of Git LFS objects of one owner that are announced but not yet uploaded.",
    10_000,
  ),
  FORGELINE_LFS_TRANSFER: z
    .enum(["direct", "server"])
    .default("direct")
    .describe(
      "How Git LFS objects are transferred if the object store is S3: `direct` by signed URLs of the store, which clients must be able to reach; `server` through this server.",
    ),
};

type LfsEnvironment = z.infer<z.ZodObject<typeof lfsSettings>>;

export interface LfsLimits {
  maxObjectBytes: number;
  /** Undefined: no limit. */
  quotaBytes: Record<"free" | "pro" | "organization" | "enterprise", number | undefined>;
  uploadsAtOnce: number;
  openObjects: number;
  transfer: "direct" | "server";
}

export function toLfsLimits(env: LfsEnvironment): LfsLimits {
  return {
    maxObjectBytes: env.FORGELINE_LFS_MAX_OBJECT_BYTES,
    quotaBytes: {
      free: env.FORGELINE_LFS_FREE_BYTES,
      pro: env.FORGELINE_LFS_PRO_BYTES,
      organization: env.FORGELINE_LFS_ORGANIZATION_BYTES,
      enterprise: env.FORGELINE_LFS_ENTERPRISE_BYTES,
    },
    uploadsAtOnce: env.FORGELINE_LFS_UPLOADS_AT_ONCE,
    openObjects: env.FORGELINE_LFS_OPEN_OBJECTS,
    transfer: env.FORGELINE_LFS_TRANSFER,
  };
}

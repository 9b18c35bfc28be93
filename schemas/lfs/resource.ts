/** How much Git LFS storage an owner has, as administrators see and set it. */
import { z } from "zod";
import { Plan } from "../core/plans.ts";

export const LfsQuota = z
  .object({
    owner: z.string(),
    owner_type: z.enum(["user", "organization"]),
    plan: Plan,
    limit_bytes: z.number().int().nullable().describe("null: no limit."),
    custom: z.boolean().describe("Set for this owner; otherwise the instance's limit for the plan."),
    used_bytes: z
      .number()
      .int()
      .describe(
        "Different objects of all repositories, deleted ones that can be restored included, and room reserved for uploads under way. An object counts as 4,096 bytes at least.",
      ),
  })
  .meta({ id: "LfsQuota" });
export type LfsQuota = z.infer<typeof LfsQuota>;

export const LfsQuotaUpdate = z
  .strictObject({
    limit_bytes: z
      .number()
      .int()
      .min(0)
      .max(1_000_000_000_000_000)
      .nullable()
      .describe("null: use the instance's limit for the plan."),
  })
  .meta({ id: "LfsQuotaUpdate", examples: [{ limit_bytes: 500_000_000_000 }] });

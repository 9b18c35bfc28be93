/** The keys that sign identity tokens of jobs, as administrators see them. The keys themselves are never shown. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

export const IdTokenKey = z
  .object({
    id: idOf("idk").describe("`kid` in the published keys and in tokens."),
    state: z
      .enum(["next", "current", "earlier", "withdrawn"])
      .describe(
        "`next`: published, but does not sign yet; `current`: signs; `earlier`: only published, for tokens that it signed; `withdrawn`: not published any more. `earlier` and `withdrawn` ones are removed after a day.",
      ),
    created_at: timestamp,
    current_from: timestamp.describe("When it begins, or began, to sign."),
    withdrawn_at: timestamp.nullable().describe("When it stopped being published before its time."),
  })
  .meta({ id: "IdTokenKey" });
export type IdTokenKey = z.infer<typeof IdTokenKey>;

export const IdTokenKeys = z
  .object({ keys: z.array(IdTokenKey).describe("Newest first.") })
  .meta({ id: "IdTokenKeys" });
export type IdTokenKeys = z.infer<typeof IdTokenKeys>;

export const IdTokenKeyRotation = z
  .strictObject({
    withdraw_earlier: z
      .boolean()
      .default(false)
      .describe(
        "Stop publishing all earlier keys at once, because somebody may have seen one. Tokens that jobs have now are then refused by services.",
      ),
  })
  .meta({ id: "IdTokenKeyRotation", examples: [{ withdraw_earlier: true }] });
export type IdTokenKeyRotation = z.infer<typeof IdTokenKeyRotation>;

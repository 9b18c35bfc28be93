/** A request of an app, as the page shows it on which somebody agrees or does not. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { Scope } from "../core/scopes.ts";

const request = z
  .string()
  .min(1)
  .max(8000)
  .regex(/^[\x21-\x7e]+$/, "The query string of an authorization request.")
  .describe("The part after `?` in the URL `/oauth/authorize?…` to which the app sent the browser.");
const example =
  "client_id=app_01jbcdefghjkmnpqrstvwxyz00&redirect_uri=https%3A%2F%2Fnotebook.example%2Fcallback&scope=repo%3Aread&state=s";

export const OAuthRequestRead = z
  .strictObject({ request })
  .meta({ id: "OAuthRequestRead", examples: [{ request: example }] });

export const OAuthRequest = z
  .object({
    app: z.object({
      id: idOf("app"),
      name: z.string(),
      owner: z.string().describe("The user or organization that registered it."),
      homepage_url: z.string().nullable(),
    }),
    scopes: z.array(Scope).describe("What it asks for."),
    returns_to: z
      .string()
      .describe("Where the browser goes next: a host, or the scheme of an app on this machine."),
  })
  .meta({ id: "OAuthRequest" });
export type OAuthRequest = z.infer<typeof OAuthRequest>;

export const OAuthDecisionMake = z
  .strictObject({ request, decision: z.enum(["allow", "deny"]) })
  .meta({ id: "OAuthDecisionMake", examples: [{ request: example, decision: "allow" }] });

export const OAuthDecision = z
  .object({ location: z.string().describe("Where to send the browser; with a code when it was allowed.") })
  .meta({ id: "OAuthDecision" });

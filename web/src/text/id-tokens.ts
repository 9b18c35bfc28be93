/** Text about the keys that sign identity tokens of jobs. */
import type { Schemas } from "@forgeline/client/schemas.ts";

export const text = {
  title: "Keys of identity tokens",
  lead: "They sign the tokens by which jobs prove to other services what they are. The current one is replaced every 90 days.",
  rotate: "Replace the key of identity tokens",
  rotateTitle: "Replace the key of identity tokens?",
  rotateHint:
    "A new key signs from now on. Earlier ones stay published for a day, so running jobs notice nothing.",
  withdraw: "Stop publishing earlier keys at once",
  withdrawHint:
    "If somebody may have seen one. Services then refuse the tokens of running jobs; run these again.",
  rotated: "The key was replaced.",
  none: "No key yet: the first one is made when it is needed",
  id: "Key",
  state: "State",
  states: {
    next: "signs next",
    current: "current",
    earlier: "earlier",
    withdrawn: "withdrawn",
  } satisfies Record<Schemas["IdTokenKey"]["state"], string>,
  created: "Created",
  from: "Signs from",
} as const;

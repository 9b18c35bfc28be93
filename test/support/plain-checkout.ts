/** What checkouts in tests have in common: of `main`, for as long as it takes, from wherever submodules are. */
import { openEgress } from "@forgeline/runner/egress/settings.ts";
import type { Checkout } from "@forgeline/runner/workspace/checkout.ts";

type Common = "baseEnv" | "publicUrl" | "jobUrl" | "url" | "ref" | "egress" | "signal";

export function plainCheckout(url: string): Pick<Checkout, Common> {
  return {
    baseEnv: { PATH: process.env["PATH"] ?? "" },
    url,
    publicUrl: url,
    jobUrl: url,
    ref: "refs/heads/main",
    egress: openEgress,
    signal: new AbortController().signal,
  };
}

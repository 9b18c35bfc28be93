/** The services of single sign-on, made together. */
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { createSsoArrivals, type SsoArrivalDeps, type SsoArrivalService } from "./arrival.ts";
import {
  createSsoConfiguration,
  type SsoConfigurationDeps,
  type SsoConfigurationService,
} from "./configuration.ts";
import { createSsoIdentities, type SsoIdentityDeps, type SsoIdentityService } from "./identities.ts";
import { createProviders } from "./provider.ts";
import { createSsoSignIn, type SsoSignInDeps, type SsoSignInService } from "./sign-in.ts";

export interface SsoServices {
  ssoConfiguration: SsoConfigurationService;
  ssoIdentities: SsoIdentityService;
  ssoSignIn: SsoSignInService;
  ssoArrivals: SsoArrivalService;
}

export type SsoDeps = { outbound: Outbound } & Omit<SsoConfigurationDeps, "providers"> &
  SsoIdentityDeps &
  Omit<SsoSignInDeps, "providers" | "ssoConfiguration"> &
  Omit<SsoArrivalDeps, "identities">;

export function createSso(deps: SsoDeps): SsoServices {
  const providers = createProviders(deps.outbound);
  const ssoConfiguration = createSsoConfiguration({ ...deps, providers });
  const ssoIdentities = createSsoIdentities(deps);
  return {
    ssoConfiguration,
    ssoIdentities,
    ssoSignIn: createSsoSignIn({ ...deps, providers, ssoConfiguration }),
    ssoArrivals: createSsoArrivals({ ...deps, identities: ssoIdentities }),
  };
}

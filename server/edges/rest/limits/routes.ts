/** Binds `GET /rate_limit` and the operations on limits. */
import {
  getOrganizationLimits,
  getOwnOrganizationLimits,
  getRateLimit,
  getUserLimits,
  setOrganizationLimits,
  setUserLimits,
} from "@forgeline/schemas/limits/routes.ts";
import { setRateHeaders } from "../../http/rate-limiter.ts";
import type { RouteBinder } from "../route-binder.ts";
import {
  presentLimitStatus,
  type CustomLimitService,
  type LimitStatus,
} from "../../../domains/operation/domain.ts";

export function registerLimitRoutes(
  app: RouteBinder,
  deps: { limitStatus: LimitStatus; customLimits: CustomLimitService },
): void {
  app.bind(getRateLimit, async ({ actor, raw }) => {
    const limitStatus = await deps.limitStatus.of(actor);
    const core = limitStatus.find(({ category }) => category === "core");
    if (core) setRateHeaders(raw.res, core);
    return { body: { resources: limitStatus.map(presentLimitStatus) } };
  });
  app.bindOrganization(getOwnOrganizationLimits, async ({ organization }) => ({
    body: { limits: await deps.customLimits.get({ name: organization.name, kind: "org" }) },
  }));
  app.bind(getUserLimits, async ({ params }) => ({
    body: { limits: await deps.customLimits.get({ name: params.username, kind: "user" }) },
  }));
  app.bind(setUserLimits, async ({ actor, params, body }) => ({
    body: { limits: await deps.customLimits.set(actor, { name: params.username, kind: "user" }, body) },
  }));
  app.bind(getOrganizationLimits, async ({ params }) => ({
    body: { limits: await deps.customLimits.get({ name: params.org, kind: "org" }) },
  }));
  app.bind(setOrganizationLimits, async ({ actor, params, body }) => ({
    body: { limits: await deps.customLimits.set(actor, { name: params.org, kind: "org" }, body) },
  }));
}

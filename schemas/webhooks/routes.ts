/** Operations on the webhooks of repositories and organizations: the same for both (`shapes.ts`). */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { route } from "../core/route.ts";
import { OrganizationParams } from "../organizations/routes.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import * as shapes from "./shapes.ts";

const ofRepository = { tag: "webhooks", access: "repo_admin", scope: "repo:admin" } as const;
const ofOrganization = { tag: "webhooks", access: "org_owner", scope: "org:admin" } as const;
const hook = { id: idOf("hook") };
const deliveryOf = { ...hook, delivery: idOf("dlv") };
const RepositoryHook = z.strictObject({ ...RepositoryParams.shape, ...hook });
const RepositoryDelivery = z.strictObject({ ...RepositoryParams.shape, ...deliveryOf });
const OrganizationHook = z.strictObject({ ...OrganizationParams.shape, ...hook });
const OrganizationDelivery = z.strictObject({ ...OrganizationParams.shape, ...deliveryOf });

export const listWebhooks = route({
  ...ofRepository,
  ...shapes.list,
  archived: "allowed",
  id: "listWebhooks",
  path: "/repos/:owner/:repo/webhooks",
  summary: "Webhooks of a repository, newest first",
  params: RepositoryParams,
});

export const createWebhook = route({
  ...ofRepository,
  ...shapes.create,
  id: "createWebhook",
  path: "/repos/:owner/:repo/webhooks",
  summary: "Add a webhook to a repository",
  params: RepositoryParams,
});

export const getWebhook = route({
  ...ofRepository,
  ...shapes.get,
  archived: "allowed",
  id: "getWebhook",
  path: "/repos/:owner/:repo/webhooks/:id",
  summary: "One webhook of a repository",
  params: RepositoryHook,
});

export const updateWebhook = route({
  ...ofRepository,
  ...shapes.update,
  id: "updateWebhook",
  path: "/repos/:owner/:repo/webhooks/:id",
  summary: "Change a webhook of a repository",
  params: RepositoryHook,
});

export const deleteWebhook = route({
  ...ofRepository,
  ...shapes.remove,
  archived: "allowed",
  id: "deleteWebhook",
  path: "/repos/:owner/:repo/webhooks/:id",
  summary: "Delete a webhook of a repository",
  params: RepositoryHook,
});

export const pingWebhook = route({
  ...ofRepository,
  ...shapes.ping,
  id: "pingWebhook",
  path: "/repos/:owner/:repo/webhooks/:id/ping",
  summary: "Send a ping",
  params: RepositoryHook,
});

export const testWebhook = route({
  ...ofRepository,
  ...shapes.test,
  id: "testWebhook",
  path: "/repos/:owner/:repo/webhooks/:id/test",
  summary: "Send the last event of a kind once more",
  params: RepositoryHook,
});

export const listWebhookDeliveries = route({
  ...ofRepository,
  ...shapes.deliveries,
  archived: "allowed",
  id: "listWebhookDeliveries",
  path: "/repos/:owner/:repo/webhooks/:id/deliveries",
  summary: "Deliveries of a webhook, newest first",
  params: RepositoryHook,
});

export const getWebhookDelivery = route({
  ...ofRepository,
  ...shapes.delivery,
  archived: "allowed",
  id: "getWebhookDelivery",
  path: "/repos/:owner/:repo/webhooks/:id/deliveries/:delivery",
  summary: "One delivery with its request and attempts",
  params: RepositoryDelivery,
});

export const redeliverWebhookDelivery = route({
  ...ofRepository,
  ...shapes.redeliver,
  id: "redeliverWebhookDelivery",
  path: "/repos/:owner/:repo/webhooks/:id/deliveries/:delivery/redeliver",
  summary: "Deliver once more",
  params: RepositoryDelivery,
});

export const redeliverWebhookDeliveries = route({
  ...ofRepository,
  ...shapes.redeliverMany,
  id: "redeliverWebhookDeliveries",
  path: "/repos/:owner/:repo/webhooks/:id/redeliver",
  summary: "Deliver all of a time or status once more",
  params: RepositoryHook,
});

export const listOrganizationWebhooks = route({
  ...ofOrganization,
  ...shapes.list,
  id: "listOrganizationWebhooks",
  path: "/orgs/:org/webhooks",
  summary: "Webhooks of an organization, newest first",
  params: OrganizationParams,
});

export const createOrganizationWebhook = route({
  ...ofOrganization,
  ...shapes.create,
  id: "createOrganizationWebhook",
  path: "/orgs/:org/webhooks",
  summary: "Add a webhook to an organization",
  params: OrganizationParams,
});

export const getOrganizationWebhook = route({
  ...ofOrganization,
  ...shapes.get,
  id: "getOrganizationWebhook",
  path: "/orgs/:org/webhooks/:id",
  summary: "One webhook of an organization",
  params: OrganizationHook,
});

export const updateOrganizationWebhook = route({
  ...ofOrganization,
  ...shapes.update,
  id: "updateOrganizationWebhook",
  path: "/orgs/:org/webhooks/:id",
  summary: "Change a webhook of an organization",
  params: OrganizationHook,
});

export const deleteOrganizationWebhook = route({
  ...ofOrganization,
  ...shapes.remove,
  id: "deleteOrganizationWebhook",
  path: "/orgs/:org/webhooks/:id",
  summary: "Delete a webhook of an organization",
  params: OrganizationHook,
});

export const pingOrganizationWebhook = route({
  ...ofOrganization,
  ...shapes.ping,
  id: "pingOrganizationWebhook",
  path: "/orgs/:org/webhooks/:id/ping",
  summary: "Send a ping (organization)",
  params: OrganizationHook,
});

export const testOrganizationWebhook = route({
  ...ofOrganization,
  ...shapes.test,
  id: "testOrganizationWebhook",
  path: "/orgs/:org/webhooks/:id/test",
  summary: "Send the last event of a kind once more (organization)",
  params: OrganizationHook,
});

export const listOrganizationWebhookDeliveries = route({
  ...ofOrganization,
  ...shapes.deliveries,
  id: "listOrganizationWebhookDeliveries",
  path: "/orgs/:org/webhooks/:id/deliveries",
  summary: "Deliveries of a webhook, newest first (organization)",
  params: OrganizationHook,
});

export const getOrganizationWebhookDelivery = route({
  ...ofOrganization,
  ...shapes.delivery,
  id: "getOrganizationWebhookDelivery",
  path: "/orgs/:org/webhooks/:id/deliveries/:delivery",
  summary: "One delivery with its request and attempts (organization)",
  params: OrganizationDelivery,
});

export const redeliverOrganizationWebhookDelivery = route({
  ...ofOrganization,
  ...shapes.redeliver,
  id: "redeliverOrganizationWebhookDelivery",
  path: "/orgs/:org/webhooks/:id/deliveries/:delivery/redeliver",
  summary: "Deliver once more (organization)",
  params: OrganizationDelivery,
});

export const redeliverOrganizationWebhookDeliveries = route({
  ...ofOrganization,
  ...shapes.redeliverMany,
  id: "redeliverOrganizationWebhookDeliveries",
  path: "/orgs/:org/webhooks/:id/redeliver",
  summary: "Deliver all of a time or status once more (organization)",
  params: OrganizationHook,
});

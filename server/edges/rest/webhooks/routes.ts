/** Binds the operations on webhooks of repositories and organizations: the same for both. */
import {
  createOrganizationWebhook,
  createWebhook,
  deleteOrganizationWebhook,
  deleteWebhook,
  getOrganizationWebhook,
  getOrganizationWebhookDelivery,
  getWebhook,
  getWebhookDelivery,
  listOrganizationWebhookDeliveries,
  listOrganizationWebhooks,
  listWebhookDeliveries,
  listWebhooks,
  pingOrganizationWebhook,
  pingWebhook,
  redeliverOrganizationWebhookDeliveries,
  redeliverOrganizationWebhookDelivery,
  redeliverWebhookDeliveries,
  redeliverWebhookDelivery,
  testOrganizationWebhook,
  testWebhook,
  updateOrganizationWebhook,
  updateWebhook,
} from "@forgeline/schemas/webhooks/routes.ts";
import type { DeliveryService, WebhookService } from "../../../domains/automation/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

interface WebhookRouteDeps {
  webhooks: WebhookService;
  webhookDeliveries: DeliveryService;
}

export function registerWebhookRoutes(app: RouteBinder, deps: WebhookRouteDeps): void {
  registerRepositoryWebhooks(app, deps);
  registerRepositoryDeliveries(app, deps);
  registerOrganizationWebhooks(app, deps);
  registerOrganizationDeliveries(app, deps);
}

function registerRepositoryWebhooks(app: RouteBinder, { webhooks }: WebhookRouteDeps): void {
  app.bindRepository(listWebhooks, async ({ repository, query }) => {
    const { items, total } = await webhooks.list({ repository }, query);
    return { body: items, total };
  });
  app.bindRepository(createWebhook, async ({ actor, repository, body }) => {
    const created = await webhooks.create(actor, { repository }, body);
    return { body: created, location: created.api_url };
  });
  app.bindRepository(getWebhook, async ({ repository, params }) => ({
    body: await webhooks.get({ repository }, params.id),
  }));
  app.bindRepository(updateWebhook, async ({ actor, repository, params, body }) => ({
    body: await webhooks.update(actor, { repository }, { id: params.id, wanted: body }),
  }));
  app.bindRepository(deleteWebhook, ({ actor, repository, params }) =>
    webhooks.remove(actor, { repository }, params.id),
  );
}

function registerRepositoryDeliveries(app: RouteBinder, { webhookDeliveries }: WebhookRouteDeps): void {
  app.bindRepository(pingWebhook, async ({ actor, repository, params }) => ({
    body: await webhookDeliveries.ping(actor, { owner: { repository }, id: params.id }),
  }));
  app.bindRepository(testWebhook, async ({ actor, repository, params, body }) => ({
    body: await webhookDeliveries.test(actor, { owner: { repository }, id: params.id }, body.event),
  }));
  app.bindRepository(listWebhookDeliveries, async ({ repository, params, query }) => {
    const { items, total } = await webhookDeliveries.list({ owner: { repository }, id: params.id }, query);
    return { body: items, total };
  });
  app.bindRepository(getWebhookDelivery, async ({ repository, params }) => ({
    body: await webhookDeliveries.get({ owner: { repository }, id: params.id }, params.delivery),
  }));
  app.bindRepository(redeliverWebhookDelivery, async ({ actor, repository, params }) => ({
    body: await webhookDeliveries.redeliver(actor, { owner: { repository }, id: params.id }, params.delivery),
  }));
  app.bindRepository(redeliverWebhookDeliveries, async ({ actor, repository, params, body }) => ({
    body: await webhookDeliveries.redeliverMany(actor, { owner: { repository }, id: params.id }, body),
  }));
}

function registerOrganizationWebhooks(app: RouteBinder, { webhooks }: WebhookRouteDeps): void {
  app.bindOrganization(listOrganizationWebhooks, async ({ organization, query }) => {
    const { items, total } = await webhooks.list({ organization }, query);
    return { body: items, total };
  });
  app.bindOrganization(createOrganizationWebhook, async ({ actor, organization, body }) => {
    const created = await webhooks.create(actor, { organization }, body);
    return { body: created, location: created.api_url };
  });
  app.bindOrganization(getOrganizationWebhook, async ({ organization, params }) => ({
    body: await webhooks.get({ organization }, params.id),
  }));
  app.bindOrganization(updateOrganizationWebhook, async ({ actor, organization, params, body }) => ({
    body: await webhooks.update(actor, { organization }, { id: params.id, wanted: body }),
  }));
  app.bindOrganization(deleteOrganizationWebhook, ({ actor, organization, params }) =>
    webhooks.remove(actor, { organization }, params.id),
  );
}

function registerOrganizationDeliveries(app: RouteBinder, { webhookDeliveries }: WebhookRouteDeps): void {
  app.bindOrganization(pingOrganizationWebhook, async ({ actor, organization, params }) => ({
    body: await webhookDeliveries.ping(actor, { owner: { organization }, id: params.id }),
  }));
  app.bindOrganization(testOrganizationWebhook, async ({ actor, organization, params, body }) => ({
    body: await webhookDeliveries.test(actor, { owner: { organization }, id: params.id }, body.event),
  }));
  app.bindOrganization(listOrganizationWebhookDeliveries, async ({ organization, params, query }) => {
    const { items, total } = await webhookDeliveries.list({ owner: { organization }, id: params.id }, query);
    return { body: items, total };
  });
  app.bindOrganization(getOrganizationWebhookDelivery, async ({ organization, params }) => ({
    body: await webhookDeliveries.get({ owner: { organization }, id: params.id }, params.delivery),
  }));
  app.bindOrganization(redeliverOrganizationWebhookDelivery, async ({ actor, organization, params }) => ({
    body: await webhookDeliveries.redeliver(
      actor,
      { owner: { organization }, id: params.id },
      params.delivery,
    ),
  }));
  app.bindOrganization(
    redeliverOrganizationWebhookDeliveries,
    async ({ actor, organization, params, body }) => ({
      body: await webhookDeliveries.redeliverMany(actor, { owner: { organization }, id: params.id }, body),
    }),
  );
}

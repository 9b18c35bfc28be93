/** OAuth apps of one owner: where their pages stand, and what the API does with them. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { apps as words, text } from "../../text/settings.ts";

type App = Schemas["OAuthApp"];
type AppWithSecret = Schemas["OAuthAppWithSecret"];
type Answer<T> = Promise<{ data?: T }>;

export interface AppsOf {
  /** Of the list, `/new` below it. */
  address: string;
  within: string;
  lead: string;
  list(query: { page: number; per_page: number }): Answer<App[]>;
  create(body: Schemas["OAuthAppCreate"]): Answer<AppWithSecret>;
  change(id: string, body: Schemas["OAuthAppUpdate"]): Answer<App>;
  renewSecret(id: string): Answer<AppWithSecret>;
  remove(id: string): Promise<unknown>;
}

export const ownApps: AppsOf = {
  address: "/settings/oauth-apps",
  within: text.menu,
  lead: words.lead,
  list: (query) => api.GET("/user/oauth-apps", { params: { query } }),
  create: (body) => api.POST("/user/oauth-apps", { body }),
  change: (id, body) => api.PATCH("/user/oauth-apps/{id}", { params: { path: { id } }, body }),
  renewSecret: (id) => api.POST("/user/oauth-apps/{id}/secret", { params: { path: { id } } }),
  remove: (id) => api.DELETE("/user/oauth-apps/{id}", { params: { path: { id } } }),
};

export function appsOfOrganization(org: string): AppsOf {
  const one = (id: string) => ({ params: { path: { org, id } } });
  return {
    address: `/orgs/${org}/oauth-apps`,
    within: org,
    lead: words.leadOf(org),
    list: (query) => api.GET("/orgs/{org}/oauth-apps", { params: { path: { org }, query } }),
    create: (body) => api.POST("/orgs/{org}/oauth-apps", { params: { path: { org } }, body }),
    change: (id, body) => api.PATCH("/orgs/{org}/oauth-apps/{id}", { ...one(id), body }),
    renewSecret: (id) => api.POST("/orgs/{org}/oauth-apps/{id}/secret", one(id)),
    remove: (id) => api.DELETE("/orgs/{org}/oauth-apps/{id}", one(id)),
  };
}

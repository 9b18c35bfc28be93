/** Binds the operations on the instance's description and settings. */
import {
  getInstanceSettings,
  getMeta,
  updateInstanceSettings,
  type InstanceMeta,
} from "@forgeline/schemas/instance/routes.ts";
import { runnerProtocolVersions } from "@forgeline/schemas/runner-protocol/version.ts";
import type { SshHostKeys } from "../../../platform/ssh/host-keys.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { serverVersion } from "../../../platform/server-version.ts";
import {
  presentCurrentAnnouncement,
  type InstanceNotices,
  type InstanceSettingsService,
} from "../../../domains/operation/domain.ts";

export function registerInstanceRoutes(
  app: RouteBinder,
  deps: {
    addresses: Addresses;
    instanceSettings: InstanceSettingsService;
    instanceNotices: InstanceNotices;
    sshHostKeys: SshHostKeys | null;
  },
): void {
  const { addresses, instanceSettings } = deps;
  const meta: Omit<InstanceMeta, "announcements" | "sign_up_open"> = {
    name: "forgeline",
    version: serverVersion,
    api_version: "v1",
    base_url: addresses.baseUrl,
    graphql_url: addresses.graphqlUrl,
    auth_url: addresses.authUrl,
    docs_url: addresses.docsUrl,
    web_url: addresses.webUrl,
    git_https_url: addresses.gitHttpsUrl,
    git_ssh_url: addresses.gitSshUrl,
    ssh_host_keys: (deps.sshHostKeys?.shown ?? []).map(({ kind, publicKey: key, fingerprint }) => ({
      kind,
      key,
      fingerprint,
    })),
    runner_url: addresses.runnerUrl,
    runner_protocol: Math.max(...runnerProtocolVersions),
  };
  app.bind(getMeta, async ({ actor }) => {
    const { signUpOpen, announcements } = await deps.instanceNotices.read(actor);
    const shown = announcements.map(presentCurrentAnnouncement);
    return { body: { ...meta, sign_up_open: signUpOpen, announcements: shown } };
  });
  app.bind(getInstanceSettings, async () => ({ body: await instanceSettings.get() }));
  app.bind(updateInstanceSettings, async ({ actor, body }) => ({
    body: await instanceSettings.update(actor, body),
  }));
}

/** What the instance tells everybody, as far as it may change while it runs. */
import type { Actor } from "../../../platform/access/actor.ts";
import type { AnnouncementService } from "../announcements/service.ts";
import type { AnnouncementRow } from "../announcements/announcements.store.ts";
import type { InstanceSettingsService } from "./settings.ts";

export interface InstanceNotices {
  /** Whether the caller could sign up, and what administrators announce. */
  read(actor: Actor): Promise<{ signUpOpen: boolean; announcements: AnnouncementRow[] }>;
}

export interface InstanceNoticesDeps {
  announcements: Pick<AnnouncementService, "listCurrent">;
  instanceSettings: Pick<InstanceSettingsService, "isSignUpOpen">;
}

export function createInstanceNotices(deps: InstanceNoticesDeps): InstanceNotices {
  return {
    async read(actor) {
      const [announcements, signUpOpen] = await Promise.all([
        deps.announcements.listCurrent(),
        deps.instanceSettings.isSignUpOpen(actor.request?.ipAddress ?? ""),
      ]);
      return { signUpOpen, announcements };
    },
  };
}
